import { expect, test } from 'vitest';
import { byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { LanguageGroup } from './Appearance.tsx';

test('a language is chosen by its own name, and kept for the next start', async () => {
  const studio = fakeStudio({ 'settings.set': (patch) => ({ theme: 'dark', ...patch }) as never });
  await show(<LanguageGroup others={['de', 'pt-BR']} />);
  const field = document.querySelector('[role="combobox"]');
  expect(field?.textContent).toContain('As the system');
  await click(field as HTMLElement);
  await until(() => byText('português (Brasil)', '[role=option]'));
  await click(byText('Deutsch', '[role=option]'));
  await until(() => expect(studio.callsOf('settings.set')).toEqual([{ language: 'de' }]));
});
