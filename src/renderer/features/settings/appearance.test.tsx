import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useStudio } from '../../app/index.ts';
import { anAppInfo } from '../../testing/anAppInfo.ts';
import { textOf } from '../../testing/find.ts';
import { byText, click, fakeStudio, show, showOver, until } from '../../testing/page.tsx';
import { About, LanguageGroup } from './Appearance.tsx';
import { SettingsPage } from './SettingsPage.tsx';

test('a language is chosen by its own name, and kept for the next start', async () => {
  const studio = await showOver(<LanguageGroup others={['de', 'pt-BR']} />, {
    'settings.set': (patch) => ({ theme: 'dark', ...patch }) as never,
  });
  const field = document.querySelector('[role="combobox"]');
  expect(field?.textContent).toContain('Same as system');
  await click(field as HTMLElement);
  await until(() => byText('português (Brasil)', '[role=option]'));
  await click(byText('Deutsch', '[role=option]'));
  await until(() => expect(studio.callsOf('settings.set')).toEqual([{ language: 'de' }]));
});

test('says where everything is, also of a library that was moved', async () => {
  useStudio.setState({ info: anAppInfo({ dataDir: '/data' }) });
  const said = async (folder: object, words: string) => {
    await showOver(<About />, { 'library.folder': () => folder as never });
    await until(() => expect(document.body.textContent).toContain(words));
    return document.body.textContent;
  };
  const usual = await said({ folder: '/data/library', home: '/data', isUsual: true }, '/data');
  expect(usual).not.toContain('/data/library');
  await said({ folder: '/mnt/films/library', home: '/mnt/films', isUsual: false }, '/mnt/films/library');
});

test('shows the licences of what is in the program, and About leads back', async () => {
  fakeStudio({ 'app.info': () => anAppInfo({}) });
  window.location.hash = '#/settings?section=about';
  await show(
    <Suspense fallback="">
      <SettingsPage />
    </Suspense>,
  );
  await click(byText(labels.showLicences));
  const shownText = () => byText(labels.licencesOfOtherSoftware, 'section');
  await until(() => expect(document.activeElement).toBe(shownText()));
  const text = shownText();
  expect(text.textContent).toContain('Third-party notices');
  for (const name of ['react', 'h264-mp4-encoder', 'intl-messageformat'])
    expect(text.textContent).toMatch(new RegExp(`^- ${name} \\d+[.]`, 'm'));
  expect(text.textContent).toContain('GNU LESSER GENERAL PUBLIC LICENSE');
  expect(text.tabIndex).toBe(0);
  expect(textOf('.snav [aria-current]')).toBe('About');
  await click(byText('About', '.snav button'));
  await until(() => byText('About', 'h2'));
});
