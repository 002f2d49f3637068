import { Store, useStore } from './store';

export type Route =
  | { page: 'landing' }
  | { page: 'chat'; thread: string }
  | { page: 'runs'; run: string }
  | { page: 'settings' }
  | { page: 'missing' };

export const routeOf = (path: string): Route => {
  const [first = '', second = '', ...rest] = path.split('/').filter((part) => part !== '');
  if (rest.length > 0) return { page: 'missing' };
  let id = second;
  try {
    id = decodeURIComponent(second);
  } catch {
    return { page: 'missing' };
  }
  if (first === '') return { page: 'landing' };
  if (first === 'chat') return { page: 'chat', thread: id };
  if (first === 'runs') return { page: 'runs', run: id };
  if (first === 'settings' && second === '') return { page: 'settings' };
  return { page: 'missing' };
};

const here = (): string => location.pathname + location.search;
const address = new Store(here());
addEventListener('popstate', () => address.set(here()));

export const navigate = (to: string, options: { replace?: boolean } = {}): void => {
  if (to === here()) return;
  if (options.replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  address.set(here());
};

export const useRoute = (): Route => {
  useStore(address);
  return routeOf(location.pathname);
};
