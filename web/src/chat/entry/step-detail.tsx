import type { Fields } from '../../lib/read';

const valueMax = 400;

const written = (value: unknown): string => {
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return words.length > valueMax ? `${words.slice(0, valueMax)} …` : words;
};

const isWorthShowing = ([, value]: [string, unknown]): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

/** What a step found, name by name. */
export const StepDetail = ({ detail }: { detail: Fields }) => (
  <dl className="appear my-1 ml-6.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-l border-rule pl-3 text-[0.9375rem]">
    {Object.entries(detail)
      .filter(isWorthShowing)
      .map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3 italic">{name.replaceAll('_', ' ')}</dt>
          <dd className={typeof value === 'object' || name === 'sql' ? 'font-mono text-sm break-words' : 'break-words'}>{written(value)}</dd>
        </div>
      ))}
  </dl>
);
