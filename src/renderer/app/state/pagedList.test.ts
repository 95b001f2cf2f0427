import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fail, ok } from '../../../shared/contract/result.ts';
import { PAGE_LINES, PagedList } from './pagedList.ts';

/** A list in a studio that answers when the test says so, and a cache of limited size. */
class Studio {
  ids: string[];
  waiting: { from: number; answer: () => void; refuse: () => void }[] = [];
  reads: number[] = [];
  cache = new Set<string>();
  held = new Map<string, number>();

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, n) => `thing ${n}`);
  }

  read = (from: number, limit: number, isFirst: boolean) => {
    this.reads.push(from);
    return new Promise<ReturnType<typeof fail> | { ok: true; data: ReturnType<Studio['page']> }>((done) => {
      const page = this.page(from, limit, isFirst);
      const answer = () => {
        for (const { id } of page.lines) this.cache.add(id);
        done(ok(page));
      };
      this.waiting.push({ from, answer, refuse: () => done(fail('unreachable', 'Gone.')) });
    });
  };

  private page(from: number, limit: number, isFirst: boolean) {
    const lines = this.ids.slice(from, from + limit).map((id) => ({ id }));
    return { lines, total: this.ids.length, whole: isFirst ? this.ids.length : undefined };
  }

  isKnown = (id: string) => this.cache.has(id);
  hold = (ids: readonly string[]) => {
    for (const id of ids) this.held.set(id, (this.held.get(id) ?? 0) + 1);
    return () => {
      for (const id of ids) this.held.set(id, (this.held.get(id) ?? 0) - 1);
    };
  };
  /** Drops everything that is not held. */
  forget() {
    for (const id of this.cache) if (!this.held.get(id)) this.cache.delete(id);
  }
  async answer(which = 0) {
    this.waiting.splice(which % Math.max(1, this.waiting.length), 1)[0]?.answer();
    await Promise.resolve();
    await Promise.resolve();
  }
  async answerAll() {
    for (let n = 0; this.waiting.length > 0; n++) {
      if (n > 1_000) throw new Error('it reads without end');
      await this.answer();
    }
  }
}

async function opened(count: number) {
  const studio = new Studio(count);
  const list = new PagedList<number>(studio);
  list.open();
  await studio.answerAll();
  return { studio, list };
}

const seen = (list: PagedList<number>, from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => list.at(from + n)?.id);

test('any part of a long list is read when it is looked at, and nothing else is', async () => {
  const { studio, list } = await opened(5_000);
  expect(list.state()).toMatchObject({ isRead: true, total: 5_000, whole: 5_000 });
  list.see(4_930, 4_950);
  await studio.answerAll();
  expect(seen(list, 4_930, 4_950)).toEqual(studio.ids.slice(4_930, 4_950));
  expect(studio.reads).toEqual([0, 4_900]);
  expect(list.indexOf('thing 4931')).toBe(4_931);
});

test('what the cache has forgotten is read again when it comes into view; what is in view is not forgotten', async () => {
  const { studio, list } = await opened(10_000);
  for (let from = 0; from < 10_000; from += PAGE_LINES) {
    list.see(from, from + 50);
    await studio.answerAll();
    studio.forget();
    expect(seen(list, from, from + 50).every((id) => id !== undefined && studio.cache.has(id))).toBe(true);
  }
  list.see(0, 50);
  await studio.answerAll();
  expect(seen(list, 0, 50).every((id) => id !== undefined && studio.cache.has(id))).toBe(true);
});

test('an empty list is read once', async () => {
  const { studio, list } = await opened(0);
  expect(studio.reads).toEqual([0]);
  expect(list.state()).toMatchObject({ isRead: true, total: 0 });
});

test('a refusal is told, what was there stays, and the next change reads again', async () => {
  const { studio, list } = await opened(3);
  list.refresh();
  studio.waiting.shift()?.refuse();
  await Promise.resolve();
  await Promise.resolve();
  expect(list.state().error).toMatchObject({ code: 'unreachable' });
  expect(seen(list, 0, 3)).toEqual(studio.ids);
  expect(studio.waiting).toEqual([]);
  list.refresh();
  await studio.answerAll();
  expect(list.state()).toMatchObject({ error: undefined, whole: 3 });
});

test('whatever comes in whatever order, in the end what is in view is the list as it is', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('answer'), at: fc.nat(20) }),
    fc.record({ kind: fc.constantFrom('add', 'remove', 'move', 'forget', 'lose'), at: fc.nat(1_000) }),
    fc.record({ kind: fc.constant('see'), at: fc.nat(1_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(700), fc.array(step, { maxLength: 40 }), async (count, steps) => {
      const { studio, list } = await opened(count);
      let from = 0;
      for (const [n, { kind, at }] of steps.entries()) {
        const { ids } = studio;
        if (kind === 'answer') await studio.answer(at);
        if (kind === 'forget') studio.forget();
        if (kind === 'see') {
          from = at;
          list.see(at, at + 60);
        }
        if (kind === 'add') ids.unshift(`new ${n}`);
        if (kind === 'remove') ids.splice(at % Math.max(1, ids.length), 1 + (at % 150));
        if (kind === 'move') ids.push(...ids.splice(at % Math.max(1, ids.length), 1));
        // A lost answer must not stop readings after the next change.
        if (kind === 'lose') studio.waiting.splice(at % Math.max(1, studio.waiting.length), 1);
        if (['add', 'remove', 'move', 'lose'].includes(kind)) list.refresh();
      }
      await studio.answerAll();
      const { ids } = studio;
      const [first, end] = [Math.min(from, ids.length), Math.min(from + 60, ids.length)];
      expect(list.state()).toMatchObject({ total: ids.length, whole: ids.length });
      expect(seen(list, first, end)).toEqual(ids.slice(first, end));
      expect(seen(list, first, end).every((id) => id !== undefined && studio.cache.has(id))).toBe(true);
    }),
    { numRuns: 200 },
  );
});
