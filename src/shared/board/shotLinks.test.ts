import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Film } from '../../../test/helpers/filmInMemory.ts';
import type { Job } from '../jobs/job.ts';
import type { Asset } from '../library/asset.ts';
import type { ShotLink } from './board.ts';
import { castMemberSchema } from './cast.ts';
import { lastFrameOf, startedFrom } from './shotLinks.ts';

/** Five shots in one chain, each with one take. */
function chain(joint: ShotLink = 'continue'): Film {
  const film = new Film('a', 'b', 'c', 'd', 'e');
  film.make('a');
  for (const id of ['b', 'c', 'd', 'e']) film.join(id, joint).make(id);
  return film;
}

test('another take of one shot makes all behind it in the chain stale, and names that shot', () => {
  const film = chain();
  expect(film.stale).toBe('');
  film.make('b');
  expect(film.stale).toBe('c d e');
  expect(film.state('e').causes).toEqual([{ shotId: 'b', why: 'take' }]);
  expect(film.state('d').link).toMatchObject({ kind: 'continue', isStale: true });
  film.plays('b', 'b1');
  expect(film.stale).toBe('');
});

test('a last frame that is taken again makes nothing stale', () => {
  const film = chain();
  const clip = film.assets.get('c-a1-0') as Asset;
  const again = { ...film.assets.get('f-a1-0'), id: 'again', sha256: 'the same frame by another decoder' } as Asset;
  film.assets.delete('f-a1-0');
  film.assets.set(again.id, again);
  const framed = { ...clip, lastFrameId: again.id };
  film.assets.set(clip.id, framed);
  film.jobs.set('a1', { ...film.jobs.get('a1'), outputs: [framed] } as Job);
  expect(film.stale).toBe('');
});

test('a shot that starts from another variation is stale', () => {
  const film = new Film('a', 'b');
  film.make('a');
  film.patch('b', { source: 'extend', video: { assetId: 'c-a1-1' } });
  expect(film.state('b').link).toMatchObject({ isStale: true });
  film.patch('b', { video: { assetId: 'c-a1-0' } });
  expect(film.state('b').link).toMatchObject({ isStale: false });
});

test('a cut ends the chain: what stands behind it is judged by itself', () => {
  const film = chain();
  film.join('d', 'cut').make('b');
  expect(film.stale).toBe('c');
  expect(film.state('d')).toMatchObject({ link: { kind: 'cut', isStale: false }, causes: [] });
});

test('what is kept as it is ends the chain there, until another take plays before it or in it', () => {
  const film = chain();
  film.make('b');
  film.keep('c', 'd', 'e');
  expect(film.stale).toBe('');
  expect(film.state('c').isKept).toBe(true);
  expect(film.shot('d').kept).toBeUndefined();
  film.make('b');
  expect(film.stale).toBe('c d e');
  film.keep('c');
  film.patch('c', { joint: 'transition' });
  expect(film.state('c')).toMatchObject({ isKept: false, causes: [{ shotId: 'b', why: 'joint' }] });
});

test('a take that is being made is judged where it will play', () => {
  const film = chain();
  film.make('b');
  film.join('c', 'continue').make('c', 'running');
  film.patch('c', { meanwhile: { take: 'c1' } });
  expect([film.stale, film.staleToCome]).toEqual(['c d e', 'd e']);
  const running = film.shot('c').activeTake ?? '';
  film.jobs.set(running, { ...film.jobs.get(running), state: 'failed' } as Job);
  expect(film.film[2]?.active?.jobId).toBe('c1');
  expect(film.staleToCome).toBe('c d e');
});

test('what was chosen to play goes on playing while its successor is made, and not only the newest', () => {
  const film = new Film('a');
  film.make('a');
  film.make('a');
  film.plays('a', 'a1');
  film.make('a', 'running');
  film.patch('a', { meanwhile: { take: 'a1', output: 1 } });
  expect(film.film[0]?.active).toMatchObject({ jobId: 'a1', clipIndex: 1 });
});

test('a chosen link asks for itself: a take that was made in another way is stale', () => {
  const film = chain();
  film.join('c', 'extend');
  expect(film.state('c')).toMatchObject({
    link: { kind: 'extend', isStale: true },
    causes: [{ shotId: 'b', why: 'joint' }],
  });
  film.make('c');
  expect(film.stale).toBe('d e');
});

