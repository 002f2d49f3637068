import type { AnswerStatus, Citation, Clarification, Grounding, Link, Query, Usage } from '../api/types';
import type { Fields } from '../lib/read';

export interface Step {
  node: string;
  label: string;
  queryIndex: number;
  state: 'active' | 'done' | 'failed';
  latencyMs: number;
  attempt: number;
  detail: Fields;
}

/** One question to an API, as it is told by a workflow that asks APIs. */
export interface Lookup {
  queryType: string;
  apiTarget: string;
  isRejected: boolean;
  rejectionReason: string;
  entities: Fields;
  executionTimeMs: number;
  links: Link[];
}

/** What a workflow understood the question to be about: name and codes or ids. */
export interface Entity {
  kind: string;
  name: string;
  codes: string;
}

export type TurnPhase = 'running' | 'waiting' | 'done' | 'stopped' | 'failed';

export interface TurnProblem {
  message: string;
  code: string;
  hint: string;
}

/** A question and all that is known about its answer so far. */
export interface Turn {
  key: string;
  question: string;
  agent: string;
  workflow: string;
  runId: string;
  /** Counts the answers of the thread, as the server does: a question back is one of its own. */
  turnIndex: number;
  phase: TurnPhase;
  status: AnswerStatus | null;
  text: string;
  steps: Step[];
  queries: Query[];
  lookups: Lookup[];
  documents: string[];
  entities: Entity[];
  notes: string[];
  citations: Citation[];
  links: Link[];
  assumptions: string[];
  suggestions: string[];
  method: string;
  resolvedQuestion: string;
  clarification: Clarification | null;
  confidence: { level: string; score: number } | null;
  grounding: Grounding | null;
  chart: Fields | null;
  usage: Usage | null;
  timingMs: number;
  problem: TurnProblem | null;
}

export const newTurn = (key: string, question: string, agent = ''): Turn => ({
  key,
  question,
  agent,
  workflow: '',
  runId: '',
  turnIndex: 0,
  phase: 'running',
  status: null,
  text: '',
  steps: [],
  queries: [],
  lookups: [],
  documents: [],
  entities: [],
  notes: [],
  citations: [],
  links: [],
  assumptions: [],
  suggestions: [],
  method: '',
  resolvedQuestion: '',
  clarification: null,
  confidence: null,
  grounding: null,
  chart: null,
  usage: null,
  timingMs: 0,
  problem: null,
});

export const isOpen = (turn: Turn | undefined): boolean => turn?.phase === 'running';
