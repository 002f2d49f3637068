import { keep, recall } from '../lib/storage';

const keyOfServer = 'quaestor.key';

/** A key of the server, where it asks for one; empty otherwise. */
export const accessKey = (): string => recall(keyOfServer);

export const setAccessKey = (value: string): void => keep(keyOfServer, value.trim());

/** A browser is known to the server by an id that it made itself; threads belong to it. */
const key = 'quaestor.session';
let kept = '';

export const newId = (): string => {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  // Plain http on a host other than localhost has no randomUUID.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

export const sessionId = (): string => {
  if (kept) return kept;
  try {
    kept = localStorage.getItem(key) ?? '';
    if (!kept) {
      kept = newId();
      localStorage.setItem(key, kept);
    }
  } catch {
    kept ||= newId();
  }
  return kept;
};
