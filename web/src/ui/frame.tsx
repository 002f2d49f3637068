import { useEffect, useState, type ReactNode } from 'react';
import { useRoute } from '../lib/router';
import { Sidebar } from '../chat/sidebar/sidebar';
import { UndoToast } from '../chat/sidebar/undo-toast';
import { IconButton } from './button';
import { Link } from './link';
import { Mark } from './mark';

/** Index on the left, page on the right; on small screens the index lies over the page when it is called. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  const route = useRoute();
  const place = JSON.stringify(route);
  useEffect(() => setOpen(false), [place]);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen]);
  return (
    <div className="flex h-dvh">
      <a href="#page" className="sr-only z-50 bg-paper px-3 py-2 focus:not-sr-only focus:absolute">
        Skip to the page
      </a>
      {isOpen && <div className="fixed inset-0 z-20 bg-ink/40 lg:hidden" aria-hidden="true" onClick={() => setOpen(false)} />}
      <div
        id="index"
        className={`fixed inset-y-0 left-0 z-20 w-72 border-r border-rule lg:static lg:block ${isOpen ? 'block shadow-(--shadow)' : 'hidden'}`}
      >
        <Sidebar onClose={() => setOpen(false)} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex items-center gap-2 border-b border-rule px-2 py-1 lg:hidden">
          <IconButton icon="menu" label="Open the index" aria-expanded={isOpen} aria-controls="index" onClick={() => setOpen(true)} />
          <Link href="/" className="flex items-center gap-2 text-lg font-semibold">
            <span className="text-accent">
              <Mark size={22} />
            </span>
            Quaestor
          </Link>
        </header>
        <main id="page" className="relative flex min-h-0 flex-1 flex-col">
          {children}
        </main>
      </div>
      <UndoToast />
    </div>
  );
};
