import { setTheme, useTheme, type Theme } from '../../state/theme';
import { IconButton } from '../../ui/button';
import { Icon, type IconName } from '../../ui/icon';
import { Link } from '../../ui/link';

const next: Record<Theme, Theme> = { system: 'dark', dark: 'light', light: 'system' };
const icons: Record<Theme, IconName> = { system: 'half', dark: 'moon', light: 'sun' };
const words: Record<Theme, string> = { system: 'as the system', dark: 'dark', light: 'light' };

/** Switches between dark, light and what the system says. */
export const ThemeButton = () => {
  const theme = useTheme();
  return (
    <IconButton
      icon={icons[theme]}
      label={`Appearance: ${words[theme]}. Change to ${words[next[theme]]}.`}
      onClick={() => setTheme(next[theme])}
    />
  );
};

const Item = ({ href, icon, label, isCurrent }: { href: string; icon: IconName; label: string; isCurrent: boolean }) => (
  <Link
    href={href}
    aria-current={isCurrent ? 'page' : undefined}
    className={`flex items-center gap-2 rounded px-2 py-1 hover:text-accent ${isCurrent ? 'text-accent' : 'text-ink-2'}`}
  >
    <Icon name={icon} /> {label}
  </Link>
);

export const SideNav = ({ page }: { page: string }) => (
  <nav aria-label="Pages" className="flex items-center gap-1 border-t border-rule px-2 py-2">
    <Item href="/runs" icon="trace" label="Runs" isCurrent={page === 'runs'} />
    <Item href="/settings" icon="gear" label="Settings" isCurrent={page === 'settings'} />
    <div className="ml-auto">
      <ThemeButton />
    </div>
  </nav>
);