test('moved, removed and skipped shots leave links that say what is there', () => {
  const film = chain();
  const [a, b, c, d, e] = film.shots;
  if (!a || !b || !c || !d || !e) throw new Error('Five shots were made.');
  film.shots = [a, c, b, d, e];
  expect(film.stale).toBe('c b d e');
  expect(film.state('c').causes).toEqual([{ shotId: 'a', why: 'joint' }]);
  film.shots = [a, b, d, e];
  expect(film.state('d').link).toMatchObject({ kind: 'continue', isStale: true });
  film.shots = [a, b, c, d, e];
  expect(film.stale).toBe('');
  film.patch('c', { skipped: true });
  expect(film.state('c').link).toBeUndefined();
  expect(film.state('d').causes).toEqual([{ shotId: 'b', why: 'joint' }]);
});

test('a frame of a shot that is not the one before is judged too, as a start and as a reference', () => {
  const film = new Film('a', 'b', 'c', 'd');
  film.make('a');
  film.make('b');
  film.patch('c', { source: 'first', image: lastFrameOf({ jobId: 'a1', clipIndex: 0 }) }).make('c');
  film
    .patch('d', { source: 'references', referenceImages: [{ assetId: 'mine' }, { jobId: 'b1', frame: 'last' }] })
    .make('d');
  expect(film.stale).toBe('');
  film.make('a');
  expect(film.stale).toBe('c');
  film.make('b');
  expect(film.stale).toBe('c d');
});

test('an out point of what plays before is another picture, and the whole take the old one', () => {
  const film = chain();
  film.patch('b', { trims: [{ take: 'b1', outMs: 1_500 }] });
  expect(film.state('c').causes).toEqual([{ shotId: 'b', why: 'take' }]);
  expect(film.stale).toBe('c d e');
  film.keep('c');
  expect(film.state('c').isKept).toBe(true);
  film.patch('b', { trims: [{ take: 'b1', outMs: 2_000 }] });
  expect(film.state('c').isKept).toBe(false);
  film.join('c', 'continue').make('c');
  expect(film.shot('c').image).toEqual({ jobId: 'b1', frame: 'last', outMs: 2_000 });
  expect(film.state('c').causes).toEqual([]);
  film.patch('b', { trims: [{ take: 'b1', inMs: 500, outMs: 2_000 }] });
  expect(film.state('c').causes).toEqual([]);
  film.patch('b', { trims: undefined });
  expect(film.state('c').causes).toEqual([{ shotId: 'b', why: 'take' }]);
  film.plays('c', 'c1');
  expect(film.stale).toBe('');
});

test('nothing extends a take that ends at an out point', () => {
  const film = new Film('a', 'b');
  film.make('a');
  film.join('b', 'extend').make('b');
  expect([film.stale, film.shot('b').video]).toEqual(['', { jobId: 'a1' }]);
  film.patch('a', { trims: [{ take: 'a1', outMs: 1_500 }] });
  expect(film.stale).toBe('b');
  expect(startedFrom(film.shot('b'), 'extend', film.film[0]?.active)).not.toHaveProperty('video');
  film.patch('a', { trims: [{ take: 'a1', inMs: 1_500 }] });
  expect(film.stale).toBe('');
});

test('another variation of the same take is another picture', () => {
  const film = chain();
  film.patch('b', { activeOutput: 1 });
  expect(film.stale).toBe('c d e');
  film.join('c', 'continue').make('c');
  expect(film.shot('c').image).toEqual({ jobId: 'b1', frame: 'last', output: 1 });
  expect(film.stale).toBe('d e');
});

test('shots that were made from each other in a circle have an end', () => {
  const film = new Film('a', 'b');
  film.make('a');
  film.join('b', 'continue').make('b');
  film.patch('a', { source: 'first', image: { jobId: 'b1', frame: 'last' } }).make('a');
  expect(film.stale).toBe('a b');
  film.plays('a', 'a1');
  expect(film.stale).toBe('');
});

interface Step {
  action: 'make' | 'play' | 'join' | 'move' | 'skip' | 'keep';
  at: number;
  take: number;
  joint: ShotLink;
}

const step = fc.record<Step>({
  action: fc.constantFrom('make', 'make', 'play', 'join', 'move', 'skip', 'keep'),
  at: fc.nat(4),
  take: fc.nat(5),
  joint: fc.constantFrom('cut', 'continue', 'transition', 'extend'),
});

