import { useEffect } from 'react';
import { ThemeButton } from '../chat/sidebar/side-nav';
import { reloadAgents, useAgents } from '../state/agents';
import { Link } from '../ui/link';
import { Mark } from '../ui/mark';
import { Loading, Problem } from '../ui/states';
import { AgentList, Coverage } from './agent-list';
import { AskBox } from './ask-box';
import { SpecimenEntry } from './specimen-entry';

const navigation = [
  { href: '/chat', label: 'Conversations' },
  { href: '/runs', label: 'Runs' },
  { href: '/settings', label: 'Settings' },
];

const Header = () => (
  <header className="ledger">
    <div className="ledger-row items-center py-4 max-md:items-start">
      <span className="justify-self-end pr-7 text-accent max-md:pt-1 max-md:pr-[0.95rem]">
        <span className="max-md:hidden">
          <Mark size={30} />
        </span>
        <span className="md:hidden">
          <Mark size={20} />
        </span>
      </span>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 margin:col-span-2">
        <span className="text-xl font-semibold">Quaestor</span>
        <nav aria-label="Pages" className="ml-auto flex items-center gap-5">
          {navigation.map(({ href, label }) => (
            <Link key={href} href={href} className="hover:text-accent">
              {label}
            </Link>
          ))}
          <ThemeButton />
        </nav>
      </div>
    </div>
  </header>
);

const Books = () => {
  const { agents, problem } = useAgents();
  if (problem) {
    return (
      <div className="ledger-row py-6">
        <span />
        <Problem error={problem} onRetry={() => void reloadAgents()} />
      </div>
    );
  }
  if (!agents) {
    return (
      <div className="ledger-row py-6">
        <span />
        <Loading label="Loading the agents" />
      </div>
    );
  }
  return (
    <>
      <AgentList agents={agents} />
      <div className="ledger-row pt-10 pb-6">
        <span />
        <div className="min-w-0 margin:col-span-2">
          <h2 className="pb-3 text-2xl font-semibold">What is held here</h2>
          <Coverage agents={agents} />
        </div>
      </div>
    </>
  );
};

/** What it is, one answer to look at closely, and what can be asked here. */
export const LandingPage = () => {
  useEffect(() => {
    document.title = 'Quaestor';
  }, []);
  return (
    <div className="ledger-page min-h-dvh">
      <Header />
      <main className="ledger pb-20">
        <div className="ledger-row pt-14 pb-12 max-md:pt-8">
          <span />
          <div className="margin:col-span-2">
            <h1 className="text-[clamp(2.5rem,6vw,4.25rem)] leading-[1.08] font-semibold tracking-[-0.015em]">
              Every figure, <span className="total-heading">accounted for.</span>
            </h1>
            <p className="mt-6 max-w-2xl text-xl leading-normal text-ink-2">
              Quaestor answers questions in plain words over databases and documents, and shows its working: the query, the rows, and the
              place that each figure comes from.
            </p>
            <div className="mt-9">
              <AskBox />
            </div>
          </div>
        </div>
        <SpecimenEntry />
        <div className="ledger-row pt-8 pb-2">
          <span />
          <h2 className="text-2xl font-semibold">The books that are open here</h2>
        </div>
        <Books />
        <footer className="ledger-row pt-8 text-ink-3">
          <span />
          <p>This page asks nothing of anybody but its own server.</p>
        </footer>
      </main>
    </div>
  );
};
