/** Local storage that never fails: where it is forbidden, nothing is kept. */
export const keep = (key: string, value: string): void => {
  try {
    if (value === '') localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Private windows may forbid it; the page works without.
  }
};

export const recall = (key: string): string => {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
};
