import { useCallback, useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { fetchModels, fetchReadiness } from '../api/client';
import { isWell } from '../api/read-health';
import { accessKey, sessionId, setAccessKey } from '../api/session';
import type { Dependency, Model } from '../api/types';
import { Button } from '../ui/button';
import { setTheme, useTheme, type Theme } from '../state/theme';
import { useResource } from '../state/use-resource';
import { Segmented, type Choice } from '../ui/segmented';
import { Loading, Problem } from '../ui/states';

const themes: Choice<Theme>[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const keys: [string, string][] = [
  ['Enter', 'send the question'],
  ['Shift + Enter', 'a new line'],
  ['/', 'go to the question'],
  ['Esc', 'stop the answer, or close what is open'],
  ['↑ in an empty question', 'bring back the last question'],
  ['↑ ↓ in the index', 'from one conversation to the next'],
];

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="border-t border-rule py-6">
    <h2 className="pb-3 text-xl font-semibold">{title}</h2>
    {children}
  </section>
);

const State = ({ state }: { state: string }) => <span className={isWell(state) ? 'text-accent' : 'text-warn'}>{state}</span>;

const Models = ({ models }: { models: readonly Model[] }) =>
  models.length === 0 ? (
    <p className="max-w-xl text-ink-2">No language model is configured. Questions are answered by Quaestor&apos;s own reading, which needs none.</p>
  ) : (
    <table className="figures max-w-3xl">
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">Provider</th>
          <th scope="col">Model</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <tr key={`${model.tier}/${model.provider}/${model.model}`}>
            <td>{model.tier}</td>
            <td>{model.provider}</td>
            <td className="font-mono text-sm">{model.model}</td>
            <td>
              <State state={model.state} />
              {model.detail && <span className="block text-ink-3">{model.detail}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );

const Health = ({ ready, dependencies }: { ready: boolean; dependencies: readonly Dependency[] }) => (
  <>
    <p className={ready ? 'text-accent' : 'text-warn'}>{ready ? 'The server is ready.' : 'The server is not ready.'}</p>
    <ul className="mt-2 max-w-xl">
      {dependencies.map((dependency) => (
        <li key={dependency.name} className="py-0.5">
          <span className="flex items-center gap-2.5">
            {dependency.name}
            <span className="leader" aria-hidden="true" />
            <State state={dependency.state} />
          </span>
          {dependency.detail && <span className="block text-[0.9375rem] text-ink-3">{dependency.detail}</span>}
        </li>
      ))}
    </ul>
  </>
);

/** Servers that are open to others ask for a key; on the own machine none is needed. */
const KeyField = () => {
  const [key, setKey] = useState(accessKey());
  const [isSaved, setSaved] = useState(false);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setAccessKey(key);
    setSaved(true);
  };
  return (
    <form className="mb-4 flex max-w-xl flex-wrap items-end gap-2" onSubmit={save}>
      <label className="min-w-64 flex-1">
        <span className="label block">Key of the server, if it asks for one</span>
        <input
          type="password"
          autoComplete="off"
          className="w-full rounded border border-rule-strong bg-transparent px-2 py-1"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </label>
      <Button type="submit">Keep</Button>
      <span role="status" className="text-ink-3">
        {isSaved && 'Kept in this browser.'}
      </span>
    </form>
  );
};

const SettingsPage = () => {
  const theme = useTheme();
  const models = useResource(useCallback(() => fetchModels(), []));
  const health = useResource(useCallback(() => fetchReadiness(), []));
  useEffect(() => {
    document.title = 'Settings – Quaestor';
  }, []);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-4xl px-8 py-10 max-md:px-4 max-md:py-6">
        <h1 className="pb-6 text-3xl font-semibold">Settings</h1>
        <Section title="Appearance">
          <Segmented legend="Colours" hideLegend choices={themes} value={theme} onChange={setTheme} />
        </Section>
        <Section title="Language models">
          {models.problem && <Problem error={models.problem} onRetry={models.reload} />}
          {!models.value && !models.problem && <Loading label="Loading the models" lines={2} />}
          {models.value && <Models models={models.value} />}
        </Section>
        <Section title="Health">
          {health.problem && <Problem error={health.problem} onRetry={health.reload} />}
          {!health.value && !health.problem && <Loading label="Asking the server" lines={2} />}
          {health.value && <Health {...health.value} />}
        </Section>
        <Section title="Keys">
          <dl className="max-w-xl">
            {keys.map(([key, meaning]) => (
              <div key={key} className="flex items-center gap-2.5 py-0.5">
                <dt>{key}</dt>
                <span className="leader" aria-hidden="true" />
                <dd className="text-ink-2">{meaning}</dd>
              </div>
            ))}
          </dl>
        </Section>
        <Section title="This browser">
          <KeyField />
          <p className="max-w-xl text-ink-2">
            Your conversations belong to the session <span className="font-mono text-sm">{sessionId()}</span>, which is kept in this browser only.
          </p>
        </Section>
      </div>
    </div>
  );
};

export default SettingsPage;
