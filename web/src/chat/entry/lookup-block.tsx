import { formatMs } from '../../lib/format';
import { text } from '../../lib/read';
import type { Lookup } from '../../state/turn';

const named = (words: string): string => words.replaceAll('_', ' ');

/** A question to an API: what it was taken for, about what, and how it went. */
export const LookupBlock = ({ lookup }: { lookup: Lookup }) => {
  const entities = Object.entries(lookup.entities)
    .map(([name, value]) => ({ name: named(name), value: Array.isArray(value) ? value.map(text).join(', ') : text(value) }))
    .filter(({ value }) => value !== '');
  return (
    <figure aria-label="API query" className="border-y border-rule py-2">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-mono text-sm text-accent">GraphQL</span>
        <span>{named(lookup.queryType) || 'query'}</span>
        {lookup.apiTarget && <span className="text-ink-3">to {named(lookup.apiTarget)}</span>}
        {lookup.executionTimeMs > 0 && <span className="text-ink-3 tabular-nums">{formatMs(lookup.executionTimeMs)}</span>}
      </p>
      {lookup.isRejected && <p className="text-warn">Not answered there: {lookup.rejectionReason || 'the API does not hold it'}</p>}
      {entities.length > 0 && (
        <dl className="mt-1 flex flex-wrap gap-x-4 text-[0.9375rem]">
          {entities.map(({ name, value }) => (
            <div key={name} className="flex gap-1.5">
              <dt className="text-ink-3 italic">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </figure>
  );
};
