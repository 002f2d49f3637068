import { fields, parseJson, text } from '../lib/read';
import { accessKey, sessionId } from './session';

/** An answer of the server that is no success, in words for a person. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint = '',
    readonly retryAfterS = 0,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

const fallbackMessages: Record<number, string> = {
  401: 'This server asks for a key. It can be given in the settings.',
  403: 'This is not allowed with the present key.',
  404: 'There is nothing at this address, or it belongs to somebody else.',
  409: 'An answer is still being worked on in this conversation.',
  413: 'The question is too long.',
  429: 'Too many questions in a short time.',
  503: 'The server is not ready yet.',
  504: 'The time for this answer ran out.',
};

export const errorOf = async (response: Response): Promise<ApiError> => {
  const body = fields(parseJson(await response.text().catch(() => '')));
  const error = fields(body['error']);
  const message =
    text(error['message']) || text(body['detail']) || fallbackMessages[response.status] || `The server said ${response.status}.`;
  const retryAfter = Number(response.headers.get('Retry-After') ?? 0) || 0;
  return new ApiError(response.status, text(error['code']), message, text(error['hint']), retryAfter);
};

export const unreachable = (): ApiError =>
  new ApiError(0, 'unreachable', 'The server cannot be reached.', 'Is quaestor serve still running?');

export interface Request {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
}

const send = async (path: string, request: Request): Promise<Response> => {
  const headers: Record<string, string> = { 'X-Session-Id': sessionId(), ...request.headers };
  if (accessKey() !== '') headers['Authorization'] = `Bearer ${accessKey()}`;
  const init: RequestInit = { method: request.method ?? 'GET', headers };
  if (request.body !== undefined) {
    headers['Content-Type'] = 'application/json';
    init.body = JSON.stringify(request.body);
  }
  if (request.signal) init.signal = request.signal;
  if (request.keepalive) init.keepalive = true;
  try {
    return await fetch(path, init);
  } catch (problem) {
    if (problem instanceof DOMException && problem.name === 'AbortError') throw problem;
    throw unreachable();
  }
};

/** Sends a request; throws ApiError unless the answer is a success. */
export const request = async (path: string, options: Request = {}): Promise<Response> => {
  const response = await send(path, options);
  if (!response.ok) throw await errorOf(response);
  return response;
};

export const requestJson = async (path: string, options: Request = {}): Promise<unknown> => {
  const response = await request(path, options);
  return parseJson(await response.text());
};

export const isAbort = (problem: unknown): boolean => problem instanceof DOMException && problem.name === 'AbortError';

export const asApiError = (problem: unknown): ApiError =>
  problem instanceof ApiError ? problem : new ApiError(0, 'client', problem instanceof Error ? problem.message : String(problem));
