import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { fail, ok } from '../../../shared/contract/result.ts';
import { packFrames } from '../../../shared/film/frameSeries.ts';
import { GRID_SIDE, type MeasuredFile, type MediaMeasures } from '../../../shared/film/measures.ts';
import type { Job, JobInput } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { ChangedTriageLimits } from '../../../shared/triage/limits.ts';
import type { CoreEventMap } from '../coreEvents.ts';
import { Triage } from './index.ts';

const grid = (grey: number) => Buffer.alloc(GRID_SIDE * GRID_SIDE * 3, grey).toString('base64');

/** Four seconds that move, with a cut of that size in the middle. */
function measures({ grey = 90, cut = 0 } = {}): MediaMeasures {
  const frames = Array.from({ length: 96 }, (_, index) => {
    const change = index === 48 && cut > 0 ? cut : 0.02;
    return { at: index / 24, light: 0.4, peak: 0.9, change, lasting: change, repeats: 0, isFirst: index === 0 };
  });
  const edge = [{ at: 0, lab: [(grey / 255) * 100, 0, 0] as [number, number, number], change: null }];
  const size = { width: 1280, height: 720, frames: 96, fps: 24 };
  const pictures = { ...size, first: grid(grey), last: grid(grey), start: edge, end: edge, series: packFrames(frames) };
  return { seconds: 4, pictures, tookMs: 700 };
}

const clip = (id: string, extra: Partial<Asset> = {}): Asset =>
  ({ id, sha256: `hash of ${id}`, mime: 'video/mp4', state: 'local', role: 'output', seconds: 4, ...extra }) as Asset;

interface Given {
  id: string;
  outputs?: Asset[];
  inputs?: JobInput[];
  projectId?: string;
  runId?: string;
  kind?: Job['kind'];
}

const job = ({ id, outputs = [clip(`clip of ${id}`)], ...rest }: Given): Job =>
  ({ kind: 'video', state: 'succeeded', ...rest, id, outputs }) as Job;

function triage(given: Given[], known: Record<string, MeasuredFile> = {}) {
  const jobs = given.map(job);
  const asked: string[] = [];
  const events = new EventEmitter<CoreEventMap>();
  let changed: ChangedTriageLimits | undefined;
  const made = new Triage({
    jobs: {
      get: (id) => {
        const found = jobs.find((one) => one.id === id);
        return found ? ok(found) : fail('not_found', 'There is no such job.');
      },
      made: () => ({ jobs, lastEndedAt: 5 }),
    },
    measures: (sha256s) => {
      asked.push(...sha256s);
      return Object.fromEntries(sha256s.map((sha256) => [sha256, known[sha256] ?? { state: 'waiting' }]));
    },
    night: (runId) =>
      runId === 'gone' ? fail('not_found', 'runId: there is no such night.') : ok({ id: 'n', number: 16 }),
    limitsOf: (projectId) => (projectId === 'film' ? changed : undefined),
    setLimits: (projectId, limits) => {
      if (projectId !== 'film') return fail('not_found', 'There is no such project.');
      changed = limits;
      return ok(null);
    },
    events,
  });
  const list = () => {
    const page = made.list({});
    if (!page.ok) throw new Error(page.error.message);
    return page.data;
  };
  return { triage: made, asked, events, list };
}

const measured = (of: MediaMeasures): MeasuredFile => ({ state: 'measured', measures: of });

test('what was never measured is asked for, and the take says that it waits', () => {
  const { list, asked } = triage([{ id: 'a' }]);
  expect(list().takes).toEqual([expect.objectContaining({ jobId: 'a', state: 'waiting', findings: [] })]);
  expect(asked).toEqual(['hash of clip of a']);
});

test('a take is clean, to look at or broken by what was measured of it', () => {
  const { list } = triage([{ id: 'a' }, { id: 'b' }, { id: 'c' }], {
    'hash of clip of a': measured(measures()),
    'hash of clip of b': measured(measures({ cut: 0.5 })),
    'hash of clip of c': { state: 'failed', message: 'Clips coded as hevc cannot be decoded here.' },
  });
  expect(list()).toMatchObject({ run: { id: 'n', number: 16 }, others: 0, lastEndedAt: 5 });
  expect(list().takes).toMatchObject([
    { jobId: 'a', state: 'clean', findings: [], tookMs: 700 },
    { jobId: 'b', state: 'look', findings: [{ kind: 'cut', at: 2, frame: 49 }] },
    { jobId: 'c', state: 'broken', why: 'Clips coded as hevc cannot be decoded here.', findings: [] },
  ]);
});

