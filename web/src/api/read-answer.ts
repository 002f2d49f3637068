import { fields, isFields, list, number, text, texts } from '../lib/read';
import type { Answer, AnswerStatus, Cell, Citation, Clarification, Grounding, Link, Query, Usage } from './types';

const statuses: readonly string[] = ['answered', 'clarification', 'uncertain', 'refused', 'failed'];

const readCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
};

export const readRows = (value: unknown): Cell[][] => list(value).map((row) => list(row).map(readCell));

/** A query of an Answer, of a turn summary (`sql`) or of an `execute_sql` event. */
export const readQuery = (value: unknown): Query => {
  const query = fields(value);
  const rows = readRows(query['rows']);
  return {
    kind: text(query['kind']) || 'sql',
    text: text(query['text']) || text(query['sql']),
    source: text(query['source']) || text(query['schema']) || text(query['schema_name']),
    columns: list(query['columns']).map(text),
    rows,
    row_count: typeof query['row_count'] === 'number' ? query['row_count'] : rows.length,
    truncated: query['truncated'] === true,
    execution_time_ms: number(query['execution_time_ms']),
    tables: texts(query['tables']),
  };
};

export const readCitation = (value: unknown): Citation => {
  const citation = fields(value);
  return {
    n: number(citation['n']),
    document: text(citation['document']),
    date: text(citation['date']),
    section: text(citation['section']),
    chunk_id: text(citation['chunk_id']),
    start: number(citation['start']),
    end: number(citation['end']),
    excerpt: text(citation['excerpt']),
    score: number(citation['score']),
    corpus: text(citation['corpus']),
  };
};

export const readLink = (value: unknown): Link => {
  const link = fields(value);
  const notes = link['resolution_notes'];
  return {
    url: text(link['url']),
    label: text(link['label']) || text(link['url']),
    link_type: text(link['link_type']),
    resolution_notes: typeof notes === 'string' ? [notes] : texts(notes),
  };
};

export const readClarification = (value: unknown): Clarification | null => {
  if (!isFields(value)) return null;
  return { reason: text(value['reason']), options: texts(value['options']) };
};

export const readGrounding = (value: unknown): Grounding | null => {
  if (!isFields(value)) return null;
  return {
    checked: number(value['checked']),
    traced: number(value['traced']),
    untraced: texts(value['untraced']),
    claims: list(value['claims']).map((item) => {
      const claim = fields(item);
      return {
        begin: number(claim['begin']),
        end: number(claim['end']),
        text: text(claim['text']),
        origin: text(claim['origin']) || 'none',
        passage: typeof claim['passage'] === 'number' ? claim['passage'] : null,
        cells: list(claim['cells']).map((cell) => {
          const place = fields(cell);
          return { result: number(place['result']), row: number(place['row']), column: number(place['column']) };
        }),
      };
    }),
  };
};

const readUsage = (value: unknown): Usage | null => {
  if (!isFields(value)) return null;
  return {
    llm_calls: number(value['llm_calls']),
    input_tokens: number(value['input_tokens']),
    output_tokens: number(value['output_tokens']),
    cost_usd: number(value['cost_usd']),
  };
};

const readStatus = (value: unknown): AnswerStatus =>
  typeof value === 'string' && statuses.includes(value) ? (value as AnswerStatus) : 'answered';

export const readAnswer = (value: unknown): Answer => {
  const answer = fields(value);
  const confidence = answer['confidence'];
  return {
    answer: text(answer['answer']),
    status: readStatus(answer['status']),
    agent: text(answer['agent']),
    workflow: text(answer['workflow']),
    thread_id: text(answer['thread_id']),
    run_id: text(answer['run_id']),
    question: text(answer['question']),
    resolved_question: text(answer['resolved_question']),
    clarification: readClarification(answer['clarification']),
    queries: list(answer['queries']).map(readQuery),
    citations: list(answer['citations']).map(readCitation),
    links: list(answer['links']).map(readLink),
    assumptions: texts(answer['assumptions']),
    suggestions: texts(answer['suggestions']),
    method: text(answer['method']),
    confidence: isFields(confidence) ? { level: text(confidence['level']), score: number(confidence['score']) } : null,
    grounding: readGrounding(answer['grounding']),
    chart: isFields(answer['chart']) ? answer['chart'] : null,
    usage: readUsage(answer['usage']),
    trace: list(answer['trace']).map((item) => {
      const step = fields(item);
      return {
        node: text(step['node']),
        status: text(step['status']),
        attempt: number(step['attempt']) || 1,
        latency_ms: number(step['latency_ms']),
      };
    }),
    timing_ms: number(answer['timing_ms']),
  };
};
