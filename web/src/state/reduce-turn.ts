import { readAnswer, readCitation, readClarification, readGrounding, readLink } from '../api/read-answer';
import type { SseMessage } from '../api/sse';
import type { Answer } from '../api/types';
import { fields, isFields, list, number, parseJson, text, type Fields } from '../lib/read';
import { applyStage, withLinks } from './apply-stage';
import { labelOf } from './labels';
import { newTurn, type Step, type Turn } from './turn';

/** A turn after one more event. Pure; unknown events and payloads that do not parse change nothing. */
export const reduceTurn = (turn: Turn, message: SseMessage): Turn => {
  const payload = parseJson(message.data);
  if (!isFields(payload)) return turn;
  return handlers[message.event]?.(turn, payload) ?? turn;
};

export const reduceTurns = (turn: Turn, messages: readonly SseMessage[]): Turn => messages.reduce(reduceTurn, turn);

/** Lays the complete answer over what the stream has told so far. */
export const withAnswer = (turn: Turn, answer: Answer): Turn => {
  const steps = turn.steps.length > 0 ? turn.steps : stepsOf(answer);
  return {
    ...turn,
    steps,
    text: answer.answer || turn.text,
    status: answer.status,
    agent: answer.agent || turn.agent,
    workflow: answer.workflow || turn.workflow,
    runId: answer.run_id || turn.runId,
    resolvedQuestion: answer.resolved_question,
    clarification: answer.clarification,
    queries: answer.queries.length > 0 ? answer.queries : turn.queries,
    citations: answer.citations.length > 0 ? answer.citations : turn.citations,
    links: withLinks(turn.links, answer.links),
    assumptions: answer.assumptions,
    suggestions: answer.suggestions,
    method: answer.method,
    confidence: answer.confidence,
    grounding: answer.grounding ?? turn.grounding,
    chart: answer.chart ?? turn.chart,
    usage: answer.usage ?? turn.usage,
    timingMs: answer.timing_ms || turn.timingMs,
    phase: answer.status === 'clarification' ? 'waiting' : turn.phase,
  };
};

export const stepsOf = (answer: Answer): Step[] =>
  answer.trace.map((step) => ({
    node: step.node,
    label: labelOf(step.node),
    queryIndex: 0,
    state: step.status === 'error' || step.status === 'failed' ? 'failed' : 'done',
    latencyMs: step.latency_ms,
    attempt: step.attempt,
    detail: {},
  }));

const nodeStarted = (turn: Turn, payload: Fields): Turn => {
  const node = text(payload['node']);
  if (node === '') return turn;
  const queryIndex = number(payload['query_index']);
  const attempt = 1 + turn.steps.filter((step) => step.node === node && step.queryIndex === queryIndex).length;
  const label = text(payload['label']) || labelOf(node);
  const step: Step = { node, label, queryIndex, state: 'active', latencyMs: 0, attempt, detail: {} };
  return { ...turn, steps: [...turn.steps, step] };
};

/** What the line of a step says already. */
const saidInLine: readonly string[] = ['stage', 'latency_ms', 'label', 'status', 'attempt', 'query_index'];

const detailOf = (payload: Fields): Fields => Object.fromEntries(Object.entries(payload).filter(([name]) => !saidInLine.includes(name)));

const stageEnded = (turn: Turn, payload: Fields): Turn => {
  const stage = text(payload['stage']);
  if (stage === '') return turn;
  const isFailed = payload['status'] === 'error' || text(payload['error']) !== '';
  const ended = { state: isFailed ? 'failed' : 'done', latencyMs: number(payload['latency_ms']), detail: detailOf(payload) } as const;
  const at = turn.steps.findLastIndex((step) => step.node === stage && step.state === 'active');
  const steps =
    at >= 0
      ? turn.steps.with(at, { ...turn.steps[at]!, ...ended })
      : [...turn.steps, { node: stage, label: labelOf(stage), queryIndex: number(payload['query_index']), attempt: 1, ...ended }];
  return applyStage({ ...turn, steps }, stage, payload);
};

