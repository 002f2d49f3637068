/** The shapes of the HTTP contract, in the names of the wire. */

export type AnswerStatus = 'answered' | 'clarification' | 'uncertain' | 'refused' | 'failed';
export type Cell = string | number | boolean | null;

export interface Query {
  kind: string;
  text: string;
  source: string;
  columns: string[];
  rows: Cell[][];
  row_count: number;
  truncated: boolean;
  execution_time_ms: number;
  tables: string[];
}

export interface Citation {
  n: number;
  document: string;
  date: string;
  section: string;
  chunk_id: string;
  start: number;
  end: number;
  excerpt: string;
  score: number;
  corpus: string;
}

export interface Link {
  url: string;
  label: string;
  link_type: string;
  resolution_notes: string[];
}

export interface Clarification {
  reason: string;
  options: string[];
}

export interface CellPlace {
  result: number;
  row: number;
  column: number;
}

export interface Claim {
  begin: number;
  end: number;
  text: string;
  origin: string;
  cells: CellPlace[];
  passage: number | null;
}

export interface Grounding {
  checked: number;
  traced: number;
  untraced: string[];
  claims: Claim[];
}

export interface Usage {
  llm_calls: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

export interface TraceStep {
  node: string;
  status: string;
  attempt: number;
  latency_ms: number;
}

export interface Answer {
  answer: string;
  status: AnswerStatus;
  agent: string;
  workflow: string;
  thread_id: string;
  run_id: string;
  question: string;
  resolved_question: string;
  clarification: Clarification | null;
  queries: Query[];
  citations: Citation[];
  links: Link[];
  assumptions: string[];
  suggestions: string[];
  method: string;
  confidence: { level: string; score: number } | null;
  grounding: Grounding | null;
  chart: Record<string, unknown> | null;
  usage: Usage | null;
  trace: TraceStep[];
  timing_ms: number;
}

export interface Agent {
  name: string;
  workflow: string;
  about: string;
  source: string;
  examples: string[];
  synthetic: boolean;
  available: boolean;
  reason: string;
  coverage: Coverage;
}

/** How much an agent knows about; zero and empty where the server does not say. */
export interface Coverage {
  tables: number;
  rows: number;
  documents: number;
  from: string;
  to: string;
}

export interface Thread {
  thread_id: string;
  title: string;
  created_at: string;
  updated_at: string;
}

export interface RunNode {
  node: string;
  /** In words, where the server says them. */
  label: string;
  status: string;
  attempt: number;
  start_ms: number;
  duration_ms: number;
  detail: Record<string, unknown>;
}

export interface Run {
  run_id: string;
  thread_id: string;
  agent: string;
  workflow: string;
  question: string;
  status: string;
  started_at: string;
  duration_ms: number;
  nodes: RunNode[];
}

export interface Model {
  tier: string;
  provider: string;
  model: string;
  state: string;
  detail: string;
}

export interface Dependency {
  name: string;
  state: string;
  detail: string;
}

export interface SourceDocument {
  name: string;
  title: string;
  date: string;
  text: string;
}

export interface Feedback {
  id: string;
  turn_index: number;
  rating: 'up' | 'down';
  comment: string;
}

/** What a person may fix for questions about trade. Empty text is "auto". */
export interface TradeOverrides {
  override_mode: '' | 'goods' | 'services';
  override_schema: '' | 'hs92' | 'hs12' | 'sitc';
  override_direction: '' | 'exports' | 'imports';
  mode: '' | 'graphql_sql' | 'sql_only' | 'graphql_only';
}
