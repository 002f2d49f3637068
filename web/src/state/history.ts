import { readAnswer, readLink, readQuery } from '../api/read-answer';
import type { TradeOverrides } from '../api/types';
import { fields, isFields, list, number, text, texts, type Fields } from '../lib/read';
import { withAnswer } from './reduce-turn';
import { newTurn, type Lookup, type Turn } from './turn';

export interface History {
  turns: Turn[];
  /** What the server is working on in this thread. */
  running: { runId: string; question: string; agent: string } | null;
  overrides: TradeOverrides;
  agent: string;
}

export const noOverrides: TradeOverrides = { override_mode: '', override_schema: '', override_direction: '', mode: '' };

const oneOf = <T extends string>(value: unknown, allowed: readonly T[]): T | '' =>
  allowed.find((each) => each === value) ?? '';

const readOverrides = (value: unknown): TradeOverrides => {
  const found = fields(value);
  return {
    override_mode: oneOf(found['override_mode'], ['goods', 'services']),
    override_schema: oneOf(found['override_schema'], ['hs92', 'hs12', 'sitc']),
    override_direction: oneOf(found['override_direction'], ['exports', 'imports']),
    mode: oneOf(found['mode'] ?? found['override_agent_mode'], ['graphql_sql', 'sql_only', 'graphql_only']),
  };
};

const readLookup = (value: unknown): Lookup => {
  const summary = fields(value);
  const classification = fields(summary['classification']);
  return {
    queryType: text(classification['query_type']),
    apiTarget: text(summary['api_target']),
    isRejected: classification['is_rejected'] === true,
    rejectionReason: text(classification['rejection_reason']),
    entities: fields(summary['entities']),
    executionTimeMs: number(summary['execution_time_ms']),
    links: list(summary['links']).map(readLink),
  };
};

/** A summary of document 001, and the complete answer where the server sends it. */
const withSummary = (turn: Turn, summary: Fields): Turn => {
  const base: Turn = {
    ...turn,
    queries: list(summary['queries']).map(readQuery),
    links: list(summary['atlas_links']).map(readLink),
    documents: texts(summary['docs_consulted']),
    lookups: list(summary['graphql_summaries']).map(readLookup),
  };
  return isFields(summary['answer']) ? withAnswer(base, readAnswer(summary['answer'])) : base;
};

const isQuestion = (role: string): boolean => role === 'human' || role === 'user';

/** Messages and summaries of a thread as turns; the n-th summary belongs to the n-th answer. */
export const readHistory = (value: unknown, key: string): History => {
  const body = fields(value);
  const summaries = list(body['turn_summaries']).map(fields);
  const turns: Turn[] = [];
  let answers = 0;
  for (const item of list(body['messages'])) {
    const message = fields(item);
    const content = text(message['content']);
    if (isQuestion(text(message['role']))) {
      turns.push({ ...newTurn(`${key}/${turns.length}`, content), phase: 'done' });
      continue;
    }
    const last = turns.at(-1);
    const turnIndex = answers++;
    const summary = summaries[turnIndex] ?? {};
    if (last) turns[turns.length - 1] = withSummary({ ...last, text: content, turnIndex, status: last.status ?? 'answered' }, summary);
  }
  const running = fields(body['running']);
  return {
    turns: joined(turns).map(settled),
    running: text(running['run_id']) ? { runId: text(running['run_id']), question: text(running['question']), agent: text(running['agent']) } : null,
    overrides: readOverrides(body['overrides']),
    agent: text(body['agent']),
  };
};

/** A question back and what was said to it belong to one run, and are shown as one entry. */
const joined = (turns: Turn[]): Turn[] =>
  turns.reduce<Turn[]>((all, turn) => {
    const before = all.at(-1);
    const isReply = before?.status === 'clarification' && before.runId !== '' && before.runId === turn.runId;
    if (!isReply) return [...all, turn];
    const notes = [...before.notes, `You chose: ${turn.question}`];
    return [...all.slice(0, -1), { ...turn, key: before.key, question: before.question, notes }];
  }, []);

/** Only the last turn of a thread can still wait for a person. */
const settled = (turn: Turn, at: number, all: Turn[]): Turn =>
  turn.phase === 'waiting' && at < all.length - 1 ? { ...turn, phase: 'done' } : turn;
