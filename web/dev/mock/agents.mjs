/** What the scripted server says about itself. */
export const agents = [
  {
    name: 'nba', workflow: 'reflective', source: 'nba', synthetic: true, available: true,
    about: 'A basketball league that never was: five seasons, 690 players, 129,000 box scores.',
    examples: ['How many players are there in each position?', 'What is the average attendance by season?', 'Who is the best player?'],
  },
  {
    name: 'wealth', workflow: 'scenarios', source: 'wealth', synthetic: true, available: false, reason: 'its data has not been made yet',
    about: 'Advisors, households and accounts of an invented firm.', examples: [],
  },
  {
    name: 'fomc', workflow: 'cited', source: 'fomc', synthetic: false, available: true,
    about: 'Summaries of central bank meetings, each statement cited.',
    examples: ['What was decided in May 2023?', 'When was the target range last raised?', 'Who voted against in 2022?'],
  },
  {
    name: 'atlas', workflow: 'atlas', source: 'trade', synthetic: true, available: true,
    about: 'World trade by country and product, with measures of complexity.',
    examples: ['What does Kenya export?', 'How has the complexity of Vietnam changed?', 'What is the product space?'],
  },
];

export const models = [
  { tier: 'frontier', provider: 'openai', model: 'gpt-5.2', state: 'no key', detail: 'Set OPENAI_API_KEY to use it.' },
  { tier: 'lightweight', provider: 'native', model: 'quaestor', state: 'ready' },
];

export const readiness = {
  status: 'ready',
  dependencies: [
    { name: 'store', state: 'ok' },
    { name: 'nba', state: 'ok' },
    { name: 'fomc', state: 'ok' },
    { name: 'wealth', state: 'not made', detail: 'Run quaestor demo to make it.' },
  ],
};

export const minutes = {
  name: 'minutes_2023-05-03',
  title: 'Meeting of May 2–3, 2023: a summary',
  date: '2023-05-03',
  text: `Meeting of May 2–3, 2023: a summary

This page was written for a demonstration. It states facts in other words and is no official text.

Economic conditions

Economic activity had grown at a modest pace in the first quarter. Job gains had been strong in the months before the meeting, and the unemployment rate had stayed low. Inflation remained elevated – well above the aim of 2 per cent.

Decision

The target range for the federal funds rate was raised by a quarter of a percentage point, to 5 to 5¼ per cent. It was the tenth increase in a row. The statement no longer said that some additional firming may be appropriate, which was widely read as a sign of a pause.

Balance sheet

The reduction of the holdings of securities went on as planned before, at the pace that had been set in May 2022.

Vote

The decision was unanimous: all eleven members voted for it.
`,
};
