import { useEffect, useState } from 'preact/hooks';

/** Light or dark, as the system says or as was chosen here. */
export type Theme = 'light' | 'dark';

const KEY = 'plat.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

const tell = () => {
  const chosen = localStorage.getItem(KEY);
  if (chosen === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  for (const listener of listeners) listener();
};
system.addEventListener('change', tell);

const themeNow = (): Theme => (localStorage.getItem(KEY) as Theme | null) ?? (system.matches ? 'dark' : 'light');

/** Shows the other theme; where that is the system's own, later changes of the system are followed again. */
export function switchTheme(): void {
  const next: Theme = themeNow() === 'dark' ? 'light' : 'dark';
  if ((next === 'dark') === system.matches) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  tell();
}

/** The theme that is shown; the component is drawn again when it changes. */
export function useTheme(): Theme {
  const [theme, setTheme] = useState(themeNow);
  useEffect(() => {
    const read = () => setTheme(themeNow());
    listeners.add(read);
    tell();
    return () => {
      listeners.delete(read);
    };
  }, []);
  return theme;
}
