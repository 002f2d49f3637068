import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon';

type Props = ButtonHTMLAttributes<HTMLButtonElement>;

const plain =
  'inline-flex items-center gap-2 rounded border border-rule-strong px-3 py-1.5 hover:border-accent hover:text-accent disabled:opacity-50';
const strong =
  'inline-flex items-center gap-2 rounded border border-accent bg-accent px-3 py-1.5 text-on-accent hover:opacity-90 disabled:opacity-50';

export const Button = ({ tone = 'plain', className = '', ...rest }: Props & { tone?: 'plain' | 'strong' }) => (
  <button type="button" className={`${tone === 'strong' ? strong : plain} ${className}`} {...rest} />
);

/** A button that is only an icon; its label is read out and shown on hover. */
export const IconButton = ({ icon, label, size = 16, className = '', ...rest }: Props & { icon: IconName; label: string; size?: number }) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    className={`inline-flex size-8 items-center justify-center rounded text-ink-3 hover:bg-leaf hover:text-ink disabled:opacity-40 ${className}`}
    {...rest}
  >
    <Icon name={icon} size={size} />
  </button>
);

/** A word that acts, as a link looks. */
export const TextButton = ({ className = '', ...rest }: Props) => (
  <button type="button" className={`text-accent underline decoration-rule-strong underline-offset-3 hover:decoration-accent ${className}`} {...rest} />
);