const settleSteps = (steps: Step[], state: 'done' | 'failed'): Step[] =>
  steps.some((step) => step.state === 'active') ? steps.map((step) => (step.state === 'active' ? { ...step, state } : step)) : steps;

const costOf = (payload: Fields): number => number(fields(payload['cost'])['total_cost_usd']);

const finished = (turn: Turn, payload: Fields): Turn => {
  const total = fields(fields(payload['token_usage'])['total']);
  const usage = turn.usage ?? {
    llm_calls: number(total['call_count']),
    input_tokens: number(total['input_tokens']),
    output_tokens: number(total['output_tokens']),
    cost_usd: costOf(payload),
  };
  return {
    ...turn,
    usage,
    timingMs: turn.timingMs || number(payload['total_time_ms']),
    steps: settleSteps(turn.steps, 'done'),
    phase: turn.phase === 'waiting' || turn.phase === 'failed' ? turn.phase : 'done',
    status: turn.status ?? 'answered',
  };
};

const failed = (turn: Turn, payload: Fields): Turn => ({
  ...turn,
  phase: 'failed',
  status: 'failed',
  steps: settleSteps(turn.steps, 'failed'),
  problem: {
    message: text(payload['message']) || 'Something went wrong while answering.',
    code: text(payload['code']),
    hint: text(payload['hint']),
  },
});

const cited = (turn: Turn, payload: Fields): Turn => {
  const citation = readCitation(payload);
  const others = turn.citations.filter((known) => known.n !== citation.n);
  return { ...turn, citations: [...others, citation].sort((a, b) => a.n - b.n) };
};

const handlers: Record<string, (turn: Turn, payload: Fields) => Turn> = {
  run: (turn, payload) => ({ ...turn, runId: text(payload['run_id']) || turn.runId }),
  node_start: nodeStarted,
  pipeline_state: stageEnded,
  restart: (turn) => ({ ...newTurn(turn.key, turn.question, turn.agent), runId: turn.runId, turnIndex: turn.turnIndex, notes: turn.notes }),
  // Old clients see a line between an answer and its better version; here the better one takes its place.
  retract: (turn) => ({ ...turn, text: '' }),
  agent_talk: (turn, payload) => {
    const words = text(payload['content']);
    return turn.text === '' && /^\s*(---\s*)?$/.test(words) ? turn : { ...turn, text: turn.text + words };
  },
  atlas_links: (turn, payload) => ({ ...turn, links: withLinks(turn.links, list(payload['atlas_links']).map(readLink)) }),
  citation: cited,
  clarification: (turn, payload) => ({
    ...turn,
    phase: 'waiting',
    status: 'clarification',
    runId: text(payload['run_id']) || turn.runId,
    clarification: readClarification(payload),
    steps: settleSteps(turn.steps, 'done'),
  }),
  chart: (turn, payload) => ({ ...turn, chart: isFields(payload['chart']) ? payload['chart'] : payload }),
  grounding: (turn, payload) => ({ ...turn, grounding: readGrounding(payload) }),
  answer: (turn, payload) => withAnswer(turn, readAnswer(payload)),
  error: failed,
  done: finished,
};

/** A stream that ended without saying so leaves what it has; a stopped one says that it was stopped. */
export const settleTurn = (turn: Turn, phase: 'done' | 'stopped'): Turn =>
  turn.phase === 'running' ? { ...turn, phase, steps: settleSteps(turn.steps, 'done') } : turn;

export const failTurn = (turn: Turn, message: string, code = '', hint = ''): Turn => failed(turn, { message, code, hint });

/** A person has answered the question that the turn was waiting with. */
export const resumeTurn = (turn: Turn): Turn => ({ ...turn, phase: 'running', status: null, text: '', clarification: null, problem: null });
