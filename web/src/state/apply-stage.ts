import { readLink, readQuery } from '../api/read-answer';
import type { Link, Query } from '../api/types';
import { fields, list, number, text, texts, type Fields } from '../lib/read';
import type { Entity, Lookup, Turn } from './turn';

/** What the end of a stage adds to a turn beside its step. Payloads of all known variants are understood. */
export const applyStage = (turn: Turn, stage: string, payload: Fields): Turn => stages[stage]?.(turn, payload) ?? turn;

export const withLinks = (known: Link[], more: Link[]): Link[] => {
  const urls = new Set(known.map((link) => link.url));
  const fresh = more.filter((link) => link.url !== '' && !urls.has(link.url) && urls.add(link.url));
  return fresh.length > 0 ? [...known, ...fresh] : known;
};

const union = (known: string[], more: string[]): string[] => [...new Set([...known, ...more])];

const withEntities = (turn: Turn, found: Entity[]): Turn => {
  const isKnown = (entity: Entity) => turn.entities.some((known) => known.kind === entity.kind && known.name === entity.name);
  const fresh = found.filter((entity) => entity.name !== '' && !isKnown(entity));
  return fresh.length > 0 ? { ...turn, entities: [...turn.entities, ...fresh] } : turn;
};

/** A written query opens a block; one that replaces a query without a result is a new attempt of the same. */
const sqlWritten = (turn: Turn, payload: Fields): Turn => {
  const query = readQuery(payload);
  if (query.text === '') return turn;
  const last = turn.queries.at(-1);
  const isNewAttempt = last !== undefined && last.columns.length === 0;
  return { ...turn, queries: [...(isNewAttempt ? turn.queries.slice(0, -1) : turn.queries), query] };
};

const sqlExecuted = (turn: Turn, payload: Fields): Turn => {
  const result = readQuery(payload);
  const last = turn.queries.at(-1);
  if (result.columns.length === 0 && result.text === '') return turn;
  if (!last || last.columns.length > 0) return { ...turn, queries: [...turn.queries, result] };
  const filled: Query = { ...result, text: result.text || last.text };
  return { ...turn, queries: [...turn.queries.slice(0, -1), filled] };
};

const productsFound = (turn: Turn, payload: Fields): Turn => {
  const products = list(payload['products']).map((item): Entity => {
    const product = fields(item);
    const codes = product['codes'];
    return { kind: 'product', name: text(product['name']), codes: texts(codes).join(', ') || text(codes) };
  });
  const countries = list(payload['countries']).map((item): Entity => {
    const country = fields(item);
    return { kind: 'country', name: text(country['name']), codes: text(country['iso3_code']) };
  });
  const schemas = texts(payload['schemas']).map((name): Entity => ({ kind: 'classification', name, codes: '' }));
  return withEntities(turn, [...countries, ...products, ...schemas]);
};

const flatEntities = (source: Fields): Entity[] =>
  Object.entries(source)
    .filter(([kind]) => kind !== 'stage' && kind !== 'query_index' && kind !== 'latency_ms')
    .map(([kind, value]) => ({ kind: kind.replaceAll('_', ' '), name: text(value), codes: '' }));

const idsResolved = (turn: Turn, payload: Fields): Turn => {
  const resolved = fields(payload['resolved_ids'] ?? payload['resolved_params']);
  const notes = Object.entries(resolved)
    .map(([name, value]) => ({ name: name.replaceAll('_', ' '), value: text(value) }))
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => `${name}: ${value}`);
  return { ...turn, notes: union(turn.notes, notes) };
};

const apiAsked = (turn: Turn, payload: Fields): Turn => {
  const lookup: Lookup = {
    queryType: text(payload['query_type']),
    apiTarget: text(payload['api_target']),
    isRejected: payload['is_rejected'] === true,
    rejectionReason: text(payload['rejection_reason']),
    entities: fields(payload['entities']),
    executionTimeMs: number(payload['execution_time_ms']),
    links: [],
  };
  return { ...turn, lookups: [...turn.lookups, lookup] };
};

const apiFormatted = (turn: Turn, payload: Fields): Turn => {
  const links = list(payload['atlas_links']).map(readLink);
  const last = turn.lookups.at(-1);
  const lookups = last ? [...turn.lookups.slice(0, -1), { ...last, links: withLinks(last.links, links) }] : turn.lookups;
  return { ...turn, lookups, links: withLinks(turn.links, links) };
};

const documentsRead = (turn: Turn, payload: Fields): Turn => ({
  ...turn,
  documents: union(turn.documents, [...texts(payload['selected_files']), ...texts(payload['doc_titles'])]),
});

const stages: Record<string, (turn: Turn, payload: Fields) => Turn> = {
  generate_sql: sqlWritten,
  create_sql_query_or_queries: sqlWritten,
  execute_sql: sqlExecuted,
  execute_sql_query: sqlExecuted,
  sql_query_agent: sqlExecuted,
  answer_sub_query: sqlExecuted,
  extract_products: productsFound,
  extract_entities: (turn, payload) =>
    withEntities(turn, flatEntities(payload['entities'] === undefined ? payload : fields(payload['entities']))),
  resolve_ids: idsResolved,
  build_and_execute_graphql: apiAsked,
  format_graphql_results: apiFormatted,
  select_and_synthesize: documentsRead,
  select_docs: documentsRead,
  retrieve_docs: documentsRead,
  retrieve_docs_context: documentsRead,
};
