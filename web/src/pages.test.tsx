import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { LandingPage } from './landing/landing-page';
import { layOutBars } from './runs/timeline';
import RunsPage from './runs/runs-page';
import SettingsPage from './settings/settings-page';

const serve = (answers: Record<string, unknown>) => {
  const fetch = vi.fn((path: string, _?: RequestInit) => {
    const found = Object.entries(answers).find(([start]) => path.startsWith(start));
    return Promise.resolve(found ? new Response(JSON.stringify(found[1])) : new Response('{"detail":"gone"}', { status: 503 }));
  });
  vi.stubGlobal('fetch', fetch);
  return fetch;
};

const run = {
  run_id: 'r1', thread_id: 't1', agent: 'nba', question: 'How many?', status: 'finished', started_at: '2026-01-01T10:00:00Z', duration_ms: 100,
  nodes: [
    { node: 'plan_query', label: 'Making a plan', status: 'success', attempt: 1, start_ms: 0, duration_ms: 20, detail: {} },
    { node: 'execute_sql', status: 'error', attempt: 2, start_ms: 20, duration_ms: 80, detail: { error: 'no table' } },
  ],
};

describe('LandingPage', () => {
  it('shows what failed, then the agents with their questions', async () => {
    serve({});
    render(<LandingPage />);
    expect(await screen.findByText('Gone.')).toBeTruthy();
    serve({ '/api/agents': [{ name: 'nba', workflow: 'reflective', about: 'A league', source: 'nba', examples: ['A?', 'B?', 'C?', 'D?'], synthetic: true, available: true, coverage: { tables: 14, rows: 6430 } }, { name: 'fomc', workflow: 'cited', coverage: { documents: 64, from: '2019-01-30', to: '2024-06-12' } }, { name: 'wealth', available: false, reason: 'no data' }] });
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect((await screen.findByRole('link', { name: 'A?' })).getAttribute('href')).toBe('/chat?q=A%3F&agent=nba');
    expect(screen.queryByRole('link', { name: 'D?' })).toBeNull();
    expect(screen.getByText('Not available now: no data')).toBeTruthy();
    expect(screen.getByText('invented, for trying out')).toBeTruthy();
    expect(screen.getByText('14 tables, 6,430 rows')).toBeTruthy();
    expect(screen.getByText('64 documents, 2019–2024')).toBeTruthy();
  });
});

describe('RunsPage', () => {
  it('lists runs', async () => {
    serve({ '/api/runs?': { runs: [run] } });
    render(<RunsPage run="" />);
    expect((await screen.findByRole('link', { name: 'How many?' })).getAttribute('href')).toBe('/runs/r1');
  });
  it('says that there is none yet', async () => {
    serve({ '/api/runs?': [] });
    render(<RunsPage run="" />);
    expect(await screen.findByText('Nothing has been asked yet.')).toBeTruthy();
  });
  it('shows the steps of a run with what they found', async () => {
    serve({ '/api/runs/r1': run });
    render(<RunsPage run="r1" />);
    await userEvent.click(await screen.findByRole('button', { name: /Running the query.*attempt 2/ }));
    expect(screen.getByText('no table')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Making a plan/ }).disabled).toBe(true);
  });
});

describe('layOutBars', () => {
  const node = (start_ms: number, duration_ms: number) => ({ node: 'a', label: '', status: 'success', attempt: 1, start_ms, duration_ms, detail: {} });
  it('lies in proportion', () => expect(layOutBars([node(0, 25), node(50, 50)], 100)).toMatchObject([{ left: 0, width: 25 }, { left: 50, width: 50 }]));
  it('never leaves the line, and never vanishes', () => {
    for (const { left, width } of layOutBars([node(0, 0), node(100, 0), node(90, 500)], 100)) {
      expect(width).toBeGreaterThan(0);
      expect(left + width).toBeLessThanOrEqual(100.0001);
    }
  });
});

describe('SettingsPage', () => {
  it('shows models and health, and sends a key with every later request', async () => {
    const fetch = serve({ '/api/models': [{ tier: 'frontier', provider: 'openai', model: 'gpt', state: 'no key', detail: 'Set it.' }], '/ready': { dependencies: [{ name: 'store', state: 'ok' }] } });
    const { unmount } = render(<SettingsPage />);
    expect(await screen.findByText('Set it.')).toBeTruthy();
    expect(await screen.findByText('store')).toBeTruthy();
    await userEvent.type(screen.getByLabelText(/Key of the server/), 'secret{Enter}');
    expect(screen.getByText('Kept in this browser.')).toBeTruthy();
    unmount();
    render(<SettingsPage />);
    await screen.findByText('Set it.');
    const headers = fetch.mock.calls.filter(([path]) => path === '/api/models').map(([, init]) => (init?.headers as Record<string, string>)['Authorization']);
    expect(headers).toEqual([undefined, 'Bearer secret']);
  });
  it('changes the colours', async () => {
    serve({});
    render(<SettingsPage />);
    await userEvent.click(screen.getByRole('radio', { name: 'Dark' }));
    expect(document.documentElement.dataset['theme']).toBe('dark');
    await userEvent.click(screen.getByRole('radio', { name: 'As the system' }));
    expect(document.documentElement.dataset['theme']).toBe('light');
  });
});
