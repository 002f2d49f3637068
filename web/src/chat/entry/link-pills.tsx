import type { Link } from '../../api/types';
import { Icon } from '../../ui/icon';

/** Pages where an answer can be looked at by other means; what was assumed on the way there shows on hover. */
export const LinkPills = ({ links }: { links: readonly Link[] }) => (
  <ul aria-label="Links" className="mt-3 flex flex-wrap gap-2">
    {links
      .filter((link) => /^https?:\/\//.test(link.url))
      .map((link) => {
        const notes = link.resolution_notes.join(' ');
        return (
          <li key={link.url}>
            <a
              href={link.url}
              target="_blank"
              rel="noreferrer noopener"
              title={notes || undefined}
              className="inline-flex items-center gap-1.5 rounded-full border border-rule-strong px-3 py-0.5 text-[0.9375rem] hover:border-accent hover:text-accent"
            >
              {link.label}
              <Icon name="external" size={13} />
              {notes && <span className="sr-only">{notes}</span>}
            </a>
          </li>
        );
      })}
  </ul>
);
