import { parseJson, texts } from '../lib/read';
import { keep, recall } from '../lib/storage';

/** Conversations whose deletion no server has confirmed yet: a page that opens meanwhile does not show them. */
const key = 'quaestor.deleting';
const owedMax = 50;

export const owedDeletions = (): string[] => texts(parseJson(recall(key) || '[]'));

const store = (ids: string[]): void => keep(key, ids.length > 0 ? JSON.stringify(ids.slice(-owedMax)) : '');

export const oweDeletion = (id: string): void => store([...owedDeletions().filter((each) => each !== id), id]);

export const settleDeletion = (id: string): void => store(owedDeletions().filter((each) => each !== id));
