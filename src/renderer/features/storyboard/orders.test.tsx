import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../testing/boardPage.tsx';
import { acting, byText, click, fakeStudio, press, show, until } from '../../testing/page.tsx';
import { SendButton } from './link/Ripple.tsx';
import { useBoardView } from './useBoard.ts';

const makeButton = () => byText(labels.makeTake(1));
const isReady = () => expect(makeButton().getAttribute('aria-disabled')).not.toBe('true');
const spend = () => press('Enter', { ctrlKey: true });
const page = () => document.body.textContent;

beforeEach(() => freshBoard({}, aProfile()));

it('a press beside another shot is another press, and what went wrong stays with its shot', async () => {
  const refused = 'Refused for a reason of its own.';
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  const { studio } = await openBoard(
    { shots: [aShot('a'), aShot('b')] },
    { 'storyboard.makeTake': () => promise.then(() => fail('conflict', refused)) },
  );
  await until(isReady);
  await spend();
  await spend();
  answer();
  await until(() => expect(page()).toContain(refused));
  expect(studio.callsOf('storyboard.makeTake')).toMatchObject([{ shotId: 'a' }]);
  await acting(() => useBoardView.setState({ shotId: 'b' }));
  expect(page()).not.toContain(refused);
  await until(isReady);
  // If the page moved on by itself, the second half of a double press makes no take of another shot.
  await spend();
  expect(studio.callsOf('storyboard.makeTake')).toHaveLength(1);
  await press('Tab');
  await spend();
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toMatchObject([{ shotId: 'a' }, { shotId: 'b' }]));
});

it.each(['textarea.prompt', '[role="combobox"]'])(
  'a shot that is removed elsewhere while the focus is in its %s orders no other one',
  async (field) => {
    useBoardView.setState({ shotId: 'b' });
    const { studio, elsewhere } = await openBoard({ shots: [aShot('a'), aShot('b')] });
    await until(isReady);
    await until(() => byText(labels.shotN(2), 'h2'));
    await acting(() => document.querySelector<HTMLElement>(`aside ${field}`)?.focus());
    expect(document.activeElement?.matches(field)).toBe(true);
    await elsewhere(({ shots }) => ({ shots: shots.slice(0, 1) }));
    await until(() => byText(labels.shotN(1), 'h2'));
    await spend();
    expect(studio.callsOf('storyboard.makeTake')).toEqual([]);
    byText(labels.theShotThatWasChosen, '.why');
    await acting(() => document.querySelector<HTMLElement>('aside textarea.prompt')?.focus());
    await until(isReady);
    await spend();
    await until(() => expect(studio.callsOf('storyboard.makeTake')).toMatchObject([{ shotId: 'a' }]));
  },
);

it('while shots are ordered now they cannot be ordered for the night as well', async () => {
  fakeStudio({});
  const sent: string[] = [];
  const never = (when: string) => () => new Promise<undefined>(() => void sent.push(when));
  const tonight = { what: 'Redo', shown: undefined, onSend: never('tonight') };
  await show(
    <SendButton off={undefined} onSend={never('now')} tonight={tonight}>
      Redo 2 and 3
    </SendButton>,
  );
  await click(byText('Redo 2 and 3'));
  await click(byText(labels.scheduleTonight));
  expect(sent).toEqual(['now']);
});

it('shows settings that have no place as off with their reason, and the request as it would be sent', async () => {
  const gateway = { fieldCase: 'snake', seedPlacement: 'beside', pictures: 'link', omittedFields: ['fps', 'seed'] };
  freshBoard({}, aProfile(gateway));
  await openBoard({ shots: [aShot('a', { config: { durationSeconds: 4, numberOfVideos: 3, fps: 24, seed: 7 } })] });
  const inspector = () => document.querySelector('aside[data-follows-film]')?.textContent;
  await until(() => expect(inspector()).toContain('Gateway does not take seed'));
  expect(inspector()).toContain('Gateway does not take fps');
  const sent = [...document.querySelectorAll('details')].at(-1) as HTMLDetailsElement;
  await acting(() => (sent.open = true));
  const body = () => document.querySelector('.sent pre')?.textContent ?? '';
  await until(() => expect(body()).not.toBe(''));
  const config = { duration_seconds: 4, number_of_videos: 3 };
  expect(JSON.parse(body())).toMatchObject({ extra_body: { acme: { config } } });
  expect(body()).not.toMatch(/fps|seed/);
});

const request = {
  kind: 'video',
  model: 'video-standard',
  prompt: 'A quay',
  config: { durationSeconds: 4, resolution: '720p', seed: 7 },
} as const;
const price = { estimateNano: 800_000_000, lowNano: 400_000_000, unpriced: 0 };

async function openPromoted(more: Partial<Job> = {}, night?: object) {
  const take = aTake('take', { request, ...more });
  const opened = await openBoard(
    { shots: [aShot('a', { takes: ['take'] })] },
    {
      jobs: [take],
      'jobs.get': () => take,
      'night.get': () => ({ current: night }) as never,
      'ledger.estimate': () => ({ items: [], settled: false, ...price }),
      'storyboard.promoteTake': () => ({
        job: aTake('better', { request: { ...request, promotedFrom: 'take' } as never }),
        board: { ...opened.saved(), revision: 2, shots: [aShot('a', { takes: ['take', 'better'] })] },
      }),
    },
  );
  await until(() => expect(document.querySelector('.takeList')).not.toBeNull());
  return opened;
}

const dialog = () => document.querySelector('.spend-dlg')?.textContent;
const promote = () => acting(() => useBoardView.setState({ promoting: 'take' }));

it('promotes a take at the price that stands at the button, and shows which take it came from', async () => {
  const { studio, projectId } = await openPromoted();
  await promote();
  await until(() => expect(dialog()).toContain('up to $0.80'));
  expect(dialog()).toContain('The seed stays 7.');
  await click(byText('720p', '.spend-dlg [role=radio]'));
  await spend();
  expect(studio.callsOf('storyboard.promoteTake')).toEqual([]);
  await click(byText('1080p', '.spend-dlg [role=radio]'));
  await spend();
  const better = { shotId: 'a', jobId: 'take', resolution: '1080p', model: 'video-standard' };
  expect(studio.callsOf('storyboard.promoteTake')).toEqual([{ projectId, ...better, shown: price }]);
  await until(() => expect(document.getElementById('take-better')?.title).toContain(labels.fromTake(1)));
});

it('says that a promoted picture will differ where no seed goes with it, and why a resolution cannot be had', async () => {
  freshBoard({}, aProfile({ omittedFields: ['resolution'] }));
  await openPromoted({ request: { ...request, config: { durationSeconds: 4, resolution: '720p' } } });
  await promote();
  await until(() => expect(dialog()).toContain('the picture will differ'));
  expect(dialog()).toContain('Gateway does not take one');
});

it.each([
  ['a take is ordered tonight at the price beside it', { id: 'n' }],
  ['without a night Tonight opens its plan, and orders nothing', undefined],
])('%s', async (_, night) => {
  const { studio, projectId } = await openPromoted({}, night);
  const tonight = () => byText(labels.scheduleTonight, 'aside .sendbar button');
  await until(tonight);
  await until(() => expect(tonight().title.includes('No overnight run is scheduled')).toBe(!night));
  await click(tonight());
  const order = { projectId, shotId: 'a', night: true, shown: price };
  await until(() => expect(studio.callsOf('storyboard.makeTake')).toEqual(night ? [order] : []));
  if (!night) expect(location.hash).toBe('#/queue/night?plan=change');
});
