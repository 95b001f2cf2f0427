import { expect, test } from 'vitest';
import { MAX_CHAIN, type Shot } from '../../../../shared/board/board.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { LookUpMedia } from '../../../../shared/library/mediaRef.ts';
import { emptyShot, startedByHand } from '../model/shots.ts';
import { viewOf } from '../model/view.ts';
import { brokenChain, brokenText, chainAt, shotsText, staleText, whyTooMany } from './chains.ts';
import { chooseLink, linkChoices } from './linkChoices.ts';

const clip = (take: string): Asset =>
  ({ id: `c-${take}`, sha256: `hash ${take}`, role: 'output', seconds: 4 }) as Asset;
const job = (id: string, more: Partial<Job> = {}): Job =>
  ({
    id,
    kind: 'video',
    state: 'succeeded',
    profileId: 'p',
    model: 'm',
    outputs: [clip(id)],
    dependsOn: [],
    request: { kind: 'video', model: 'm', prompt: 'x' },
    ...more,
  }) as Job;
const from = (id: string, ref: string, more: Partial<Job> = {}): Job =>
  job(id, { request: { kind: 'video', model: 'm', prompt: 'x', image: { jobId: ref, frame: 'last' } }, ...more });
const shot = (id: string, more: Partial<Shot> = {}): Shot => ({ ...emptyShot(id, 'm'), prompt: id, ...more });
const joined = (id: string, take?: string): Shot =>
  shot(id, { joint: 'continue', source: 'first', ...(take ? { takes: [take], activeTake: take } : {}) });

const views = (shots: Shot[], ...jobs: Job[]) =>
  viewOf(shots, { jobs: new Map(jobs.map((one) => [one.id, one])), assets: new Map() });

const held: LookUpMedia = () => ({ status: 'ready', type: 'video' });
const facts = { lookUp: held, profileId: 'p', models: ['m'] };
const offOf = (shots: Shot[], jobs: Job[], more: Partial<typeof facts> = {}) =>
  linkChoices(views(shots, ...jobs), 1, { ...facts, ...more })?.choices.find(({ kind }) => kind === 'extend')?.off;

const first = shot('a', { takes: ['a1'], activeTake: 'a1' });

test('a chosen link sets the source, the slot and, for an extension, the model', () => {
  const shots = [first, shot('b', { model: 'other' })];
  const choices = linkChoices(views(shots, job('a1')), 1, facts);
  if (!choices) throw new Error('A second shot has a link.');
  expect(chooseLink(choices, 'continue')(shots)[1]).toMatchObject({
    joint: 'continue',
    source: 'first',
    image: { jobId: 'a1', frame: 'last' },
    model: 'other',
  });
  const extended = chooseLink(choices, 'extend')(shots)[1];
  expect(extended).toMatchObject({ joint: 'extend', source: 'extend', video: { jobId: 'a1' }, model: 'm' });
  const again = [first, extended ?? first];
  const next = linkChoices(views(again, job('a1')), 1, facts);
  expect(next && chooseLink(next, 'cut')(again)[1]).toMatchObject({ joint: 'cut', source: 'text' });
  expect(linkChoices(views(shots, job('a1')), 0, facts)).toBeUndefined();
});

test('an extension that is not possible says why', () => {
  const shots = [first, shot('b')];
  expect(offOf(shots, [job('a1')])).toBeUndefined();
  expect(offOf([shot('a'), shot('b')], [])).toBeUndefined();
  expect(offOf(shots, [job('a1')], { lookUp: () => ({ status: 'ready', type: 'video', remoteUri: false }) })).toContain(
    'Take 1 of shot 1 is not at this gateway',
  );
  expect(offOf(shots, [job('a1')], { profileId: 'q' })).toContain('is not at this gateway');
  expect(offOf(shots, [job('a1')], { models: [] })).toContain('This gateway does not list');
  const ends = shot('b', { source: 'firstLast', lastFrame: { assetId: 'end' } });
  expect(offOf([first, ends], [job('a1')])).toContain('ends on a frame you chose');
});

test('a start set by hand removes a chosen link, and the source of another link chooses that', () => {
  expect(startedByHand(joined('b'), { image: { assetId: 'mine' } })).toEqual({
    image: { assetId: 'mine' },
    joint: undefined,
  });
  expect(startedByHand(joined('b'), { source: 'firstLast' })).toMatchObject({ joint: 'transition' });
  expect(startedByHand(joined('b'), { source: 'text' })).toMatchObject({ joint: undefined });
});

