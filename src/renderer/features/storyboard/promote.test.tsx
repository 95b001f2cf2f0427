import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { boardSchema } from '../../../shared/board.ts';
import type { Job } from '../../../shared/job.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { BoardPage } from './BoardPage.tsx';
import { useBoardView } from './useBoard.ts';

const profile = aProfile();

const request = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay',
  config: { durationSeconds: 4, resolution: '720p', seed: 7 },
} as const;
const price = { estimateNano: 800_000_000, lowNano: 400_000_000, unpriced: 0 };
let boards = 0;

async function open({ job = {}, gateway = {}, night }: { job?: Partial<Job>; gateway?: object; night?: object } = {}) {
  useStudio.setState({ profiles: [{ ...profile, ...gateway }], activeProfileId: 'p', projects: [], budgets: [] });
  const take = aJob({ id: 'take', state: 'succeeded', request, finishedAt: 1, ...job });
  const shots = [
    { id: 'a', prompt: 'A pier', model: 'video-standard', config: { durationSeconds: 4 }, takes: ['take'] },
  ];
  // Boards outlive their pages.
  const board = boardSchema.parse({ projectId: `promoted-${++boards}`, revision: 1, shots });
  const again = (input: object) => ({
    job: { ...take, id: 'better', state: 'queued' as const, request: { ...request, promotedFrom: 'take', ...input } },
    board: { ...board, revision: 2, shots: board.shots.map((shot) => ({ ...shot, takes: ['take', 'better'] })) },
  });
  const studio = fakeStudio({
    'storyboard.get': () => board,
    'jobs.list': () => ({ jobs: [take], total: 1 }),
    'jobs.get': () => take,
    'night.get': () => ({ current: night, adrift: [] }) as never,
    'ledger.estimate': () => ({ items: [], settled: false, ...price }),
    'storyboard.promoteTake': () => again({}) as never,
    'storyboard.makeTake': () => again({}) as never,
  });
  await show(<BoardPage projectId={board.projectId} />);
  await until(() => expect(document.body.textContent).toContain(labels.takesOfShot(1)));
  return { studio, projectId: board.projectId };
}

const dialog = (): string => document.querySelector('.spend-dlg')?.textContent ?? '';
const promote = () => acting(() => useBoardView.setState({ promoting: 'take' }));

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useBoardView.setState({ tab: 'shot', shotId: undefined, promoting: undefined, isImporting: false });
});

it('promotes a take at the price that stands at the button, and shows which take it came from', async () => {
  const { studio, projectId } = await open();
  await promote();
  await until(() => expect(dialog()).toContain('$0.40–0.80'));
  expect(dialog()).toContain('It is sent with its seed 7.');
  await click(byText('720p', '.spend-dlg [role=radio]'));
  expect(dialog()).toContain('Choose another resolution or another model');
  await press('Enter', { ctrlKey: true });
  expect(studio.callsOf('storyboard.promoteTake')).toEqual([]);
  await click(byText('1080p', '.spend-dlg [role=radio]'));
  await press('Enter', { ctrlKey: true });
  const better = { shotId: 'a', jobId: 'take', resolution: '1080p', model: 'video-standard' };
  expect(studio.callsOf('storyboard.promoteTake')).toEqual([{ projectId, ...better, shown: price }]);
  await until(() => expect(document.querySelector('.take-list')?.textContent).toContain(labels.fromTake(1)));
});

it('says that the picture will differ where no seed goes with it, and why a resolution cannot be had', async () => {
  const config = { durationSeconds: 4, resolution: '720p' } as const;
  await open({ job: { request: { ...request, config } }, gateway: { omittedFields: ['resolution'] } });
  await promote();
  await until(() => expect(dialog()).toContain('No seed of it is known, so the picture will differ.'));
  expect(dialog()).toContain('Gateway does not take one (Settings, Dialect).');
});

it('a single take is ordered tonight at the price beside it, and only where a night is planned', async () => {
  const { studio, projectId } = await open({ night: { id: 'n' } });
  const tonight = () => byText(labels.tonight, '.insp .sendbar button');
  await until(() => expect(tonight().getAttribute('aria-disabled')).not.toBe('true'));
  await click(tonight());
  await until(() =>
    expect(studio.callsOf('storyboard.makeTake')).toEqual([{ projectId, shotId: 'a', night: true, shown: price }]),
  );
});

it('without a night the button says so, opens its plan, and orders nothing', async () => {
  const { studio } = await open();
  await until(() =>
    expect(byText(labels.tonight, '.insp .sendbar button').title).toBe(
      'No night is planned yet. This opens its plan; the order is made once the night is armed.',
    ),
  );
  await click(byText(labels.tonight, '.insp .sendbar button'));
  expect(location.hash).toBe('#/queue/night?plan=change');
  expect(studio.callsOf('storyboard.makeTake')).toEqual([]);
});
