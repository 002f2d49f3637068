import type { Citation, Claim } from '../../api/types';

/** A piece of a text leaf: words, a claim that was checked, or a reference to a citation. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'claim'; text: string; claim: Claim }
  | { kind: 'citation'; n: number };

/** Claims with places in UTF-16, as JavaScript counts, instead of bytes. */
export const claimsInText = (source: string, claims: readonly Claim[]): Claim[] => {
  const bytes = new TextEncoder().encode(source);
  const isAscii = bytes.length === source.length;
  if (isAscii) return claims.filter((claim) => claim.end > claim.begin);
  const decoder = new TextDecoder();
  const place = (byte: number) => decoder.decode(bytes.subarray(0, byte)).length;
  return claims.filter((claim) => claim.end > claim.begin).map((claim) => ({ ...claim, begin: place(claim.begin), end: place(claim.end) }));
};

const reference = /\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;

const splitCitations = (text: string, citations: readonly Citation[]): Piece[] => {
  if (citations.length === 0) return text === '' ? [] : [{ kind: 'text', text }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(reference)) {
    const numbers = (found[1] ?? '').split(',').map(Number);
    if (!numbers.every((n) => citations.some((citation) => citation.n === n))) continue;
    // A reference hangs on the word before it.
    const before = text.slice(from, found.index).replace(/\s+$/, '');
    if (before !== '') pieces.push({ kind: 'text', text: before });
    for (const n of numbers) pieces.push({ kind: 'citation', n });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
};

/** Splits a leaf that stands `at` in the source. Claims must be sorted by their place. */
export const splitLeaf = (text: string, at: number | undefined, claims: readonly Claim[], citations: readonly Citation[]): Piece[] => {
  if (at === undefined) return splitCitations(text, citations);
  const pieces: Piece[] = [];
  let from = 0;
  for (const claim of claims) {
    const begin = claim.begin - at;
    const end = claim.end - at;
    if (begin < from || end > text.length) continue;
    // An answer that changed after it was checked has other words there.
    if (text.slice(begin, end) !== claim.text) continue;
    pieces.push(...splitCitations(text.slice(from, begin), citations));
    pieces.push({ kind: 'claim', text: text.slice(begin, end), claim });
    from = end;
  }
  pieces.push(...splitCitations(text.slice(from), citations));
  return pieces;
};

const sourcesList = /\n+\s*(?:\*\*)?Sources:?(?:\*\*)?:?[ \t]*\n(?:\s*(?:[-*]\s*)?\[\d+\][^\n]*\n?)+\s*$/;

/** Answers carry their list of sources for readers without this page; here the sources stand below as notes. */
export const withoutSources = (text: string, citations: readonly Citation[]): string =>
  citations.length > 0 ? text.replace(sourcesList, '') : text;
