import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { useStudio } from '../../../app/index.ts';
import { dry, planned } from '../../../testing/aNight.ts';
import { fakeStudio, show } from '../../../testing/page.tsx';
import { Hours, MoneyPart, WhileItRuns } from './PlanFields.tsx';
import { formOf } from './planForm.ts';

it('says when an open night began, if not at the hour of its plan', async () => {
  fakeStudio({});
  const hours = (startsAt: number, isOpen: boolean) =>
    show(
      <Hours
        form={formOf(planned)}
        set={() => undefined}
        fault={undefined}
        isOpen={isOpen}
        dry={{ ...dry, startsAt }}
      />,
    );
  const words = () => document.body.textContent;
  const byHand = new Date(planned.startsAt).setHours(14, 0);
  await hours(byHand, true);
  expect(words()).toContain('This night began at 14:00.');
  await hours(planned.startsAt, true);
  expect(words()).not.toContain('This night began');
  await hours(byHand, false);
  expect(words()).not.toContain('This night began');
});

it('where nothing can keep the machine awake, says so in the place of the switch', async () => {
  fakeStudio({});
  const words = () => document.body.textContent;
  const info = {
    version: '',
    host: 'browser' as const,
    dataDir: '',
    profileId: 'p',
    offline: false,
    webhookAddress: '',
  };
  for (const awake of ['cannot', 'free'] as const) {
    useStudio.setState({ info: { ...info, awake } });
    await show(<WhileItRuns form={formOf(planned)} set={() => undefined} />);
    const isSaid = awake === 'cannot';
    expect(words()?.includes('Nothing keeps this machine awake')).toBe(isSaid);
    expect(words()?.includes('Keep this machine awake')).toBe(!isSaid);
  }
});

it('a day whose jobs have no known price has none', async () => {
  fakeStudio({});
  const day = { day: '2026-11-21', lowNano: 0 };
  const days = [
    { ...day, nano: 0, unpriced: 2 },
    { ...day, day: '2026-11-22', nano: 4e8, unpriced: 1 },
  ];
  await show(<MoneyPart form={formOf(planned)} set={() => undefined} fault={undefined} dry={{ ...dry, days }} />);
  const shown = [...document.querySelectorAll('.row.between span:last-child')].map(({ textContent }) => textContent);
  expect(shown).toEqual([labels.priceNotKnown, labels.andUnpriced('$0.40', 1)]);
});
