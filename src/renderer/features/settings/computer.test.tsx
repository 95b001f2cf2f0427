import { expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { UpdateState } from '../../../shared/contract/appCalls.ts';
import type { AppInfo } from '../../../shared/contract/contract.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import { useStudio } from '../../app/index.ts';
import { byText, click, fakeStudio, show, showOver, until } from '../../testing/page.tsx';
import { Computer } from './Computer.tsx';

const words = () => document.body.textContent ?? '';

async function open(update: UpdateState) {
  const next = () => ({ ...update }) as never;
  const studio = await showOver(<Computer />, {
    'updates.get': next,
    'updates.check': next,
    'updates.download': next,
    'updates.install': next,
  });
  await until(() => expect(words()).toContain('Updates'));
  return studio;
}

test.each([
  ['current', 'Check now', 'updates.check'],
  ['found', 'Download 9.0.0', 'updates.download'],
  ['ready', 'Back up, quit and install', 'updates.install'],
] as const)('what is %s has one step, which is named for what it does', async (state, label, step) => {
  const studio = await open({ state, version: '9.0.0' });
  await click(byText(label));
  expect(studio.callsOf(step)).toHaveLength(1);
});

test.each(['ready', 'off'] as const)(
  '%s, an update that the system installs at any end is called that',
  async (state) => {
    await open({ state, version: '9.0.0', installsAtQuit: true, installsAtAnyEnd: true });
    await until(() => expect(words()).toContain('is installed when Dailies quits.'));
    expect(words()).not.toContain('unless work waits');
  },
);

test('the system is asked whether it opens Dailies at login, and told', async () => {
  let state: 'on' | 'off' = 'off';
  const studio = await showOver(<Computer />, {
    'updates.get': () => ({ state: 'none' }),
    'login.get': () => ({ state }),
    'login.set': ({ open }) => {
      state = open ? 'on' : 'off';
      return { state };
    },
  });
  const toggle = () =>
    byText(labels.openDailiesWhenILog, 'label').querySelector(
      '[role="switch"], [role="checkbox"], input',
    ) as HTMLElement;
  await until(() => expect(toggle().getAttribute('aria-checked')).toBe('false'));
  await click(toggle());
  await until(() => expect(studio.callsOf('login.set')).toEqual([{ open: true }]));
  await until(() => expect(toggle().getAttribute('aria-checked')).toBe('true'));
});

test('a copy without a server says so and offers nothing', async () => {
  await open({ state: 'none', why: 'This copy of Dailies has no update server.' });
  expect(words()).toContain('has no update server');
  expect(words()).not.toContain('are sent');
  expect(document.querySelectorAll('button')).toHaveLength(0);
});

test('spelling is checked where its user asks for it, and the page says what is fetched for it', async () => {
  const studio = fakeStudio({
    'updates.get': () => ({ state: 'none' }),
    'login.get': () => ({ state: 'none' }),
    'settings.set': (patch) => ({ ...settings, ...patch }) as Settings,
  });
  const settings = { theme: 'dark', welcomed: true, activeProfileId: 'p' } as Settings;
  useStudio.setState({ settings, info: { host: 'browser' } as AppInfo });
  await show(<Computer />);
  await until(() => expect(words()).toContain('Other programs'));
  expect(words()).not.toContain('Spelling');
  useStudio.setState({ settings, info: { host: 'electron' } as AppInfo });
  await show(<Computer />);
  await until(() => expect(words()).toContain('comes from a Google server'));
  const toggle = byText(labels.checkSpelling, 'label').querySelector('[role="switch"]') as HTMLElement;
  expect(toggle.getAttribute('aria-checked')).toBe('false');
  await click(toggle);
  await until(() => expect(studio.callsOf('settings.set')).toEqual([{ spelling: true }]));
});
