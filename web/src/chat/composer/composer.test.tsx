import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Agent, TradeOverrides } from '../../api/types';
import { noOverrides } from '../../state/history';
import { AgentPicker } from './agent-picker';
import { Composer } from './composer';
import { TradeBar } from './trade-bar';

const compose = (more: Partial<Parameters<typeof Composer>[0]> = {}) => {
  const props = { isBusy: false, isWaiting: false, lastQuestion: '', onSend: vi.fn(), onStop: vi.fn(), children: null, ...more };
  render(<Composer {...props} />);
  return { ...props, area: screen.getByLabelText<HTMLTextAreaElement>('Question') };
};

describe('Composer', () => {
  it('sends with Enter, trimmed, and empties itself', async () => {
    const { area, onSend } = compose();
    await userEvent.type(area, '  How many?  {Enter}');
    expect(onSend).toHaveBeenCalledWith('How many?');
    expect(area.value).toBe('');
  });
  it('breaks the line with Shift and Enter', async () => {
    const { area, onSend } = compose();
    await userEvent.type(area, 'a{Shift>}{Enter}{/Shift}b');
    expect(area.value).toBe('a\nb');
    expect(onSend).not.toHaveBeenCalled();
  });
  it('sends nothing that is empty', async () => {
    const { area, onSend } = compose();
    await userEvent.type(area, '   {Enter}');
    expect(onSend).not.toHaveBeenCalled();
  });
  it('brings back the last question, only into an empty field', async () => {
    const { area } = compose({ lastQuestion: 'Before?' });
    await userEvent.type(area, '{ArrowUp}');
    expect(area.value).toBe('Before?');
    await userEvent.clear(area);
    await userEvent.type(area, 'x{ArrowUp}');
    expect(area.value).toBe('x');
  });
  it('keeps what is written while an answer is under way, and can stop it', async () => {
    const { area, onSend, onStop } = compose({ isBusy: true });
    await userEvent.type(area, 'Next{Enter}');
    expect(onSend).not.toHaveBeenCalled();
    expect(area.value).toBe('Next');
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onStop).toHaveBeenCalled();
  });
  it('asks for own words when the answer waits', () => expect(compose({ isWaiting: true }).area.placeholder).toContain('own words'));
});

const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name, workflow: 'reflective', about: `About ${name}`, source: name, examples: [], synthetic: true, available: true, reason: '', coverage: { tables: 0, rows: 0, documents: 0, from: '', to: '' }, ...more,
});

describe('AgentPicker', () => {
  const agents = [agent('nba'), agent('wealth', { available: false, reason: 'not made' }), agent('atlas')];

  it('chooses by keyboard', async () => {
    const onChange = vi.fn();
    render(<AgentPicker agents={agents} value="" onChange={onChange} />);
    screen.getByRole('combobox').focus();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(onChange).toHaveBeenCalledWith('nba');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('goes round, and closes with Escape', async () => {
    render(<AgentPicker agents={agents} value="" onChange={vi.fn()} />);
    const box = screen.getByRole('combobox');
    box.focus();
    await userEvent.keyboard('{ArrowDown}{ArrowUp}');
    const active = document.getElementById(box.getAttribute('aria-activedescendant') ?? '');
    expect(active?.textContent).toContain('atlas');
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  it('says why an agent cannot be chosen', async () => {
    const onChange = vi.fn();
    render(<AgentPicker agents={agents} value="nba" onChange={onChange} />);
    await userEvent.click(screen.getByRole('combobox'));
    await userEvent.click(screen.getByRole('option', { name: /not made/ }));
    expect(onChange).not.toHaveBeenCalled();
    expect(screen.getByRole('option', { name: /nba/ }).getAttribute('aria-selected')).toBe('true');
  });
});

describe('TradeBar', () => {
  const show = (overrides: TradeOverrides) => {
    const onChange = vi.fn();
    render(<TradeBar overrides={overrides} onChange={onChange} />);
    return onChange;
  };
  it('has no classification for services', async () => {
    const onChange = show({ ...noOverrides, override_schema: 'hs92' });
    await userEvent.click(screen.getByRole('radio', { name: 'Services' }));
    expect(onChange).toHaveBeenCalledWith({ ...noOverrides, override_mode: 'services', override_schema: '' });
  });
  it('hides the classification while services are chosen', () => {
    show({ ...noOverrides, override_mode: 'services' });
    expect(screen.queryByRole('group', { name: 'Classified by' })).toBeNull();
  });
  it('can be put back', async () => {
    const onChange = show({ ...noOverrides, mode: 'sql_only' });
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }));
    expect(onChange).toHaveBeenCalledWith(noOverrides);
  });
});
