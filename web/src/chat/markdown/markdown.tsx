import type { Token, Tokens } from 'marked';
import { lazy, memo, Suspense, useMemo, type ReactNode } from 'react';
import type { Citation, Claim } from '../../api/types';
import { lex, plain, unescaped, type MathToken } from './lex';
import { splitLeaf } from './marks';

const Formula = lazy(() => import('./formula'));

export interface MarkdownProps {
  source: string;
  claims?: readonly Claim[];
  citations?: readonly Citation[];
  renderClaim?: (claim: Claim, key: string) => ReactNode;
  renderCitation?: (n: number, key: string) => ReactNode;
  /** Tables that are shown in a better way elsewhere. */
  hidesTable?: (headers: string[]) => boolean;
}

/** Markdown as React elements. Raw HTML is shown as the text it is; nothing is ever set as HTML. */
export const Markdown = memo((props: MarkdownProps) => {
  const tokens = useMemo(() => lex(props.source), [props.source]);
  return <div className="prose">{renderAll(tokens, props)}</div>;
});

const renderAll = (tokens: Token[], props: MarkdownProps): ReactNode[] => tokens.map((token, at) => render(token, `${at}`, props));

const inside = (token: Token, props: MarkdownProps): ReactNode =>
  'tokens' in token && token.tokens ? renderAll(token.tokens, props) : leaf(token, props);

const leaf = (token: Token, props: MarkdownProps): ReactNode => {
  const generic = token as Tokens.Generic;
  const at = generic['at'] as number | undefined;
  const pieces = splitLeaf(generic.raw, at, props.claims ?? [], props.citations ?? []);
  return pieces.map((piece, index) => {
    const key = `${at ?? 'x'}-${index}`;
    if (piece.kind === 'claim') return props.renderClaim?.(piece.claim, key) ?? piece.text;
    if (piece.kind === 'citation') return props.renderCitation?.(piece.n, key) ?? `[${piece.n}]`;
    return plain(piece.text);
  });
};

const headings = ['h3', 'h3', 'h3', 'h4', 'h5', 'h6', 'h6'] as const;

const render = (token: Token, key: string, props: MarkdownProps): ReactNode => {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'paragraph':
      return <p key={key}>{inside(token, props)}</p>;
    case 'heading': {
      const Heading = headings[(token as Tokens.Heading).depth] ?? 'h6';
      return <Heading key={key}>{inside(token, props)}</Heading>;
    }
    case 'strong':
      return <strong key={key}>{inside(token, props)}</strong>;
    case 'em':
      return <em key={key}>{inside(token, props)}</em>;
    case 'del':
      return <del key={key}>{inside(token, props)}</del>;
    case 'br':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'blockquote':
      return <blockquote key={key}>{inside(token, props)}</blockquote>;
    case 'codespan':
      return <code key={key}>{plain((token as Tokens.Codespan).text)}</code>;
    case 'code':
      return (
        <pre key={key} className="code rounded bg-leaf p-3" tabIndex={0}>
          {(token as Tokens.Code).text}
        </pre>
      );
    case 'list':
      return renderList(token as Tokens.List, key, props);
    case 'table':
      return renderTable(token as Tokens.Table, key, props);
    case 'link':
      return renderLink(token as Tokens.Link, key, props);
    case 'image':
      return <span key={key}>{(token as Tokens.Image).text}</span>;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'math':
    case 'mathBlock':
      return renderMath(token as MathToken, key);
    default:
      return <span key={key}>{inside(token, props)}</span>;
  }
};

const renderList = (list: Tokens.List, key: string, props: MarkdownProps): ReactNode => {
  const items = list.items.map((item, at) => <li key={at}>{renderAll(item.tokens, props)}</li>);
  return list.ordered ? (
    <ol key={key} start={Number(list.start) || 1}>
      {items}
    </ol>
  ) : (
    <ul key={key}>{items}</ul>
  );
};

const renderTable = (table: Tokens.Table, key: string, props: MarkdownProps): ReactNode => {
  if (props.hidesTable?.(table.header.map((cell) => unescaped(cell.text)))) return null;
  const className = (at: number) => (table.align[at] === 'right' ? 'numeric' : undefined);
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map((cell, at) => (
      <Cell key={at} className={className(at)} {...(Cell === 'th' ? { scope: 'col' } : {})}>
        {renderAll(cell.tokens, props)}
      </Cell>
    ));
  return (
    <div key={key} className="overflow-x-auto" tabIndex={0} role="group" aria-label="Table">
      <table className="figures">
        <thead>
          <tr>{cells(table.header, 'th')}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const safeAddress = /^(https?:|mailto:|\/(?!\/)|#)/i;

const renderLink = (link: Tokens.Link, key: string, props: MarkdownProps): ReactNode =>
  safeAddress.test(link.href) ? (
    <a key={key} href={link.href} rel="noreferrer noopener" target="_blank">
      {inside(link, props)}
    </a>
  ) : (
    <span key={key}>{inside(link, props)}</span>
  );

const renderMath = (token: MathToken, key: string): ReactNode => (
  <Suspense key={key} fallback={<code>{token.tex}</code>}>
    <Formula tex={token.tex} isBlock={token.type === 'mathBlock'} />
  </Suspense>
);