function does(film: Film, { action, at, take, joint }: Step): void {
  const shot = film.shots[at];
  if (!shot) return;
  const before = film.film[at - 1]?.active;
  // Like the studio, a chosen link starts from the active take before it.
  const linked = shot.joint && at > 0 ? startedFrom(shot, shot.joint, before) : shot;
  if (action === 'make') film.patch(shot.id, linked).make(shot.id);
  if (action === 'play' && shot.takes.length > 0) film.plays(shot.id, shot.takes[take % shot.takes.length] ?? '');
  if (action === 'join' && before) film.join(shot.id, joint);
  if (action === 'move') film.shots = film.shots.toSpliced(at, 1).toSpliced(take % 5, 0, shot);
  if (action === 'skip') film.patch(shot.id, { skipped: !shot.skipped });
  if (action === 'keep') film.keep(shot.id);
}

test('whatever was done, redoing the stale shots in their order leaves none, and each mark has its cause', () => {
  let met = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 30 }), (steps) => {
      const film = chain();
      for (const one of steps) {
        does(film, one);
        for (const { id } of film.shots) {
          const { isStale, causes, link } = film.state(id);
          expect(isStale).toBe(causes.length > 0);
          if (link?.isStale) expect(isStale || film.shot(id).takes.length === 0).toBe(true);
        }
      }
      met += film.stale === '' ? 0 : 1;
      for (const [index, { id, joint }] of film.shots.entries()) {
        const shot = film.shot(id);
        const before = film.film.slice(0, index).findLast((other) => !other.shot.skipped)?.active;
        const isJoined = joint && before && !shot.skipped;
        // A shot moved to the front may have been made from one that is behind it now.
        if (!isJoined && shot.source !== 'text') film.patch(id, { source: 'text' }).make(id);
        if (!film.state(id).isStale) continue;
        if (isJoined) film.patch(id, startedFrom(shot, joint, before));
        film.make(id);
        expect(film.state(id).isStale).toBe(false);
      }
      expect(film.stale).toBe('');
    }),
    { numRuns: 300 },
  );
  expect(met).toBeGreaterThan(100);
});

/** Three shots: the first shows Ines by her image, the second continues from the first, the third stands alone. */
function withInes() {
  const film = new Film('a', 'b', 'c');
  for (const [id, sha256] of Object.entries({ front: 'h1', coat: 'h2', copy: 'h1' }))
    film.assets.set(id, { id, sha256 } as Asset);
  film.cast = [castMemberSchema.parse({ id: 'i', name: 'Ines', sheets: [{ assetId: 'front' }] })];
  film.patch('a', { source: 'references', prompt: '@Ines on the quay' });
  film.make('a');
  film.join('b', 'continue');
  film.make('b');
  film.make('c');
  return film;
}
const sheets = (film: Film, ...ids: string[]) => {
  film.cast = film.cast.map((member) => ({ ...member, sheets: ids.map((assetId) => ({ assetId })) }));
};

test('another picture of a member makes stale what was sent with the old one, and what was made from that', () => {
  const film = withInes();
  expect(film.stale).toBe('');
  sheets(film, 'coat');
  expect(film.stale).toBe('a b');
  expect(film.state('b').causes).toEqual([{ shotId: 'a', why: 'sheet', memberId: 'i' }]);
  // Neither a second image nor the same bytes under another id changes what was sent.
  for (const ids of [['coat', 'front'], ['copy']]) {
    sheets(film, ...ids);
    expect(film.stale).toBe('');
  }
  sheets(film, 'coat');
  film.make('a', 'running');
  expect([film.stale, film.staleToCome]).toEqual(['a b', 'b']);
});

test('a member that left the cast makes nothing stale', () => {
  const film = withInes();
  film.cast = [];
  expect(film.stale).toBe('');
});

test('what is kept as it is with another sheet stays so until the sheets change again', () => {
  const film = withInes();
  sheets(film, 'coat');
  film.keep('a');
  expect([film.stale, film.state('a').isKept]).toEqual(['', true]);
  film.assets.set('hat', { id: 'hat', sha256: 'h3' } as Asset);
  sheets(film, 'hat');
  expect(film.stale).toBe('a b');
});
