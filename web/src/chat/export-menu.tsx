import { Icon } from '../ui/icon';

export type ExportFormat = 'md' | 'json' | 'csv';
const formats: { format: ExportFormat; label: string }[] = [
  { format: 'md', label: 'Markdown' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV' },
];

/** The whole conversation as a file. */
export const ExportMenu = ({ onExport }: { onExport: (format: ExportFormat) => void }) => (
  <details className="group relative">
    <summary
      aria-label="Export the conversation"
      title="Export the conversation"
      className="flex size-8 list-none items-center justify-center rounded text-ink-3 hover:bg-leaf hover:text-ink"
    >
      <Icon name="download" />
    </summary>
    <ul className="appear absolute bottom-full left-0 z-10 mb-1 w-36 rounded border border-rule-strong bg-paper py-1 shadow-(--shadow)">
      {formats.map(({ format, label }) => (
        <li key={format}>
          <button
            type="button"
            className="w-full px-3 py-1 text-left hover:bg-leaf"
            onClick={(event) => {
              event.currentTarget.closest('details')?.removeAttribute('open');
              onExport(format);
            }}
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  </details>
);
