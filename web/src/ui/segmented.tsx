import { useId } from 'react';

export interface Choice<T extends string> {
  value: T;
  label: string;
}

interface Props<T extends string> {
  legend: string;
  choices: readonly Choice<T>[];
  value: T;
  onChange: (value: T) => void;
  hideLegend?: boolean;
  disabled?: boolean;
}

/** One of a few: native radio buttons, so that arrows and screen readers work. */
export const Segmented = <T extends string>({ legend, choices, value, onChange, hideLegend = false, disabled = false }: Props<T>) => {
  const name = useId();
  return (
    <fieldset className="flex items-center gap-2" disabled={disabled}>
      <legend className={hideLegend ? 'sr-only' : 'label float-left pr-1'}>{legend}</legend>
      <div className="flex rounded border border-rule-strong">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative cursor-pointer border-rule-strong px-2 py-0.5 text-[0.9375rem] text-ink-2 not-first:border-l has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              className="absolute inset-0 cursor-pointer opacity-0"
              name={name}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
};
