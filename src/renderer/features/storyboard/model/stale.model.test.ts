import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toSend } from '../../../../shared/board/assignReferences.ts';
import { requestOfShot, type Shot } from '../../../../shared/board/board.ts';
import { clipRefOf, lastFrameOf, startedFrom } from '../../../../shared/board/shotLinks.ts';
import type { Job, JobInput } from '../../../../shared/jobs/job.ts';
import type { StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { emptyShot, patchShot } from './shots.ts';
import { type ShotView, viewOf } from './view.ts';

/**
 * Two shots under random changes: the first's selected take, the second's slot, and takes made from it. The mark is compared with a fact
 * that the model keeps: the hash that the selected take was made from.
 */

const TAKES = ['t0', 't1', 't2'];
const CLIPS = 2;
const SOURCES = ['first', 'firstLast', 'extend', 'text'] as const;

interface World {
  shots: readonly Shot[];
  jobs: Map<string, Job>;
  assets: Map<string, Asset>;
  /** The field and hash that each take of the second shot was sent with; absent if made from text alone. */
  madeOf: Map<string, Pick<JobInput, 'field' | 'sha256'>>;
}

const clipOf = (take: string, at: number): string => `clip-${take}-${at}`;
const frameOf = (take: string, at: number): string => `frame-${take}-${at}`;

/** `hashes` of every clip and its last frame; two may be equal. */
function worldOf(hashes: readonly number[]): World {
  const jobs = new Map<string, Job>();
  const assets = new Map<string, Asset>();
  for (const [number, take] of TAKES.entries()) {
    const outputs: Asset[] = [];
    for (let at = 0; at < CLIPS; at++) {
      const hash = hashes[number * CLIPS + at] ?? 0;
      const of = { jobId: take, outputIndex: at, seconds: 4 };
      const frame = { ...of, id: frameOf(take, at), sha256: `frame ${hash}`, role: 'frame' } as Asset;
      const clip = {
        ...of,
        id: clipOf(take, at),
        sha256: `clip ${hash}`,
        lastFrameId: frame.id,
        role: 'output',
      } as Asset;
      outputs.push(clip);
      assets.set(frame.id, frame).set(clip.id, clip);
    }
    jobs.set(take, { id: take, state: 'succeeded', kind: 'video', outputs, request: { kind: 'video' } } as Job);
  }
  const first: Shot = { ...emptyShot('a', 'm'), takes: [...TAKES], activeTake: 't0' };
  return { shots: [first, emptyShot('b', 'm')], jobs, assets, madeOf: new Map() };
}

const seen = (world: World): ShotView[] => viewOf(world.shots, world);

/** The asset of a reference at sending: a job means its first clip, or that clip's last frame. */
function assetOf({ assets }: World, ref: MediaRef): Asset | undefined {
  if ('assetId' in ref) return assets.get(ref.assetId);
  if ('uri' in ref) return undefined;
  return assets.get('frame' in ref ? frameOf(ref.jobId, ref.output ?? 0) : clipOf(ref.jobId, ref.output ?? 0));
}

/** A take of the second shot, with its inputs as the studio keeps them. */
function make(world: World): void {
  const [, shot = emptyShot('b', 'm')] = world.shots;
  const id = `n${shot.takes.length}`;
  const request = requestOfShot(toSend(shot)) as Extract<StudioRequest, { kind: 'video' }>;
  const field = request.video ? 'video' : 'image';
  const ref = request[field];
  const asset = ref && assetOf(world, ref);
  const inputs = asset
    ? [{ field, assetId: asset.id, sha256: asset.sha256, jobId: asset.jobId, output: asset.outputIndex } as JobInput]
    : [];
  const outputs = [{ id: `clip-${id}`, sha256: `clip of ${id}`, role: 'output', seconds: 4 } as Asset];
  world.jobs.set(id, { id, state: 'succeeded', kind: 'video', outputs, request, inputs } as Job);
  if (asset) world.madeOf.set(id, { field, sha256: asset.sha256 });
  world.shots = patchShot('b', { takes: [...shot.takes, id], activeTake: id })(world.shots);
}

interface Step {
  action: 'play' | 'playMine' | 'slot' | 'link' | 'make';
  take: number;
  at: number;
  source: (typeof SOURCES)[number];
}

function does(world: World, { action, take, at, source }: Step): void {
  const [before, side] = seen(world);
  const jobId = TAKES[take] ?? 't0';
  if (action === 'make') make(world);
  if (action === 'play') world.shots = patchShot('a', { activeTake: jobId, activeOutput: at })(world.shots);
  const mine = side?.shot.takes[take];
  if (action === 'playMine' && mine) world.shots = patchShot('b', { activeTake: mine })(world.shots);
  if (action === 'link' && before?.active && side?.link)
    world.shots = world.shots.map((shot) =>
      shot === side.shot && side.link && before.active ? startedFrom(shot, side.link.kind, before.active) : shot,
    );
  if (action !== 'slot') return;
  const view = {
    jobId,
    number: 1,
    job: undefined,
    clips: [],
    clip: world.assets.get(clipOf(jobId, at)),
    clipIndex: at,
  };
  const slot = source === 'extend' ? { video: clipRefOf(view) } : { image: lastFrameOf(view) };
  world.shots = patchShot('b', { source, ...(source === 'text' ? {} : slot) })(world.shots);
}

/** The expected mark, from hashes alone. */
function isStaleByHash(world: World): boolean | undefined {
  const [before, side] = seen(world);
  const made = world.madeOf.get(side?.active?.jobId ?? '');
  const clip = before?.active?.clip;
  if (!made || !clip) return undefined;
  const plays = made.field === 'video' ? clip : world.assets.get(clip.lastFrameId ?? '');
  return made.sha256 !== plays?.sha256;
}

const step = fc.record<Step>({
  action: fc.constantFrom('play', 'playMine', 'slot', 'link', 'make'),
  take: fc.nat(TAKES.length - 1),
  at: fc.nat(CLIPS - 1),
  source: fc.constantFrom(...SOURCES),
});
const hashes = fc.array(fc.nat(3), { minLength: TAKES.length * CLIPS, maxLength: TAKES.length * CLIPS });

test('whatever is changed, a take is stale where its input’s hash is not that of what plays before it', () => {
  const met = { stale: 0, fresh: 0, kept: 0 };
  fc.assert(
    fc.property(hashes, fc.array(step, { minLength: 12, maxLength: 24 }), (pictures, steps) => {
      const world = worldOf(pictures);
      for (const one of steps) {
        const expectedBefore = isStaleByHash(world);
        does(world, one);
        const link = seen(world)[1]?.link;
        const expected = isStaleByHash(world);
        if (expected !== undefined) {
          expect(link?.isStale).toBe(expected);
          met[expected ? 'stale' : 'fresh'] += 1;
        } else
          expect(link?.isStale).toBe(link?.kind !== 'cut' && !(world.shots[1]?.takes.length === 0 && link?.isLinked));
        if (one.action !== 'slot' && one.action !== 'link') continue;
        // Only the slot changed, not what the take was made from.
        expect(expected).toBe(expectedBefore);
        if (expected === true) met.kept += 1;
        if (one.action === 'link' && link?.kind !== 'cut') expect(link?.isLinked).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
  for (const count of Object.values(met)) expect(count).toBeGreaterThan(100);
});