test('a changed limit names other takes, without measuring anything anew', () => {
  const {
    triage: made,
    list,
    asked,
  } = triage([{ id: 'b', projectId: 'film' }, { id: 'other' }], {
    'hash of clip of b': measured(measures({ cut: 0.5 })),
    'hash of clip of other': measured(measures({ cut: 0.5 })),
  });
  expect(list().takes.map(({ state }) => state)).toEqual(['look', 'look']);
  const before = asked.length;
  expect(made.setLimits({ projectId: 'film', limits: { cut: 0.6, black: 0.02 } })).toMatchObject({
    ok: true,
    data: { limits: { cut: 0.6, black: 0.02, frozen: 8 } },
  });
  const page = list();
  expect(page.takes.map(({ state }) => state)).toEqual(['clean', 'look']);
  // What is as shipped is not stored.
  expect(page.limits).toMatchObject({ film: { changed: { cut: 0.6 } }, '': { changed: {}, limits: { cut: 0.25 } } });
  expect(page.limits.film?.changed).not.toHaveProperty('black');
  expect(asked.slice(before)).toEqual(asked.slice(0, before));
  expect(made.setLimits({ projectId: 'gone', limits: {} })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

test('the first frame is compared with the frame that was sent: a picture, or the end of the extended clip', () => {
  const inputs = (field: string): JobInput[] => [
    { field: 'referenceImages.0', sha256: 'hash of a reference' },
    { field, sha256: 'hash of what was sent', jobId: 'before', output: 1 },
  ];
  const known = {
    'hash of clip of a': measured(measures({ grey: 160 })),
    'hash of what was sent': measured(measures({ grey: 90 })),
  };
  for (const [field, end] of [
    ['image', 'first'],
    ['video', 'last'],
  ] as const) {
    const [take] = triage([{ id: 'a', inputs: inputs(field) }], known).list().takes;
    expect(take).toMatchObject({ state: 'look', given: { jobId: 'before', output: 1, end } });
    expect(take?.findings).toMatchObject([{ kind: 'jump', at: 0, value: expect.closeTo(70 / 255, 2) }]);
  }
  const [later] = triage([{ id: 'a', inputs: inputs('lastFrame') }], known).list().takes;
  expect(later).toMatchObject({ state: 'clean' });
  expect(later).not.toHaveProperty('given');
});

test('an extension that holds its source is not compared with the end of it', () => {
  const inputs = [{ field: 'video', sha256: 'hash of what was sent' }];
  const known = (seconds: number) => ({
    'hash of clip of a': measured({ ...measures({ grey: 160 }), seconds }),
    'hash of what was sent': measured(measures({ grey: 90 })),
  });
  const [whole] = triage([{ id: 'a', inputs }], known(11)).list().takes;
  expect(whole).toMatchObject({ state: 'clean', given: { why: 'This take contains the clip that it extends.' } });
  const [alone] = triage([{ id: 'a', inputs }], known(7)).list().takes;
  expect(alone).toMatchObject({ state: 'look', findings: [{ kind: 'jump' }] });
});

test('where what was sent is not there any more, the take is measured without it, and says so', () => {
  const inputs = [{ field: 'image', sha256: 'hash of what was sent' }];
  const known = { 'hash of clip of a': measured(measures()) };
  const waiting = triage([{ id: 'a', inputs }], known).list().takes[0];
  expect(waiting).toMatchObject({ state: 'waiting' });
  const gone = triage([{ id: 'a', inputs }], { ...known, 'hash of what was sent': { state: 'missing' } });
  expect(gone.list().takes[0]).toMatchObject({
    state: 'clean',
    given: { why: 'The image that was sent is no longer on this disk.' },
  });
  const address = triage([{ id: 'a', inputs: [{ field: 'image', uri: 'gs://x/y.png' }] }], known);
  expect(address.list().takes[0]).toMatchObject({
    state: 'clean',
    given: { why: 'The image was sent as an address.' },
  });
});

test('each clip of a job is a take; pictures are counted, and what is not on this disk says so', () => {
  const outputs = [
    clip('one'),
    clip('two'),
    clip('three', { state: 'remote', mime: '', sha256: '' }),
    clip('four', { mime: 'image/png' }),
  ];
  const { list } = triage([{ id: 'a', outputs }]);
  expect(list().others).toBe(1);
  expect(list().takes.map(({ output, state }) => [output, state])).toEqual([
    [0, 'waiting'],
    [1, 'waiting'],
    [2, 'absent'],
  ]);
});

test('takes of a night are measured as they come, others when somebody asks', () => {
  const { asked, events } = triage([{ id: 'a', runId: 'n' }, { id: 'b' }]);
  events.emit('output.settled', 'b');
  events.emit('output.settled', 'a');
  expect(asked).toEqual(['hash of clip of a']);
});

test('a night that is not there is refused', () => {
  expect(triage([]).triage.list({ runId: 'gone' })).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
