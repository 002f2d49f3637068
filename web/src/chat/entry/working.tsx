import { useState } from 'react';
import { formatCount } from '../../lib/format';
import type { Turn } from '../../state/turn';
import { Icon } from '../../ui/icon';
import { SqlBlock } from '../results/sql-block';
import { LookupBlock } from './lookup-block';
import { Stepper } from './stepper';

const method = (turn: Turn): string => turn.method.replace(/^how i found this:\s*/i, '');

const Understood = ({ turn }: { turn: Turn }) => {
  const isRewritten = turn.resolvedQuestion !== '' && turn.resolvedQuestion !== turn.question;
  if (!isRewritten && turn.entities.length === 0 && turn.notes.length === 0) return null;
  return (
    <div className="space-y-1">
      {isRewritten && (
        <p>
          <span className="label">Read as </span>
          {turn.resolvedQuestion}
        </p>
      )}
      {turn.entities.length > 0 && (
        <p className="flex flex-wrap gap-x-4">
          {turn.entities.map((entity) => (
            <span key={`${entity.kind}/${entity.name}`}>
              <span className="label">{entity.kind} </span>
              {entity.name}
              {entity.codes && <span className="text-ink-3"> ({entity.codes})</span>}
            </span>
          ))}
        </p>
      )}
      {turn.notes.map((note) => (
        <p key={note} className="text-ink-2">
          {note}
        </p>
      ))}
    </div>
  );
};

const Documents = ({ names }: { names: readonly string[] }) => (
  <section aria-label="Documents consulted">
    <h4 className="label">Documents consulted</h4>
    <ul className="mt-0.5">
      {names.map((name) => (
        <li key={name}>{name}</li>
      ))}
    </ul>
  </section>
);

interface Props {
  turn: Turn;
  onShowTable: (query: number) => void;
}

/** How an answer was found: in a sentence, in queries and in steps. */
export const Working = ({ turn, onShowTable }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const counts = [
    turn.queries.length > 0 && formatCount(turn.queries.length, 'query', 'queries'),
    turn.lookups.length > 0 && formatCount(turn.lookups.length, 'API call'),
    turn.steps.length > 0 && formatCount(turn.steps.length, 'step'),
  ].filter(Boolean);
  if (counts.length === 0 && turn.method === '') return null;
  return (
    <section className="border-t border-rule pt-2">
      <h3>
        <button type="button" aria-expanded={isOpen} className="flex w-full items-center gap-2 text-left hover:text-accent" onClick={() => setOpen(!isOpen)}>
          <span className={`transition-transform ${isOpen ? 'rotate-90' : ''}`}>
            <Icon name="chevron" size={13} />
          </span>
          How I found this
          <span className="text-[0.9375rem] text-ink-3">{counts.join(', ')}</span>
        </button>
      </h3>
      {isOpen && (
        <div className="appear mt-3 space-y-4">
          {turn.method && <p>{method(turn)}</p>}
          <Understood turn={turn} />
          {turn.queries.map((query, at) => (
            <SqlBlock key={at} query={query} onShowTable={() => onShowTable(at)} />
          ))}
          {turn.lookups.map((lookup, at) => (
            <LookupBlock key={at} lookup={lookup} />
          ))}
          {turn.documents.length > 0 && <Documents names={turn.documents} />}
          <Stepper steps={turn.steps} />
        </div>
      )}
    </section>
  );
};
