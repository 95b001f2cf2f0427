import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { fail } from '../../../../shared/contract/result.ts';
import type { Export, Preflight } from '../../../../shared/film/filmExport.ts';
import { navigate } from '../../../app/index.ts';
import { aShot, freshBoard, type OpenBoard, openBoard, saveNow } from '../../../testing/boardPage.tsx';
import { type Answers, acting, byText, click, press, until } from '../../../testing/page.tsx';
import { FIRST, useChoicesByProject } from './plan.ts';
import { ENDED, useExportsView } from './useExports.ts';

const anExport = (projectId: string, more: Partial<Export> = {}): Export => ({
  ...{ id: 'exp_1', revision: 1, kind: 'mp4', state: 'running', progress: 0, name: 'Ferry', projectId },
  ...{ files: [], folder: '/films/Ferry', createdAt: 1_000 },
  ...more,
});

const SHOTS = [aShot('a'), aShot('b', { config: { durationSeconds: 6 } })];

/** A film of two shots, the second without a take, on the page; and exports of it that were begun before. */
async function open(exports: Partial<Export>[] = [], answers: Answers = {}): Promise<OpenBoard> {
  let opened: OpenBoard | undefined;
  await acting(() => navigate('storyboard', { view: 'export' }));
  opened = await openBoard(
    { shots: SHOTS },
    {
      'film.preflight': () => preflightOf(opened?.saved().shots ?? SHOTS),
      'film.export': ({ projectId }) => anExport(projectId),
      'bundle.export': ({ projectId }) => anExport(projectId, { kind: 'bundle' }),
      'exports.list': ({ projectId = '' }) => ({ exports: exports.map((more) => anExport(projectId, more)) }),
      'exports.cancel': () => anExport('', { state: 'canceled', revision: 300 }),
      'exports.reveal': () => null,
      ...answers,
    },
  );
  await until(() => expect(document.querySelector('.main .grp')).not.toBeNull());
  return opened;
}

function preflightOf(shots: readonly Shot[]): Preflight {
  const played = shots.filter(({ skipped }) => !skipped);
  const stream = { width: 1_280, height: 720, fps: 24, videoCodec: 'avc1.640028', seconds: 4 };
  const isWhole = played.every(({ id }) => id === 'a');
  const message = 'Shot 2 has no take. Planned 6 s.';
  return {
    findings: isWhole ? [] : [{ level: 'stop', code: 'missing', shotId: 'b', message }],
    streams: played.map(({ id }) => (id === 'a' ? { shotId: id, ...stream } : { shotId: id })),
    canJoin: isWhole,
    whyNot: isWhole ? [] : [message],
    joinsPictures: isWhole,
    soundEncoded: [],
    encoderSpeed: 9_216_000,
  };
}

const exportButton = () => byText(labels.export, '.xPanel .sendbar button');
const panel = () => document.querySelector('.xPanel')?.textContent ?? '';
const spend = () => press('Enter', { ctrlKey: true });
const made = (id: string) => byText(id, '.earlier button');

/** The second shot is left out, and the board that says so has come back. */
async function leaveOut({ saved, elsewhere }: OpenBoard): Promise<void> {
  await click(byText(labels.leaveItOut));
  await saveNow();
  await until(() => expect(saved().shots[1]?.skipped).toBe(true));
  await elsewhere(() => ({}));
}

beforeEach(() => {
  freshBoard();
  useChoicesByProject.setState({}, true);
  useExportsView.setState({ shown: {}, started: {} });
});

test('the speed of the software encoder is told before any film was made', async () => {
  await open();
  window.localStorage.removeItem('dailies.encodedPixelsPerSecond');
  await until(() => expect(panel()).toContain('MP4, re-encodedAbout 0:'));
});

test('how long a joined film takes is told once one was made', async () => {
  window.localStorage.setItem('dailies.joinedPixelsPerSecond', '9216000');
  await leaveOut(await open());
  await until(() => expect(panel()).toContain('MP4, joined as it isAbout 0:10, '));
  window.localStorage.removeItem('dailies.joinedPixelsPerSecond');
});

test('a hole stops it with its ways out; with a still held for it, it is exported', async () => {
  const { studio, projectId } = await open();
  expect(exportButton().getAttribute('aria-disabled')).toBe('true');
  expect(panel()).toContain('Fix 1 problem first.');
  expect(document.body.textContent?.split('Shot 2 has no take').length).toBe(2);
  await spend();
  expect(studio.callsOf('film.export')).toEqual([]);
  await click(byText(labels.holdAStillS(6)));
  expect(exportButton().getAttribute('aria-disabled')).toBeNull();
  await spend();
  const order = { projectId, format: 'mp4', mode: 'encode', holes: 'still', beside: ['fcpxml', 'csv'] };
  await until(() => expect(studio.callsOf('film.export')).toMatchObject([order]));
});

test('a shot that is left out is skipped on the board, and can be put back here', async () => {
  await leaveOut(await open());
  await until(() => expect(panel()).not.toContain('Fix 1 problem'));
  byText(labels.restore);
  expect(exportButton().getAttribute('aria-disabled')).toBeNull();
});

