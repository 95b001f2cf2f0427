import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Board, Shot } from '../../../../shared/board/board.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { Job } from '../../../../shared/jobs/job.ts';
import { emptyShot, insertAfter, toggleSkipped } from './shots.ts';
import { type BoardPort, BoardSync } from './sync.ts';

/**
 * Answers and events of a board arrive in any order, twice or never, while it is edited here and elsewhere. Nothing cached becomes older;
 * in the end the page shows the studio's state, with every edit and take exactly once.
 */

/** A message in transit: it arrives, or is lost. Events may arrive twice. */
interface Parcel {
  arrive(): void;
  lose(): void;
  isAnnouncement?: true;
}

/** The studio and its connection; requests and answers travel separately. */
class Studio {
  board: Board = { projectId: 'p', revision: 0, shots: [emptyShot('a', 'm'), emptyShot('b', 'm')] };
  onTheWay: Parcel[] = [];
  timers: (() => void)[] = [];
  private takes = 0;

  readonly port: BoardPort = {
    get: () => this.travel(() => ok(this.board)),
    save: (board) =>
      this.travel(() => {
        if (board.revision !== this.board.revision) return fail('conflict', 'The board has a newer revision.');
        this.write(board.shots);
        return ok(this.board);
      }),
    makeTake: (shotId) => this.travel(() => this.take(shotId)),
    promoteTake: ({ shotId }) => this.travel(() => this.take(shotId)),
    makeTakes: () => Promise.reject(new Error('takes are made one by one')),
    step: () => Promise.reject(new Error('nothing is undone')),
    connection: () => 0,
    later: (run) => {
      this.timers.push(run);
      return () => {
        this.timers = this.timers.filter((timer) => timer !== run);
      };
    },
    kept: { read: () => undefined, write: () => undefined },
  };

  change(shotId: string, patch: (shot: Shot) => Partial<Shot>): void {
    this.write(this.board.shots.map((shot) => (shot.id === shotId ? { ...shot, ...patch(shot) } : shot)));
  }

  take(shotId: string): Result<{ job: Job; board: Board }> {
    const id = `t${++this.takes}`;
    this.change(shotId, ({ takes }) => ({ takes: [...takes, id] }));
    return ok({ job: { id } as Job, board: this.board });
  }

  addShot(after: string): void {
    const { shots } = this.board;
    this.write(insertAfter(emptyShot(`s${shots.length}`, 'm'), after)(shots));
  }

  private write(shots: Shot[]): void {
    this.board = { ...this.board, shots, revision: this.board.revision + 1 };
  }

  /** The studio answers with its state when the request arrives. */
  private travel<T>(answer: () => Result<T>): Promise<Result<T>> {
    return new Promise((done) => {
      const lose = () => done(fail('unreachable', 'Dailies does not answer.'));
      const send = () => {
        const said = answer();
        this.onTheWay.push({ arrive: () => done(said), lose });
      };
      this.onTheWay.push({ arrive: send, lose });
    });
  }
}

// Arrivals are most frequent.
const CHANGES = ['edit', 'elsewhere', 'takeElsewhere', 'shotElsewhere', 'take', 'promote'] as const;
const KINDS = [...CHANGES, 'read', 'save', 'unanswered', 'arrive', 'twice', 'lose'] as const;
type Kind = (typeof KINDS)[number];
interface Step {
  kind: Kind;
  n: number;
}
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS, 'edit', 'arrive', 'arrive'),
  n: fc.nat(50),
});

const stepsOf = (...kinds: (readonly [kind: Kind, n?: number])[]): [Step[]] => [
  kinds.map(([kind, n = 0]) => ({ kind, n })),
];
const EDITED = [['arrive'], ['arrive'], ['edit'], ['save'], ['arrive']] as const;
/**
 * Sequences in which a board was read with an unanswered save on it, also after a take or shot had arrived: the save must not be applied
 * twice.
 */
const SAVED_AND_READ = [
  stepsOf(...EDITED, ['lose'], ['read'], ['arrive'], ['arrive']),
  stepsOf(...EDITED, ['read'], ['arrive', 1], ['arrive', 1], ['lose']),
  stepsOf(...EDITED, ['lose'], ['takeElsewhere'], ['read'], ['arrive', 1], ['arrive', 1]),
  stepsOf(...EDITED, ['lose'], ['takeElsewhere', 1], ['read'], ['arrive', 1], ['arrive', 1]),
  stepsOf(...EDITED, ['lose'], ['shotElsewhere'], ['read'], ['arrive', 1], ['arrive', 1]),
  stepsOf(...EDITED, ['lose'], ['promote'], ['arrive'], ['arrive', 1]),
];

const marksIn = (text: string) => text.split('|').slice(1).sort();
const turn = () => new Promise<void>((done) => setImmediate(done));

