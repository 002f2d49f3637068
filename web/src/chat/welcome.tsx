import type { Agent } from '../api/types';

interface Props {
  agents: readonly Agent[];
  chosen: string;
  onAsk: (question: string, agent: string) => void;
}

const examplesMax = 3;

/** The first page of a new conversation: what can be asked. */
export const Welcome = ({ agents, chosen, onAsk }: Props) => {
  const shown = agents.filter((agent) => agent.available && (chosen === '' || agent.name === chosen));
  return (
    <div className="ledger-row pt-16 max-md:pt-8">
      <span />
      <div>
        <h1 className="text-3xl leading-tight font-semibold text-balance">What would you like to know?</h1>
        <div className="mt-8 space-y-7">
          {shown.map((agent) => (
            <section key={agent.name} aria-label={agent.name}>
              <h2 className="flex items-baseline gap-3">
                <span className="text-lg font-semibold">{agent.name}</span>
                <span className="text-ink-2">{agent.about}</span>
              </h2>
              <ul className="mt-1.5 border-t border-rule">
                {agent.examples.slice(0, examplesMax).map((example) => (
                  <li key={example} className="border-b border-rule">
                    <button type="button" className="w-full py-1.5 text-left hover:text-accent" onClick={() => onAsk(example, agent.name)}>
                      {example}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
};