test('a chain goes from a shot to the next cut, and back to what has no take yet', () => {
  const shots = [shot('a'), joined('b'), joined('c'), shot('d', { joint: 'cut' }), joined('e')];
  const all = views(shots);
  const chain = (at: number) => shotsText(chainAt(all, all[at] as never));
  expect([chain(0), chain(1), chain(2), chain(3)]).toEqual(['shots 1–3', 'shots 1–3', 'shots 1–3', 'shots 4 and 5']);
  const made = views([first, joined('b'), joined('c')], job('a1'));
  expect(shotsText(chainAt(made, made[1] as never))).toBe('shots 2 and 3');
});

test('a chain of more shots than are made together says so before it is priced', () => {
  const film = (count: number) =>
    views([shot('a'), ...Array.from({ length: count - 1 }, (_, index) => joined(`b${index}`))]);
  const why = (count: number) => {
    const all = film(count);
    return whyTooMany(chainAt(all, all[0] as never).length);
  };
  expect(why(MAX_CHAIN)).toBeUndefined();
  expect(why(MAX_CHAIN + 1)).toBe('At most 100 shots at once; these are 101.');
});

test('where one take of a chain was not made, the line says which were not sent for it', () => {
  const shots = [first, joined('b', 'b1'), joined('c', 'c1')];
  const dead = from('b1', 'a1', { state: 'failed', dependsOn: ['a1'] });
  const behind = from('c1', 'b1', { state: 'failed', dependsOn: ['b1'] });
  const broken = brokenChain(views(shots, job('a1'), dead, behind));
  expect(broken && brokenText(broken)).toBe('Take 1 of shot 2 was not made. Not sent, not billed: shot 3.');
  expect(brokenChain(views(shots, job('a1'), job('b1'), behind))).toBeUndefined();
});

test('the notice names the shot that changed, or the changed link', () => {
  const shots = [{ ...first, takes: ['a1', 'a2'], activeTake: 'a2' }, joined('b', 'b1'), joined('c', 'c1')];
  const jobs = [job('a1'), job('a2'), from('b1', 'a1'), from('c1', 'b1')];
  const line = (given: Shot[]) => {
    const all = views(given, ...jobs);
    return staleText(
      { shots: all, cast: [] },
      all.filter(({ state }) => state.isStale),
    );
  };
  expect(line(shots)).toBe('Shots 2 and 3 continue from an old take of shot 1.');
  const [one = first, two = first, three = first] = shots;
  const moved = [{ ...one, activeTake: 'a1' }, three, two];
  expect(line(moved)).toBe('Shots 2 and 3: the link has changed.');
});

test('what is being redone is told apart from what is stale and waits for a decision', () => {
  const redone = joined('b', 'b1');
  const shots = [
    { ...first, takes: ['a1', 'a2'], activeTake: 'a2' },
    { ...redone, takes: ['b1', 'b2'], activeTake: 'b2' },
  ];
  const running = from('b2', 'a2', { state: 'running', outputs: [] });
  const [, view] = views(shots, job('a1'), job('a2'), from('b1', 'a1'), running);
  expect([view?.state.isStale, view?.isBeingRedone, view?.active?.jobId]).toEqual([true, true, 'b1']);
});

test('the line names the member whose picture was changed, alone and beside a take', () => {
  const cast = [{ id: 'i', name: 'Ines', kind: 'person' as const, words: '', sheets: [{ assetId: 'new' }] }];
  const use = { memberId: 'i', name: 'Ines', kind: 'person', slot: 1, sheet: 1, assetId: 'old' };
  const sent = job('c1', { request: { kind: 'video', model: 'm', prompt: 'x', cast: [use] } as never });
  const line = (playing: string, ...more: Shot[]) => {
    const shots = [{ ...first, takes: ['a1', 'a2'], activeTake: playing }, ...more];
    const known = {
      jobs: new Map([job('a1'), job('a2'), from('b1', 'a1'), sent].map((one) => [one.id, one])),
      assets: new Map(),
    };
    const all = viewOf(shots, known, cast);
    return staleText(
      { shots: all, cast },
      all.filter(({ state }) => state.isStale),
    );
  };
  const own = shot('c', { takes: ['c1'], activeTake: 'c1' });
  expect(line('a1', own)).toBe('Shot 2: Ines changed.');
  expect(line('a2', joined('b', 'b1'), own)).toBe('Shots 2 and 3: Ines, shot 1 changed.');
});