test('a board: whatever comes in whatever order, what is shown never goes back, and every edit is on it once in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const studio = new Studio();
      const sync = new BoardSync(studio.port);
      const mine: string[] = [];
      const theirs: string[] = [];
      let taken = 0;
      let seen = -1;
      const announce = () => {
        const { revision } = studio.board;
        studio.onTheWay.push({
          arrive: () => void sync.changedTo(revision),
          lose: () => undefined,
          isAnnouncement: true,
        });
      };
      const settle = async () => {
        await turn();
        const { board } = sync.state();
        if (!board) return;
        expect(board.revision).toBeGreaterThanOrEqual(seen);
        seen = board.revision;
        // Text typed here stays visible on any board.
        expect(board.shots.flatMap(({ prompt }) => marksIn(prompt)).sort()).toEqual(mine.toSorted());
      };
      const take = (n: number) => studio.onTheWay.splice(n % Math.max(1, studio.onTheWay.length), 1)[0];
      void sync.load();
      for (const { kind, n } of steps) {
        const shotId = n % 2 === 0 ? 'a' : 'b';
        if (kind === 'edit') {
          const mark = `${mine.length}`;
          mine.push(mark);
          sync.edit((shots) =>
            shots.map((shot) => (shot.id === shotId ? { ...shot, prompt: `${shot.prompt}|${mark}` } : shot)),
          );
        }
        if (kind === 'elsewhere') {
          const mark = `${theirs.length}`;
          theirs.push(mark);
          studio.change(shotId, ({ title }) => ({ title: `${title ?? ''}|${mark}` }));
          announce();
        }
        if (kind === 'takeElsewhere') studio.take(shotId);
        if (kind === 'shotElsewhere') studio.addShot(shotId);
        if (kind === 'take' || kind === 'promote') {
          const promotion = { shotId, jobId: 'first', resolution: '1080p' } as const;
          const order = { shown: undefined };
          const making = kind === 'take' ? sync.makeTake(shotId, order) : sync.promoteTake(promotion, order);
          void making.then((made) => {
            if (made.ok) taken += 1;
          });
        }
        if (kind.endsWith('Elsewhere') || kind === 'take' || kind === 'promote') announce();
        if (kind === 'read') void sync.load();
        if (kind === 'save') studio.timers.splice(0).forEach((run) => void run());
        if (kind === 'unanswered') {
          studio.timers.splice(0).forEach((run) => void run());
          await turn();
          studio.onTheWay.pop()?.arrive();
          studio.onTheWay.pop()?.lose();
        }
        if (kind === 'arrive') take(n)?.arrive();
        if (kind === 'lose') take(n)?.lose();
        const again = studio.onTheWay[n % Math.max(1, studio.onTheWay.length)];
        if (kind === 'twice' && again?.isAnnouncement) studio.onTheWay.push(again);
        await settle();
      }
      // Lost messages are made up for as when the connection is back: by reading and saving again.
      for (let rounds = 0; rounds < 3; rounds++) {
        void sync.load();
        void sync.flush();
        for (let left = 0; studio.onTheWay.length > 0 && left < 500; left++) {
          for (const { arrive } of studio.onTheWay.splice(0).toReversed()) arrive();
          await settle();
        }
      }
      expect(sync.state()).toMatchObject({ board: studio.board, unsaved: 0, error: undefined, refused: [] });
      const { shots } = studio.board;
      expect(shots.flatMap(({ prompt }) => marksIn(prompt)).sort()).toEqual(mine.toSorted());
      expect(shots.flatMap(({ title = '' }) => marksIn(title)).sort()).toEqual(theirs.toSorted());
      const takes = shots.flatMap(({ takes: made }) => made);
      expect(new Set(takes).size).toBe(takes.length);
      expect(takes.length).toBeGreaterThanOrEqual(taken);
    }),
    { numRuns: Number(process.env.CACHE_RUNS ?? 1_000), examples: SAVED_AND_READ },
  );
});

test('the error of a save goes with its edits, where they are found on the board', async () => {
  const studio = new Studio();
  const sync = new BoardSync(studio.port);
  const arriveAll = async () => {
    for (; studio.onTheWay.length > 0; await turn()) studio.onTheWay.shift()?.arrive();
  };
  void sync.load();
  await arriveAll();
  sync.edit(toggleSkipped('a'));
  void sync.flush();
  studio.onTheWay.shift()?.arrive();
  studio.onTheWay.shift()?.lose();
  await turn();
  expect(sync.state()).toMatchObject({ unsaved: 1, error: { code: 'unreachable' } });
  void sync.promoteTake({ shotId: 'a', jobId: 'first' }, { shown: undefined });
  await arriveAll();
  expect(sync.state()).toMatchObject({ unsaved: 0, error: undefined, board: studio.board });
  expect(studio.board.shots[0]?.skipped).toBe(true);
});
