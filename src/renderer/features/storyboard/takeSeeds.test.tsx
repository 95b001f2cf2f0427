import { beforeEach, expect, it } from 'vitest';
import { boardSchema } from '../../../shared/board.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { freshBoard } from '../../testing/boardPage.ts';
import { aJob, fakeStudio, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';

beforeEach(() => freshBoard({ tab: 'shot' }, aProfile()));

it('each take of the list tells the seed that it was sent with, if it was', async () => {
  const config = { durationSeconds: 4 } as const;
  const ids = ['sent', 'unsent', 'none'];
  const shots = [{ id: 'a', prompt: 'A pier', model: 'video-standard', config, takes: ids, activeTake: 'unsent' }];
  const board = boardSchema.parse({ projectId: 'seeds-of-takes', revision: 1, shots });
  const made = { kind: 'video', model: 'video-standard', prompt: 'A pier' } as const;
  const jobs = [
    aJob({ id: 'sent', state: 'succeeded', request: { ...made, config: { ...config, seed: 4_294_967_295 } } }),
    aJob({
      id: 'unsent',
      state: 'succeeded',
      request: { ...made, config: { ...config, seed: 70_001 } },
      omitted: ['seed'],
    }),
    aJob({ id: 'none', state: 'succeeded', request: { ...made, config } }),
  ];
  fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs, total: 3 }),
    'ledger.estimate': () => ({ items: [], settled: false, estimateNano: 1, lowNano: 1, unpriced: 0 }),
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.querySelectorAll('.take')).toHaveLength(3));
  await until(() => expect(document.querySelector('.take-list')?.textContent).not.toContain('being read'));
  const rows = ids.map((id) => document.getElementById(`take-${id}`));
  expect(rows[0]?.textContent).toContain('seed 4294967295');
  expect(rows[1]?.textContent).toContain('seed not sent');
  expect(rows[1]?.querySelector('[title="not sent: this gateway takes no seed"]')).not.toBeNull();
  expect(rows[1]?.textContent).not.toContain('70001');
  expect(rows[2]?.textContent).toContain('no seed');
});
