import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import type { Agent } from '../../api/types';
import { Icon } from '../../ui/icon';

interface Props {
  agents: readonly Agent[];
  value: string;
  onChange: (agent: string) => void;
}

interface Option {
  name: string;
  title: string;
  about: string;
  isAvailable: boolean;
}

const optionsOf = (agents: readonly Agent[]): Option[] => [
  { name: '', title: 'Any book', about: 'The one whose data fits the question answers.', isAvailable: true },
  ...agents.map((agent) => ({
    name: agent.name,
    title: agent.name,
    about: agent.available ? agent.about : agent.reason || 'Not available now.',
    isAvailable: agent.available,
  })),
];

/** Which agent is asked. */
export const AgentPicker = ({ agents, value, onChange }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const options = optionsOf(agents);
  const chosen = options.find((option) => option.name === value) ?? options[0]!;
  useEffect(() => {
    if (!isOpen) return;
    const onPointer = (event: PointerEvent) => {
      if (!frame.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, [isOpen]);
  const open = () => {
    setActive(Math.max(0, options.indexOf(chosen)));
    setOpen(true);
  };
  const choose = (option: Option | undefined) => {
    if (!option?.isAvailable) return;
    onChange(option.name);
    setOpen(false);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (isOpen) setActive((at) => (at + step + options.length) % options.length);
      else open();
    } else if (isOpen && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      choose(options[active]);
    } else if (isOpen && event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <div ref={frame} className="relative">
      <button
        type="button"
        role="combobox"
        aria-label="Agent"
        aria-expanded={isOpen}
        aria-haspopup="listbox"
        aria-controls={`${id}-list`}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        className="flex h-9 items-center gap-1.5 rounded px-2 hover:bg-leaf"
        onClick={() => (isOpen ? setOpen(false) : open())}
        onKeyDown={onKey}
      >
        <span className="label">Ask</span> {chosen.title}
        <Icon name="down_chevron" size={12} />
      </button>
      {isOpen && (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label="Agents"
          className="appear absolute bottom-full left-0 z-30 mb-1 w-80 max-w-[80vw] rounded border border-rule-strong bg-paper py-1 shadow-(--shadow)"
        >
          {options.map((option, at) => (
            <li
              key={option.name}
              id={`${id}-${at}`}
              role="option"
              aria-selected={option.name === value}
              aria-disabled={!option.isAvailable}
              className={`px-3 py-1.5 ${at === active ? 'bg-leaf' : ''} ${option.isAvailable ? '' : 'text-ink-3'}`}
              onPointerEnter={() => setActive(at)}
              onClick={() => choose(option)}
            >
              <span className="flex items-center justify-between">
                {option.title}
                {option.name === value && <Icon name="tick" />}
              </span>
              <span className="block text-[0.9375rem] leading-snug text-ink-3">{option.about}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
