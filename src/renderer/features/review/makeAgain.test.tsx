import { expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot } from '../../testing/boardPage.tsx';
import { clickOn, fakeStudio, show, until } from '../../testing/page.tsx';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import { MakeAgain } from './About.tsx';

it.each([
  [[], true],
  [['seed'], false],
])('without %j, a fixed seed may make the same clip: %s', async (omittedFields, isSaid) => {
  useStudio.setState({ profiles: [aProfile({ omittedFields })], activeProfileId: 'p', projects: [], budgets: [] });
  fakeStudio({ 'ledger.estimate': () => ({ items: [], settled: false, estimateNano: 1, lowNano: 1, unpriced: 0 }) });
  const shot = aShot('a', { config: { durationSeconds: 4, seed: 7 }, takes: ['t'] });
  await show(<MakeAgain board={{} as BoardHandle} shot={shot} />);
  await until(() => expect(document.querySelector('[data-money="real"]')).not.toBeNull());
  await clickOn(labels.makeTake(2), 'button');
  await until(() => expect(document.querySelector('.dlg')).not.toBeNull());
  expect(document.body.textContent?.includes('the same clip may come again')).toBe(isSaid);
});
