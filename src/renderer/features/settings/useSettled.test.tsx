import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import { type Settings, settingsSchema } from '../../../shared/contract/settings.ts';
import { useStudio } from '../../app/index.ts';
import { acting, fakeStudio, show, type } from '../../testing/page.tsx';
import { When } from './backups/Backups.tsx';

const settings = (keep: number, at = '04:30') => settingsSchema.parse({ backups: { daily: true, at, keep } });
const figure = (): HTMLInputElement => {
  const box = [...document.querySelectorAll('.field')].find((element) => element.textContent?.startsWith(labels.keep));
  return box?.querySelector('input:not([aria-hidden])') as HTMLInputElement;
};
const rest = () => acting(() => vi.advanceTimersByTime(500));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

it('what is typed while it is saved stays, and what is set elsewhere too', async () => {
  const answers: ((answer: Result<Settings>) => void)[] = [];
  const studio = fakeStudio({ 'settings.set': () => new Promise((resolve) => answers.push(resolve)) });
  useStudio.setState({ settings: settings(3) });
  await show(<When bytes={0} />);
  await type(figure(), '5');
  await rest();
  await type(figure(), '57');
  await acting(() => answers[0]?.(ok(settings(5))));
  expect(figure().value).toBe('57');
  await acting(() => useStudio.setState({ settings: settings(5, '09:00') }));
  await rest();
  expect(studio.callsOf('settings.set')).toMatchObject([
    { backups: { keep: 5, at: '04:30' } },
    { backups: { keep: 57, at: '09:00' } },
  ]);
  await acting(() => answers[1]?.(ok(settings(57, '09:00'))));
  expect(figure().value).toBe('57');
});
