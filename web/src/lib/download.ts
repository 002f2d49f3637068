export const saveFile = (name: string, content: Blob): void => {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

export const saveText = (name: string, content: string, type: string): void =>
  saveFile(name, new Blob([content], { type: `${type};charset=utf-8` }));

export const copyText = async (content: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    // Plain http has no clipboard interface; the old way still works there.
    const area = document.createElement('textarea');
    area.value = content;
    area.className = 'sr-only';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
};

/** A name for a file made from a question. */
export const fileName = (words: string, extension: string): string => {
  const slug = words.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 50);
  return `${slug || 'quaestor'}.${extension}`;
};
