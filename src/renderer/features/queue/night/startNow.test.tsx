import { afterAll, expect, it, vi } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { nightPlanSchema } from '../../../../shared/jobs/night.ts';
import { setLanguage } from '../../../../shared/text/texts.ts';
import { dry, planned, statusOf } from '../../../testing/aNight.ts';
import { byText, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { StartNow } from './PlanPanel.tsx';

// A page knows its language before its first module is there.
await vi.hoisted(async () => {
  const texts = await import('../../../../shared/text/texts.ts');
  texts.setLanguage({ tag: 'fi', translate: () => undefined });
});
afterAll(() => setLanguage(undefined));

it('starts a night now in every language, whatever its times of day look like', async () => {
  const studio = fakeStudio({ 'night.dryRun': () => dry, 'night.plan': () => planned });
  const plan = nightPlanSchema.parse({ start: '23:00', end: '07:00', capNano: 20_000_000_000, days: [1, 5] });
  await show(<StartNow status={statusOf(planned)} plan={plan} number={15} onClose={() => undefined} />);
  await until(() =>
    expect(byText(labels.startNight(15), '.dlg button').getAttribute('aria-disabled')).not.toBe('true'),
  );
  await press('Enter', { ctrlKey: true });
  await until(() => expect(studio.callsOf('night.plan')).toHaveLength(1));
  expect(studio.callsOf('night.plan')).toEqual([{ ...plan, startsNow: true, endsAt: dry.endsAt }]);
});
