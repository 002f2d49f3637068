import { memo, useMemo } from 'react';
import type { Query } from '../../api/types';
import { formatCount, formatMs } from '../../lib/format';
import { TextButton } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { layOut, tokenise } from './sql';

interface Props {
  query: Query;
  /** Brings the rows of this query into view. */
  onShowTable?: () => void;
}

/** A statement, what it read, and what came of it. */
export const SqlBlock = memo(({ query, onShowTable }: Props) => {
  const tokens = useMemo(() => tokenise(layOut(query.text)), [query.text]);
  const facts = [
    query.columns.length > 0 && formatCount(query.row_count, 'row'),
    query.execution_time_ms > 0 && formatMs(query.execution_time_ms),
    query.tables.length > 0 && `from ${query.tables.join(', ')}`,
  ].filter(Boolean);
  return (
    <figure aria-label="SQL" className="border-y border-rule">
      <div className="relative">
        <pre className="code py-3 pr-10" tabIndex={0} aria-label="Statement">
          {tokens.map((token, at) =>
            ['keyword', 'string', 'number', 'comment'].includes(token.kind) ? (
              <span key={at} className={token.kind}>
                {token.text}
              </span>
            ) : (
              token.text
            ),
          )}
        </pre>
        <div className="absolute top-1.5 right-0 bg-paper">
          <CopyButton label="Copy SQL" text={() => query.text} />
        </div>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 border-t border-rule py-1.5 text-[0.9375rem] text-ink-3">
        <span>{facts.join(' · ')}</span>
        {onShowTable && query.columns.length > 0 && <TextButton onClick={onShowTable}>Open in table</TextButton>}
      </figcaption>
    </figure>
  );
});
