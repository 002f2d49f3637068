import type { Agent } from '../api/types';
import { formatCount } from '../lib/format';
import { Icon } from '../ui/icon';
import { Link } from '../ui/link';
import { chatAddress } from './ask-box';

const examplesMax = 3;

/** The agents of this server, each with questions to begin with. */
export const AgentList = ({ agents }: { agents: readonly Agent[] }) => (
  <>
    {agents.map((agent, at) => (
      <section key={agent.name} aria-label={agent.name} className="ledger-row py-5">
        <p className="ledger-number pt-0.5" aria-hidden="true">
          {at + 2}
        </p>
        <div>
          <h3 className="flex flex-wrap items-baseline gap-x-3 text-xl">
            <span className="font-semibold">{agent.name}</span>
            <span className="text-lg text-ink-2">{agent.about}</span>
          </h3>
          {agent.available ? (
            <ul className="mt-2 border-t border-rule">
              {agent.examples.slice(0, examplesMax).map((example) => (
                <li key={example} className="border-b border-rule">
                  <Link href={chatAddress(example, agent.name)} className="group flex items-center gap-2 py-2 hover:text-accent">
                    {example}
                    <span className="ml-auto text-ink-3 opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
                      <Icon name="arrow" />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          ) : (
            <p className="mt-1 text-warn">Not available now: {agent.reason || 'it is not ready'}</p>
          )}
        </div>
      </section>
    ))}
  </>
);

const methods: Record<string, string> = {
  reflective: 'SQL, checked and corrected',
  scenarios: 'SQL with a glossary of terms',
  cited: 'passages, each cited',
  atlas: 'SQL, an API and documents',
};

const extentOf = ({ coverage }: Agent): string => {
  const { tables, rows, documents, from, to } = coverage;
  if (documents > 0) {
    const years = [...new Set([from.slice(0, 4), to.slice(0, 4)])].filter((year) => year !== '').join('–');
    return [formatCount(documents, 'document'), years].filter(Boolean).join(', ');
  }
  return tables > 0 ? `${formatCount(tables, 'table')}, ${formatCount(rows, 'row')}` : '';
};

/** What is held here, at a glance. */
export const Coverage = ({ agents }: { agents: readonly Agent[] }) => (
  <div className="overflow-x-auto" tabIndex={0} role="group" aria-label="What is held here">
    <table className="figures">
      <thead>
        <tr>
          <th scope="col">Book</th>
          <th scope="col">Holds</th>
          <th scope="col" className="max-md:hidden">
            Answers with
          </th>
          <th scope="col">Data</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.name}>
            <td className="font-semibold">{agent.name}</td>
            <td>{extentOf(agent) || agent.source || '–'}</td>
            <td className="max-md:hidden">{methods[agent.workflow] ?? agent.workflow}</td>
            <td>{agent.synthetic ? 'invented, for trying out' : 'as it was given'}</td>
            <td className={agent.available ? '' : 'text-warn'}>{agent.available ? 'ready' : agent.reason || 'not ready'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
