import { useLayoutEffect } from 'react';
import type { Settings } from '../../shared/contract/settings.ts';
import { useStudio } from './state/studio.ts';

type Theme = Settings['theme'];

const STORAGE_KEY = 'dailies.theme';
const lightQuery = () => window.matchMedia('(prefers-color-scheme: light)');

function apply(theme: Theme): void {
  const light = theme === 'light' || (theme === 'system' && lightQuery().matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
}

/** Applies the theme of the last visit before the settings arrive, so that the window does not flash. */
export function applyRememberedTheme(): void {
  const remembered = window.localStorage.getItem(STORAGE_KEY);
  if (remembered === 'light' || remembered === 'system' || remembered === 'dark') apply(remembered);
}

/** Applies the theme of the settings, or of the system, before components that read colours in an effect render again. */
export function useTheme(): void {
  const theme = useStudio((state) => state.settings?.theme);
  useLayoutEffect(() => {
    if (theme === undefined) return;
    window.localStorage.setItem(STORAGE_KEY, theme);
    apply(theme);
    if (theme !== 'system') return;
    const query = lightQuery();
    const follow = () => apply(theme);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, [theme]);
}
