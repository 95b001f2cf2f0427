import { expect, test } from 'vitest';
import type { BoardContent, Shot } from '../../../../shared/board/board.ts';
import { type CastMember, castMemberSchema } from '../../../../shared/board/cast.ts';
import { hashSent } from '../../../../shared/board/castReferences.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import { columnsOf, followingOf } from '../cast/useCast.ts';
import {
  freeName,
  labelCastReference,
  patchMember,
  removeMember,
  renameMember,
  setCastReference,
  whyNoName,
} from './castEdits.ts';
import { emptyShot } from './shots.ts';
import { viewOf } from './view.ts';

/** A cell shows what the selected take was sent with, and is outdated only if that reference image is no longer used. */

const ines = castMemberSchema.parse({ id: 'i', name: 'Ines', sheets: [{ assetId: 'one' }] });
const coat = castMemberSchema.parse({ id: 'c', name: 'Coat', words: 'grey' });
const shot: Shot = { ...emptyShot('s', 'm'), source: 'references', prompt: '@Ines', takes: ['t'], activeTake: 't' };
const sent = {
  id: 't',
  kind: 'video',
  state: 'succeeded',
  outputs: [],
  request: {
    kind: 'video',
    cast: [{ memberId: 'i', name: 'Ines', kind: 'person', slot: 1, sheet: 1, assetId: 'one' }],
  },
  inputs: [{ field: 'referenceImages.0', assetId: 'one', sha256: 'hash of one' }],
} as unknown as Job;
const assets = new Map(
  Object.entries({ one: 'hash of one', two: 'b', copy: 'hash of one' }).map(([id, sha256]) => [
    id,
    { id, sha256 } as Asset,
  ]),
);

function cellOf(member: string, cast: CastMember[], prompt = shot.prompt, job: Job | undefined = sent) {
  const jobs = new Map(job ? [[job.id, job]] : []);
  const shots = [{ ...shot, prompt, ...(job ? {} : { takes: [] }) }];
  return columnsOf(viewOf(shots, { jobs, assets }, cast), cast)[0]?.cells.get(member);
}

test('a cell is stale when its picture is none of the sheets any more, and only then', () => {
  const withReferences = (...ids: string[]) => [{ ...ines, sheets: ids.map((assetId) => ({ assetId })) }];
  expect(cellOf('i', withReferences('one'))).toMatchObject({ isStale: false, isPlanned: false });
  expect(cellOf('i', withReferences('two'))).toMatchObject({ isStale: true });
  expect(cellOf('i', withReferences('two', 'one'))).toMatchObject({ isStale: false });
  // The same bytes in another file are the same picture.
  expect(cellOf('i', withReferences('copy'))).toMatchObject({ isStale: false });
  expect(cellOf('i', [])).toBeUndefined();
  // Another prompt changes no existing take.
  expect(cellOf('i', withReferences('one'), 'None')).toMatchObject({
    isStale: false,
    isPlanned: false,
    use: { slot: 1 },
  });
});

test('who is named since, and everybody in a shot without a take, is planned', () => {
  expect(cellOf('c', [ines, coat], '@Ines in her @coat')).toMatchObject({ isPlanned: true, use: { words: 'grey' } });
  expect(cellOf('i', [ines, coat], '@Ines', { ...sent, id: 'other' })).toMatchObject({
    isPlanned: true,
    use: { slot: 1 },
  });
  expect(hashSent(sent, 1)).toBe('hash of one');
  expect(hashSent(sent, 2)).toBeUndefined();
});

test('a new name is written into every shot that names the member, and nothing else is changed', () => {
  const content: BoardContent = { shots: [shot, { ...shot, id: 'b', prompt: 'None' }], cast: [ines, coat] };
  const renamed = renameMember('i', 'Mara')(content);
  expect(renamed.shots.map(({ prompt }) => prompt)).toEqual(['@Mara', 'None']);
  expect(renamed.shots[1]).toBe(content.shots[1]);
  expect(renamed.cast?.map(({ name }) => name)).toEqual(['Mara', 'Coat']);
});

test('sheets are put in, exchanged with their label and taken out', () => {
  const labelled = patchMember('i', { sheets: [{ assetId: 'one', label: 'profile' }] })({ shots: [], cast: [ines] });
  const referencesAfter = (edit: (content: BoardContent) => BoardContent) => edit(labelled).cast?.[0]?.sheets;
  expect(referencesAfter(setCastReference('i', 'one', 'two'))).toEqual([{ assetId: 'two', label: 'profile' }]);
  expect(referencesAfter(setCastReference('i', undefined, 'two'))).toEqual([
    { assetId: 'one', label: 'profile' },
    { assetId: 'two' },
  ]);
  expect(referencesAfter(setCastReference('i', 'one', undefined))).toEqual([]);
  expect(referencesAfter(setCastReference('i', 'gone', undefined))).toEqual([{ assetId: 'one', label: 'profile' }]);
  expect(referencesAfter(labelCastReference('i', 'one', 'back'))).toEqual([{ assetId: 'one', label: 'back' }]);
  expect(removeMember('i')(labelled).cast).toEqual([]);
});

test('a name that cannot be says why', () => {
  const cast = [ines, coat];
  expect(whyNoName(' ', 'i', cast)).toContain('must not be empty');
  expect(whyNoName('a@b', 'i', cast)).toContain('no @');
  expect(whyNoName(' coat ', 'i', cast)).toBe('Name: Coat is in the cast already.');
  expect(whyNoName('ines', 'i', cast)).toBeUndefined();
  expect(freeName([{ ...ines, name: 'New' }])).toBe('New 2');
});

test('what was made from a redone shot follows it, itself or through others', () => {
  const made = (id: string, from: string): Job => ({ ...sent, id, inputs: [{ field: 'image', jobId: from }] });
  const chain = ['s', 'b', 'c', 'd'].map((id, at) => ({ ...shot, id, takes: [`t${at}`], activeTake: `t${at}` }));
  const takes = [{ ...sent, id: 't0' }, made('t1', 't0'), made('t2', 't1'), made('t3', 'elsewhere')];
  const jobs = new Map(takes.map((job) => [job.id, job]));
  const columns = columnsOf(viewOf(chain, { jobs, assets }, [ines]), [ines]);
  expect(followingOf(columns, columns.slice(0, 1)).map(({ view }) => view.shot.id)).toEqual(['b', 'c']);
});
