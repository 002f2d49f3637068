import { Marked, type Token, type Tokens } from 'marked';

/** A formula: `$…$` and `\(…\)` in a line, `$$…$$` and `\[…\]` on their own. */
export interface MathToken extends Tokens.Generic {
  type: 'math' | 'mathBlock';
  tex: string;
}

/** Dollars of money do not count: after the first no space, before the last none, after it no digit. */
const inlineMath = /^\$(?![\s$])((?:\\.|[^\\$\n])*?[^\s\\$])\$(?!\d)|^\\\((.+?)\\\)/;
const blockMath = /^\$\$([\s\S]+?)\$\$(?:\n|$)|^\\\[([\s\S]+?)\\\](?:\n|$)/;

const math = (type: MathToken['type'], pattern: RegExp) => (source: string): MathToken | undefined => {
  const found = pattern.exec(source);
  return found ? { type, raw: found[0], tex: (found[1] ?? found[2] ?? '').trim() } : undefined;
};

const startOfMath = (source: string): number | undefined => {
  const at = source.search(/\$|\\\(/);
  return at < 0 ? undefined : at;
};

const startOfBlock = (source: string): number | undefined => {
  const at = source.search(/\$\$|\\\[/);
  return at < 0 ? undefined : at;
};

const marked = new Marked({
  gfm: true,
  extensions: [
    { name: 'mathBlock', level: 'block', start: startOfBlock, tokenizer: math('mathBlock', blockMath) },
    { name: 'math', level: 'inline', start: startOfMath, tokenizer: math('math', inlineMath) },
  ],
});

/** Tokens of Markdown. Text leaves know where in the source they stand, as `at`. */
export const lex = (source: string): Token[] => {
  const tokens = marked.lexer(source);
  locate(tokens, source, 0);
  return tokens;
};

const childrenOf = (token: Token): Token[][] => {
  if (token.type === 'table') {
    const table = token as Tokens.Table;
    return [table.header, ...table.rows].flat().map((cell) => cell.tokens);
  }
  if (token.type === 'list') return [(token as Tokens.List).items];
  return 'tokens' in token && token.tokens ? [token.tokens] : [];
};

/** Leaves come in the order of the source, so each is looked for behind the one before it. */
const locate = (tokens: Token[], source: string, from: number): number => {
  let cursor = from;
  for (const token of tokens) {
    const children = childrenOf(token);
    if (children.length > 0) {
      for (const child of children) cursor = locate(child, source, cursor);
      continue;
    }
    const at = source.indexOf(token.raw, cursor);
    if (at < 0) continue;
    (token as Tokens.Generic)['at'] = at;
    cursor = at + token.raw.length;
  }
  return cursor;
};

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': '\u00a0' };

const escaped = /\\([\\`*_{}[\]()#+\-.!|~<>])/g;

/** What a piece of Markdown without marks says: the cells of a header, say. */
export const unescaped = (text: string): string => plain(text.replace(escaped, '$1'));

export const plain = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity);
