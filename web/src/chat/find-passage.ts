import type { Citation } from '../api/types';

export interface Range {
  begin: number;
  end: number;
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The place of `wanted` in `text`, whatever the white space between its words. */
const search = (text: string, wanted: string): Range | null => {
  const words = folded(wanted.replace(/(…|\.\.\.)$/, '')).split(' ').filter((word) => word !== '');
  if (words.length === 0) return null;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+');
  const found = new RegExp(pattern).exec(text);
  return found ? { begin: found.index, end: found.index + found[0].length } : null;
};

/** Places come in bytes; the excerpt tells whether they fit this text, and finds the passage where they do not. */
export const findPassage = (text: string, citation: Citation): Range | null => {
  const bytes = new TextEncoder().encode(text);
  const excerpt = search(text, citation.excerpt);
  if (citation.end > citation.start && citation.end <= bytes.length) {
    const decoder = new TextDecoder();
    const begin = decoder.decode(bytes.subarray(0, citation.start)).length;
    const passage = decoder.decode(bytes.subarray(citation.start, citation.end));
    const fits = citation.excerpt === '' || search(passage, citation.excerpt.slice(0, 60)) !== null;
    if (fits) return { begin, end: begin + passage.length };
  }
  return excerpt;
};