test('a still that was held for a shot that needs none any more changes nothing', async () => {
  const opened = await open();
  await leaveOut(opened);
  await acting(() => useChoicesByProject.setState({ [opened.projectId]: { ...FIRST, held: ['b'] } }));
  await until(() => expect(document.querySelector<HTMLInputElement>('#x-film-join')?.checked).toBe(true));
  await spend();
  await until(() => expect(opened.studio.callsOf('film.export')).toMatchObject([{ mode: 'join' }]));
});

test('what could not be saved is not exported as it was before', async () => {
  const { studio } = await open([], { 'storyboard.save': () => fail('disk_full', 'The disk is full.') });
  await click(byText(labels.leaveItOut));
  await click(byText(labels.holdAStillS(6)));
  await spend();
  await until(() => expect(panel()).toContain('Nothing was exported. The disk is full.'));
  expect(studio.callsOf('film.export')).toEqual([]);
});

test('an export that is asked for goes on behind an earlier one: it is made once, and why it was refused is told', async () => {
  const asked = Promise.withResolvers<ReturnType<typeof fail>>();
  const done: Partial<Export> = { id: 'exp_0', state: 'done', createdAt: Date.now(), finishedAt: Date.now() };
  const { studio } = await open([done], { 'film.export': () => asked.promise });
  await click(byText(labels.holdAStillS(6)));
  await spend();
  await until(() => expect(studio.callsOf('film.export')).toHaveLength(1));
  await click(made('Ferry'));
  await click(byText(labels.newExport));
  await spend();
  await acting(() => asked.resolve(fail('disk_full', 'The disk is full.')));
  await until(() => expect(panel()).toContain('The disk is full.'));
  expect(studio.callsOf('film.export')).toHaveLength(1);
});

test('the loudness that is chosen stands on the board', async () => {
  const { saved } = await open();
  for (const [choice, loudness] of [
    ['−16', { target: -16 }],
    [labels.off, { isOff: true }],
  ] as const) {
    await click(byText(choice, '.xPanel [role="radio"]'));
    await saveNow();
    await until(() => expect(saved().sound?.loudness).toEqual(loudness));
  }
});

test('an export that runs is shown from its start to its end, and Esc cancels it without a question', async () => {
  const { studio, projectId } = await open([{ progress: 10, revision: 11 }]);
  const tell = (more: Partial<Export>) => studio.emit({ type: 'export.changed', export: anExport(projectId, more) });
  await until(() => expect(panel()).toContain('10 %'));
  await tell({ progress: 41, revision: 42 });
  // An older event that comes late takes nothing back.
  await tell({ progress: 20, revision: 21 });
  expect(panel()).toContain('41 %');
  await press('Escape');
  expect(studio.callsOf('exports.cancel')).toEqual([{ id: 'exp_1' }]);
  await tell({ state: 'canceled', revision: 300 });
  await click(made(ENDED.canceled));
  expect(panel()).toContain('Nothing was exported');
});

test('what was made stands with its files; one that failed says why', async () => {
  const files = [
    { name: 'Ferry.mp4', bytes: 61_400_000, mime: 'video/mp4', sha256: '' },
    { name: 'Ferry.csv', bytes: 2_000, mime: 'text/csv', sha256: '' },
  ];
  const { studio } = await open([
    { state: 'done', mode: 'encode', why: 'Shot 2 differs.', files, finishedAt: 48_000 },
    { id: 'exp_0', state: 'failed', error: 'The disk is full.', createdAt: 0, finishedAt: 1 },
  ]);
  await until(() => expect(document.querySelectorAll('.earlier button')).toHaveLength(2));
  await click(made('Ferry'));
  for (const words of ['Ferry.mp4', 'Ferry.csv', '61.4 MB', 'Shot 2 differs.', 'films/Ferry'])
    expect(panel()).toContain(words);
  await click(byText(labels.showInFolder));
  expect(studio.callsOf('exports.reveal')).toEqual([{ id: 'exp_1' }]);
  await click(byText(labels.newExport));
  await click(made(ENDED.failed));
  expect(panel()).toContain('The disk is full.');
});

test.each([
  ['failed', 'Its folder is not there; it stays in it.', 'left behind'],
  ['canceled', 'It may still be in it.', 'is removed'],
] as const)('of one that %s the studio alone says what became of what was half written', async (state, error, not) => {
  await open([{ state, error, finishedAt: 2 }]);
  await until(() => made(ENDED[state]));
  await click(made(ENDED[state]));
  expect(panel()).toContain(error);
  expect(panel()).not.toContain(not);
});

test('Esc goes back to the board, and the board’s button comes here', async () => {
  await open();
  const isShown = (is: boolean) => until(() => expect(document.querySelector('.xPanel') !== null).toBe(is));
  await press('Escape');
  await isShown(false);
  await press('e', { ctrlKey: true });
  await isShown(true);
});

test('a film with a shot without a take leaves as a bundle', async () => {
  const { studio, projectId } = await open();
  await click(byText(labels.saveAsABundle));
  expect(studio.callsOf('bundle.export')).toEqual([{ projectId }]);
  expect(studio.callsOf('film.export')).toEqual([]);
});
