/** SQL for reading: tokens with colours, and one clause on each line. */

export type SqlTokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'name' | 'space' | 'other';

export interface SqlToken {
  kind: SqlTokenKind;
  text: string;
}

const keywords = new Set(
  `select from where group by order having limit offset join left right inner outer full cross on using as and or not in is
  null like ilike between exists case when then else end distinct union all intersect except with recursive asc desc over
  partition rows range preceding following unbounded current row filter cast date timestamp interval true false qualify
  values lateral nulls first last any some window`.split(/\s+/),
);

const pattern =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*'?)|("(?:[^"]|"")*"?|[A-Za-z_][\w$]*)|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(\s+)|([^\s\w])/g;

export const tokenise = (sql: string): SqlToken[] => {
  const tokens: SqlToken[] = [];
  for (const [text, comment, string, word, number, space] of sql.matchAll(pattern)) {
    const kind: SqlTokenKind = comment
      ? 'comment'
      : string
        ? 'string'
        : word
          ? keywords.has(word.toLowerCase())
            ? 'keyword'
            : 'name'
          : number
            ? 'number'
            : space
              ? 'space'
              : 'other';
    tokens.push({ kind, text });
  }
  return tokens;
};

const clauseStarts = new Set(['select', 'from', 'where', 'group', 'order', 'having', 'limit', 'union', 'intersect', 'except', 'qualify']);
const joinWords = new Set(['left', 'right', 'inner', 'full', 'cross', 'join']);

/** Puts each clause of a statement that is written in one line on its own; others are left as they are. */
export const layOut = (sql: string): string => {
  if (sql.trim().includes('\n')) return sql.trim();
  const tokens = tokenise(sql.trim());
  const opens: boolean[] = [];
  let out = '';
  let previous = '';
  for (const token of tokens) {
    const word = token.kind === 'keyword' ? token.text.toLowerCase() : '';
    if (token.text === ')') {
      if (opens.pop()) out = `${out.trimEnd()}\n${indent(opens)}`;
    }
    const startsClause = clauseStarts.has(word) || (joinWords.has(word) && !joinWords.has(previous) && previous !== 'outer');
    // Clauses inside of function calls, such as FILTER (WHERE …) and OVER (ORDER BY …), stay in their line.
    const isOwnLine = startsClause && (opens.length === 0 || opens.at(-1) === true || word === 'select');
    if (isOwnLine && out !== '') {
      if (word === 'select' && opens.length > 0 && previous === '(') opens[opens.length - 1] = true;
      out = `${out.trimEnd()}\n${indent(opens)}`;
    }
    out += token.kind === 'space' ? ' ' : token.text;
    if (token.text === '(') opens.push(false);
    if (token.kind !== 'space') previous = word || token.text;
  }
  return out;
};

const indent = (opens: boolean[]): string => '  '.repeat(opens.filter(Boolean).length);
