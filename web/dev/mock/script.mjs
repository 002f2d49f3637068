/** The events of a run, in the order in which a server sends them. */

const labels = {
  clarify_query: 'Reading the question', rewrite_query: 'Completing the question', plan_query: 'Planning', select_tables: 'Choosing tables',
  generate_sql: 'Writing SQL', execute_sql: 'Running the query', analyze_data: 'Writing the answer', grade_response: 'Checking the answer',
};

const atlasNodes = [
  ['extract_graphql_question', 'Extracting question', { question: 'exports of Kenya' }],
  ['classify_query', 'Classifying query type', { query_type: 'treemap_products', api_target: 'explore', is_rejected: false }],
  ['extract_entities', 'Extracting entities', { entities: { country: 'Kenya', year: '2022' } }],
  ['resolve_ids', 'Resolving entity IDs', { resolved_ids: { country_id: '404' } }],
  ['build_and_execute_graphql', 'Querying Atlas API', { execution_time_ms: 212, api_target: 'explore', success: true, query_type: 'treemap_products', entities: { country: 'Kenya', year: '2022' } }],
];

const words = (text) => text.match(/\S+\s*/g) ?? [];

function* nodeEvents(answer) {
  for (const { node, latency_ms } of answer.trace ?? []) {
    yield ['node_start', { node, label: labels[node] ?? '', query_index: 1 }];
    const query = answer.queries?.[0];
    const detail =
      node === 'generate_sql' && query ? { sql: query.text, question: answer.question }
      : node === 'execute_sql' && query ? { sql: query.text, ...query }
      : node === 'select_tables' && query ? { tables: query.tables } : {};
    yield ['pipeline_state', { stage: node, latency_ms, ...detail }];
  }
}

function* atlasEvents(answer) {
  yield ['tool_call', { source: 'agent', content: '', name: 'atlas_graphql', message_type: 'tool_call' }];
  for (const [node, label, detail] of atlasNodes) {
    yield ['node_start', { node, label, query_index: 1 }];
    yield ['pipeline_state', { stage: node, latency_ms: 40, ...detail }];
  }
  yield ['node_start', { node: 'format_graphql_results', label: 'Formatting results', query_index: 1 }];
  yield ['pipeline_state', { stage: 'format_graphql_results', latency_ms: 1, atlas_links: answer.links, query_index: 1 }];
  yield ['atlas_links', { atlas_links: answer.links, query_index: 1 }];
  yield ['node_start', { node: 'generate_sql', label: 'Generating SQL query', query_index: 2 }];
  yield ['pipeline_state', { stage: 'generate_sql', latency_ms: 900, sql: answer.queries[0].text }];
  yield ['node_start', { node: 'execute_sql', label: 'Executing query', query_index: 2 }];
  yield ['pipeline_state', { stage: 'execute_sql', latency_ms: 20, sql: answer.queries[0].text, ...answer.queries[0], schema: 'hs12' }];
}

/** @returns {Generator<[string, object]>} */
export function* eventsOf(answer, run) {
  yield ['thread_id', { thread_id: run.thread_id }];
  yield ['run', { run_id: run.run_id }];
  yield* continuationOf(answer, run);
}

export function* continuationOf(answer, run) {
  if (answer.workflow === 'atlas' && answer.queries) yield* atlasEvents(answer);
  yield* nodeEvents(answer);
  const complete = { ...answer, question: run.question, thread_id: run.thread_id, run_id: run.run_id };
  if (/fail/i.test(run.question)) {
    yield ['error', { message: 'The database did not answer within 30 seconds.', code: 'timeout', hint: 'Ask for fewer seasons, or a single team.' }];
    return;
  }
  if (answer.status === 'clarification') {
    yield ['clarification', { run_id: run.run_id, ...answer.clarification }];
  } else {
    for (const word of words(answer.answer)) yield ['agent_talk', { source: 'agent', content: word, message_type: 'agent_talk' }];
    for (const citation of answer.citations ?? []) yield ['citation', citation];
    if (answer.chart) yield ['chart', answer.chart];
    if (answer.grounding) yield ['grounding', answer.grounding];
  }
  yield ['answer', complete];
  yield ['done', {
    thread_id: run.thread_id, total_queries: answer.queries?.length ?? 0, total_rows: 0, total_execution_time_ms: 4, total_time_ms: answer.timing_ms,
    total_graphql_queries: 0, total_graphql_time_ms: 0,
  }];
}
