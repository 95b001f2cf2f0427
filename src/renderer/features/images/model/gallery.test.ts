import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { editBeside, editFacts, familyOf, picturesOf } from './gallery.ts';

const asset = (id: string, jobId: string, more: Partial<Asset> = {}): Asset =>
  ({ id, jobId, mime: 'image/png', role: 'output', state: 'local', ...more }) as Asset;
const job = (id: string, request: StudioRequest, outputs: Asset[], more: Partial<Job> = {}): Job =>
  ({ id, kind: request.kind, request, outputs, state: 'succeeded', createdAt: Number(id.slice(1)), ...more }) as Job;
const edit = (base: string): StudioRequest => ({ kind: 'edit', base: { assetId: base }, mask: { assetId: 'm' } });

const jobs = new Map(
  [
    job('j1', { kind: 'imagine', prompt: 'sea' }, [
      asset('grid', 'j1', { role: 'grid' }),
      asset('a', 'j1'),
      asset('b', 'j1'),
    ]),
    job('j2', edit('a'), [asset('a2', 'j2')]),
    job('j3', edit('a2'), [asset('a3', 'j3')]),
    job('j4', { kind: 'imagine', prompt: 'sky' }, [asset('c', 'j4')]),
    job('j5', edit('a'), [], { state: 'failed' }),
    job('j6', { kind: 'imagine', prompt: 'fog' }, [], { state: 'running' }),
  ].map((entry) => [entry.id, entry]),
);

test('the strip holds pictures and what is being made, without grid sheets and without what was refused', () => {
  const shown = picturesOf([...jobs.values()], [], new Map([['a', asset('a', 'j1', { thumbnailId: 't' })]]));
  expect(shown.map((picture) => picture.asset?.id ?? picture.job?.id)).toEqual(['j6', 'c', 'a3', 'a2', 'a', 'b']);
  expect(shown[4]?.asset?.thumbnailId).toBe('t');
});

test('versions of a picture stand together, through edits of edits', () => {
  const family = new Set(['a', 'b', 'a2', 'a3']);
  expect(familyOf('a3', jobs)).toEqual(family);
  expect(familyOf('b', jobs)).toEqual(family);
  expect(familyOf('c', jobs)).toEqual(new Set(['c']));
  expect(familyOf('imported', jobs)).toEqual(new Set(['imported']));
});

test('an edit with the original put back outside stands with the versions of its picture', () => {
  const restored = asset('r', '', { jobId: undefined, parentId: 'a3' });
  expect(familyOf('r', jobs, [restored])).toEqual(new Set(['a', 'b', 'a2', 'a3', 'r']));
  expect(familyOf('b', jobs, [restored]).has('r')).toBe(true);
});

test('an edit that names itself through a circle ends', () => {
  const circle = new Map([
    ['x', job('j1', edit('q'), [asset('p', 'j1')])],
    ['y', job('j2', edit('p'), [asset('q', 'j2')])],
  ]);
  expect(familyOf('p', circle).has('p')).toBe(true);
});

test('beside an edited picture stands its own edit; beside a plain one the newest edit of it', () => {
  expect(editBeside(asset('a3', 'j3'), jobs)).toMatchObject({ baseId: 'a2', maskId: 'm' });
  expect(editBeside(asset('a', 'j1'), jobs)?.job.id).toBe('j2');
  expect(editBeside(asset('c', 'j4'), jobs)).toBeUndefined();
  expect(editFacts(jobs.get('j1'), jobs)).toBeUndefined();
});

test('pictures that were brought in stand among those that were made, by their day', () => {
  const imported = ['i3', 'i9'].map((id) => asset(id, '', { jobId: undefined, createdAt: Number(id.slice(1)) }));
  const shown = picturesOf([...jobs.values()], imported, new Map());
  expect(shown.map((picture) => picture.asset?.id ?? picture.job?.id)).toEqual([
    'i9',
    'j6',
    'c',
    'a3',
    'i3',
    'a2',
    'a',
    'b',
  ]);
});
