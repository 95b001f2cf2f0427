import { expect, test } from 'vitest';
import type { Studio } from '../../core/studio.ts';
import { type ActiveWork, type QuitDialog, QuitFlow, quitQuestion, readActiveWork, summaryOf } from './quitFlow.ts';

const some = (jobs: number, atMostNano = 0, unpriced = 0) => ({ jobs, atMostNano, unpriced });
const nothing = some(0);
const none: ActiveWork = {
  atGateway: nothing,
  unanswered: nothing,
  sandbox: nothing,
  downloads: 0,
  exports: 0,
  waiting: 0,
  reservedNano: 0,
  playNano: 0,
  night: null,
};
const at = (hours: number) => new Date(2026, 10, 21, hours).getTime();
const night = { number: 15, state: 'planned' as const, startsAt: at(23), endsAt: at(31) };
const busy: ActiveWork = {
  atGateway: some(2, 4_800_000_000),
  unanswered: nothing,
  sandbox: nothing,
  downloads: 1,
  exports: 0,
  waiting: 5,
  reservedNano: 8_300_000_000,
  playNano: 0,
  night,
};

test('the question names what would stop and what happens to it', () => {
  expect(quitQuestion(busy)).toEqual({
    type: 'question',
    message: 'Quit with 3 jobs running?',
    detail: [
      '2 jobs at the gateway, ≤ $4.80. Dailies fetches the results at its next start.',
      '1 download will resume.',
      '5 jobs waiting. Nothing is sent. Reserved: $8.30',
      'Overnight run 15 starts at 23:00, only if Dailies runs.',
    ].join('\n'),
    buttons: ['Close window, keep running', 'Quit', 'Stay'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
});

test.each([
  [
    { ...none, atGateway: some(1, 1e9) },
    'Quit with 1 job running?',
    '1 job at the gateway, ≤ $1.00. Dailies fetches the results at its next start.',
  ],
  [
    { ...none, atGateway: some(1, 0, 1) },
    'Quit with 1 job running?',
    '1 job at the gateway, no price set. Dailies fetches the results at its next start.',
  ],
  [
    { ...none, unanswered: some(1, 3.2e9) },
    'Quit with 1 job running?',
    '1 job without an answer, ≤ $3.20. Without one within seconds, results may be lost and still be billed.',
  ],
  [
    {
      ...none,
      atGateway: some(1, 1e9),
      unanswered: some(2, 1e9, 2),
    },
    'Quit with 3 jobs running?',
    [
      '1 job at the gateway, ≤ $1.00. Dailies fetches the results at its next start.',
      '2 jobs without an answer, ≤ $1.00 and 2 without a price. Without one within seconds, results may be lost and still be billed.',
    ].join('\n'),
  ],
  [{ ...none, waiting: 1, reservedNano: 0 }, 'Quit with 1 job waiting?', '1 job waiting. Nothing is sent.'],
  [
    {
      ...none,
      atGateway: some(1, 3.2e9),
      sandbox: some(2, 6.4e9),
      waiting: 2,
      reservedNano: 1e9,
      playNano: 2e9,
    },
    'Quit with 3 jobs running?',
    [
      '1 job at the gateway, ≤ $3.20. Dailies fetches the results at its next start.',
      '2 jobs in the sandbox, ≤ $6.40 of test money. The sandbox stops with Dailies.',
      '2 jobs waiting. Nothing is sent. Reserved: $1.00 and $2.00 of test money',
    ].join('\n'),
  ],
  [
    { ...none, sandbox: some(1, 0, 1) },
    'Quit with 1 job running?',
    '1 job in the sandbox, no price set. The sandbox stops with Dailies.',
  ],
  [
    { ...none, waiting: 1, playNano: 2e9 },
    'Quit with 1 job waiting?',
    '1 job waiting. Nothing is sent. Reserved: $2.00 of test money',
  ],
  [{ ...none, exports: 1 }, 'Quit with 1 export running?', '1 export will stop. Half-written files are removed.'],
  [
    { ...none, downloads: 1, exports: 2, night },
    'Quit with 1 job and 2 exports running?',
    [
      '1 download will resume.',
      '2 exports will stop. Half-written files are removed.',
      'Overnight run 15 starts at 23:00, only if Dailies runs.',
    ].join('\n'),
  ],
  [
    { ...none, night },
    'Quit with overnight run 15 scheduled?',
    'Overnight run 15 starts at 23:00, only if Dailies runs.',
  ],
  [
    { ...none, night: { ...night, state: 'open' as const } },
    'Quit with overnight run 15 running?',
    'Overnight run 15 sends until 07:00, only while Dailies runs.',
  ],
])('%j', (work, message, detail) => {
  expect(quitQuestion(work)).toMatchObject({ message, detail });
});

test.each([
  [none, 'No jobs running'],
  [{ ...none, exports: 1 }, '1 export running'],
  [{ ...none, unanswered: some(1) }, '1 running'],
  [{ ...busy, exports: 2 }, '3 running, 2 exports running, 5 waiting, overnight run 15 starts at 23:00'],
])('the tray says %#', (work, summary) => {
  expect(summaryOf(work)).toBe(summary);
});

/** A studio with only these jobs and exports. */
function studioOf(jobs: { state: string }[], exports: { state: string }[] = [], paused = false): Studio {
  const answers: Record<string, unknown> = {
    'queue.status': { paused },
    'night.get': { current: null, leftOver: [] },
    'exports.list': { exports },
  };
  const call = async (name: string, { states = [] }: { states?: string[] }) => ({
    ok: true,
    data: answers[name] ?? { jobs: jobs.filter(({ state }) => states.includes(state)) },
  });
  return { call } as unknown as Studio;
}

test('exports that run are work, whatever the queue does', async () => {
  const studio = studioOf([], [{ state: 'done' }, { state: 'running' }, { state: 'failed' }], true);
  expect(await readActiveWork(studio)).toEqual({ ...none, exports: 1 });
});

test('test money is counted apart from real money', async () => {
  const money = { reservedNano: 1e9 };
  const jobs = [
    { state: 'running', profileId: 'sandbox', remoteId: 'task-1', money },
    { state: 'running', profileId: 'p', remoteId: 'task-2', money },
    { state: 'sending', profileId: 'sandbox', money },
    { state: 'queued', profileId: 'sandbox', money },
    { state: 'queued', profileId: 'p', money },
    { state: 'queued', profileId: 'p', money },
  ];
  expect(await readActiveWork(studioOf(jobs))).toEqual({
    ...none,
    atGateway: some(1, 1e9),
    sandbox: some(2, 2e9),
    waiting: 3,
    reservedNano: 2e9,
    playNano: 1e9,
  });
});

test('only what the gateway has named can be asked for at the next start', async () => {
  const money = { reservedNano: 1e9 };
  const jobs = [
    { state: 'running', remoteId: 'task-1', money },
    // A chat that is answering.
    { state: 'running', money },
    { state: 'sending', money: { reservedNano: 0, unpriced: true } },
    // Sent again: the id is the first request's.
    { state: 'sending', remoteId: 'task-0', money },
    { state: 'fetching', remoteId: 'task-2', money },
  ];
  expect(await readActiveWork(studioOf(jobs))).toEqual({
    ...none,
    atGateway: some(1, 1e9),
    unanswered: some(3, 2e9, 1),
    downloads: 1,
  });
});

function harness(work: ActiveWork | null | Error, staysWithoutWindow = false) {
  const done: string[] = [];
  const asked: { question: QuitDialog; answer(button: number): void }[] = [];
  const leaving = new QuitFlow({
    readActiveWork: async () => {
      if (work instanceof Error) throw work;
      return work;
    },
    ask: (question) => new Promise((answer) => void asked.push({ question, answer })),
    closeWindow: () => void done.push('close'),
    continueInBackground: ({ waiting }) => void done.push(`go on with ${waiting}`),
    quit: () => void done.push('quit'),
    staysWithoutWindow,
  });
  return { leaving, done, asked };
}

test.each([
  ['work', busy, false, ['close', 'go on with 5']],
  ['an export', { ...none, exports: 1 }, false, ['close', 'go on with 0']],
  ['an armed night', { ...none, night }, false, ['close', 'go on with 0']],
  ['nothing', none, false, ['quit']],
  ['nothing on macOS', none, true, ['close']],
  ['no studio yet', null, false, ['quit']],
  ['a studio that does not answer', new Error('closed'), false, ['quit']],
])('closing the window with %s', async (_, work, staysWithoutWindow, expected) => {
  const { leaving, done } = harness(work, staysWithoutWindow);
  await leaving.windowClosed();
  expect(done).toEqual(expected);
});

test.each([
  [0, ['close', 'go on with 5']],
  [1, ['quit']],
  [2, []],
])('quitting with work asks, and answer %i is done', async (button, expected) => {
  const { leaving, done, asked } = harness(busy);
  const deciding = leaving.quitRequested();
  await expect.poll(() => asked.length).toBe(1);
  // A second quit while the question is open asks nothing twice, and is decided with it.
  const tries = [leaving.quitRequested(), leaving.windowClosed()];
  asked[0]?.answer(button);
  await Promise.all([deciding, ...tries]);
  expect([asked.length, done]).toEqual([1, expected]);
});

test('quitting with nothing to do asks nothing', async () => {
  const { leaving, done, asked } = harness(none);
  await leaving.quitRequested();
  expect([asked.length, done]).toEqual([0, ['quit']]);
});
