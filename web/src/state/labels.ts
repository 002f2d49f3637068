/** What a node does, in words; the server's own label wins where it sends one. */
const labels: Record<string, string> = {
  clarify_query: 'Reading the question',
  ask_user: 'Asking back',
  rewrite_query: 'Completing the question',
  plan_query: 'Planning',
  select_tables: 'Choosing tables',
  generate_sql: 'Writing SQL',
  validate_sql: 'Checking SQL',
  execute_sql: 'Running the query',
  decompose: 'Splitting the question',
  answer_sub_query: 'Answering a part',
  combine_results: 'Combining the parts',
  analyze_data: 'Writing the answer',
  grade_response: 'Checking the answer',
  decline: 'Declining',
  assess_query: 'Reading the question',
  search_corpus: 'Searching the documents',
  evaluate_confidence: 'Weighing what was found',
  reformulate_query: 'Rephrasing the search',
  synthesize_answer: 'Writing the answer',
  validate_citations: 'Checking the citations',
  respond: 'Responding',
  reset_state: 'Looking up terms',
  orchestrator: 'Deciding what to do',
  clarification_check: 'Checking for ambiguity',
  extract_analytical_intent: 'Reading the intent',
  create_sql_query_or_queries: 'Writing SQL',
  execute_sql_query: 'Running the query',
  generate_answer: 'Writing the answer',
  add_assumptions: 'Noting assumptions',
  extract_products: 'Identifying products',
  lookup_codes: 'Looking up product codes',
  get_table_info: 'Loading table metadata',
  classify_query: 'Classifying the query',
  extract_entities: 'Extracting entities',
  resolve_ids: 'Resolving entity ids',
  build_and_execute_graphql: 'Querying the API',
};

export const labelOf = (node: string): string => {
  const known = labels[node];
  if (known) return known;
  const words = node.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
