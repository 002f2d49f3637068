import { useStore } from '../../lib/store';
import { threads } from '../../state/app';
import { TextButton } from '../../ui/button';

/** Says what was deleted, while it can still be brought back. */
export const UndoToast = () => {
  const { deleted } = useStore(threads.state);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-6 z-40 flex justify-center">
      {deleted && (
        <p className="appear pointer-events-auto flex max-w-[90vw] gap-4 rounded border border-rule-strong bg-paper px-4 py-2 shadow-(--shadow)">
          <span className="truncate">“{deleted.title}” is deleted.</span>
          <TextButton onClick={() => threads.undo()}>Undo</TextButton>
        </p>
      )}
    </div>
  );
};
