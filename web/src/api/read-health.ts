import { fields, isFields, list, number, text, texts, type Fields } from '../lib/read';
import type { Dependency, Model } from './types';

/** A list of objects, or an object of objects whose key is the name. */
const named = (value: unknown): { name: string; entry: unknown }[] => {
  if (Array.isArray(value)) return value.map((entry) => ({ name: text(fields(entry)['name']), entry }));
  return Object.entries(fields(value)).map(([name, entry]) => ({ name, entry }));
};

const stateOf = (entry: unknown): string => {
  if (typeof entry === 'string') return entry;
  if (typeof entry === 'boolean') return entry ? 'ok' : 'failed';
  const found = fields(entry);
  if (typeof found['ok'] === 'boolean') return found['ok'] ? 'ok' : 'failed';
  return text(found['state']) || text(found['status']) || 'unknown';
};

const detailOf = (entry: unknown): string => {
  const found = fields(entry);
  return text(found['detail']) || text(found['reason']) || text(found['message']) || text(found['hint']);
};

/** A model behind a breaker is ready unless it has no key or has failed too often of late. */
const guardedState = (model: Fields): string => {
  if (model['has_key'] === false) return 'no key';
  const breaker = text(model['breaker']);
  return breaker === 'closed' ? 'ready' : breaker.replaceAll('_', ' ');
};

export const readModels = (value: unknown): Model[] => {
  const models = isFields(value) ? (value['models'] ?? value['tiers'] ?? value) : value;
  return named(models).map(({ name, entry }) => {
    const model = fields(entry);
    return {
      tier: text(model['tier']) || texts(model['tiers']).join(', ') || name,
      provider: text(model['provider']),
      model: text(model['model']),
      state: model['breaker'] === undefined ? stateOf(entry) : guardedState(model),
      detail: detailOf(entry),
    };
  });
};

const readParts = (body: Fields): Dependency[] => {
  const parts: Dependency[] = [];
  if (body['store'] !== undefined) parts.push({ name: 'store', state: body['store'] ? 'ok' : 'failed', detail: text(body['store']) });
  if (isFields(body['agents'])) {
    const { available, all } = body['agents'];
    parts.push({ name: 'agents', state: number(available) > 0 ? 'ok' : 'failed', detail: `${number(available)} of ${number(all)} can be asked` });
  }
  const problems = list(body['problems']).map(fields);
  return [...parts, ...problems.map((each) => ({ name: text(each['what']), state: 'not ready', detail: text(each['problem']) }))];
};

export const readReadiness = (isSuccess: boolean, value: unknown): { ready: boolean; dependencies: Dependency[] } => {
  const body = fields(value);
  if (isFields(body['agents']) || Array.isArray(body['problems'])) return { ready: isSuccess, dependencies: readParts(body) };
  const checks = body['dependencies'] ?? body['checks'] ?? list(value);
  return {
    ready: isSuccess,
    dependencies: named(checks).map(({ name, entry }) => ({ name, state: stateOf(entry), detail: detailOf(entry) })),
  };
};

export const isWell = (state: string): boolean => ['ok', 'ready', 'up', 'closed', 'available', 'native'].includes(state);
