import { useEffect, useState } from 'react';
import { copyText } from '../lib/download';
import { IconButton } from './button';

const thanksMs = 1500;

export const CopyButton = ({ text, label }: { text: () => string; label: string }) => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <IconButton
        icon={isCopied ? 'tick' : 'copy'}
        label={isCopied ? 'Copied' : label}
        onClick={() => void copyText(text()).then(setCopied)}
      />
      <span role="status" className="sr-only">
        {isCopied ? 'Copied.' : ''}
      </span>
    </>
  );
};
