import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { boardSchema } from '../../../../shared/board.ts';
import { useEntities, useStudio } from '../../../app/index.ts';
import { aProfile } from '../../../testing/aProfile.ts';
import { aJob, clickOn, fakeStudio, show, until } from '../../../testing/page.tsx';
import { MakeAgain } from './MakeAgain.tsx';

it.each([
  [[], true],
  [['seed'], false],
])('without %j, a fixed seed may make the same clip: %s', async (omittedFields, isSaid) => {
  useStudio.setState({ profiles: [aProfile({ omittedFields })], activeProfileId: 'p', projects: [], budgets: [] });
  useEntities.setState({ jobs: new Map([['t', aJob({ id: 't', state: 'succeeded' })]]), assets: new Map() });
  const config = { durationSeconds: 4, seed: 7 };
  const shots = [{ id: 'a', prompt: 'A pier', model: 'video-standard', config, takes: ['t'] }];
  const projectId = `again-${isSaid}`;
  fakeStudio({
    'storyboard.get': () => boardSchema.parse({ projectId, revision: 1, shots }),
    'ledger.estimate': () => ({ items: [], settled: false, estimateNano: 1, lowNano: 1, unpriced: 0 }),
  });
  const take = { jobId: 't', output: 0, assetId: 'v', sha256: 'ab', projectId, state: 'broken', findings: [] } as const;
  await show(<MakeAgain take={{ ...take, findings: [] }} />);
  await clickOn(labels.makeItAgain, 'button');
  await until(() => expect(document.body.textContent).toContain('Another take of the shot'));
  expect(document.body.textContent?.includes('the same clip may come again')).toBe(isSaid);
});
