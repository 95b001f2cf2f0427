import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '../../shared/contract/result.ts';
import type { FilmTask } from '../../shared/film/filmTask.ts';
import { setTransport, type Transport } from '../client/index.ts';
import { doMediaWork } from './work.ts';

const film = { id: 'f1', mode: 'auto', plan: { segments: [] } } as unknown as FilmTask;
const picture = { id: 't1', assetId: 'a', kind: 'thumbnail', name: 'a.png', mime: 'image/png' };

/** A studio with one film and one picture to make, neither of which ends. */
async function atWork() {
  const calls: { name: string; input: unknown; isLeaving: boolean }[] = [];
  const given: Record<string, unknown> = { 'media.claimFilm': film, 'media.claim': picture };
  setTransport({
    host: 'browser',
    call: async (name, input, { isLeaving = false } = {}) => {
      calls.push({ name, input, isLeaving });
      const task = given[name] ?? null;
      delete given[name];
      return ok(name.startsWith('media.claim') ? { task } : null);
    },
    subscribe: () => {},
    mediaUrl: (id) => `/media/${id}`,
  } as Partial<Transport> as Transport);
  vi.stubGlobal('fetch', async () => new Response('bytes'));
  const begun: string[] = [];
  const never = ({ id }: { id: string }) => new Promise<never>(() => begun.push(id));
  const stop = doMediaWork(never, never, async () => undefined);
  await expect.poll(() => begun).toHaveLength(2);
  return { stop, released: () => calls.filter(({ name }) => name === 'media.release') };
}

afterEach(() => vi.unstubAllGlobals());

test('a page that leaves gives back what it has claimed', async () => {
  const { stop, released } = await atWork();
  window.dispatchEvent(new Event('pagehide'));
  expect(released()).toEqual([{ name: 'media.release', input: { taskIds: ['t1', 'f1'] }, isLeaving: true }]);
  stop();
});

test('a page whose frame is replaced gives the film back, and finishes its picture', async () => {
  const { stop, released } = await atWork();
  stop();
  expect(released().map(({ input }) => input)).toEqual([{ taskIds: ['f1'] }]);
  window.dispatchEvent(new Event('pagehide'));
  expect(released()).toHaveLength(1);
});
