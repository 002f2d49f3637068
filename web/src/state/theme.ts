import { keep, recall } from '../lib/storage';
import { Store, useStore } from '../lib/store';

export type Theme = 'system' | 'light' | 'dark';

const key = 'quaestor.theme';
const systemDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = recall(key);
const theme = new Store<Theme>(chosen === 'light' || chosen === 'dark' ? chosen : 'system');

const apply = (): void => {
  const wanted = theme.get();
  const isDark = wanted === 'dark' || (wanted === 'system' && systemDark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
};

systemDark.addEventListener('change', apply);

export const setTheme = (wanted: Theme): void => {
  keep(key, wanted === 'system' ? '' : wanted);
  theme.set(wanted);
  apply();
};

export const useTheme = (): Theme => useStore(theme);
