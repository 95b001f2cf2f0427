import { expect, test, vi } from 'vitest';
import { MEDIA_TASK_LIMIT_MS, type MediaTask } from '../../../shared/library/asset.ts';
import { acting, fakeStudio, show, until } from '../../testing/page.tsx';
import { MediaFrame } from './MediaFrame.tsx';

const task = (id: string): MediaTask => ({ id, assetId: 'a', kind: 'thumbnail', name: 'a.png', mime: 'image/png' });

const frame = (): HTMLIFrameElement => {
  const found = document.querySelector('iframe');
  if (!found) throw new Error('there is no frame');
  return found;
};

/** Loads the frame; `port` is its channel to the page. */
async function load(): Promise<{ ordered: number[]; port: MessagePort }> {
  const given = vi.spyOn(frame().contentWindow as Window, 'postMessage');
  await acting(() => frame().dispatchEvent(new Event('load')));
  const port = given.mock.calls.flat(2).find((sent): sent is MessagePort => sent instanceof MessagePort);
  if (!port) throw new Error('the frame was given no port');
  const ordered: number[] = [];
  port.onmessage = ({ data }) => ordered.push(data.id);
  return { ordered, port };
}

test('a frame that hangs is replaced by a new one, which takes the next task', async () => {
  const tasks = [task('t1'), task('t2')];
  const studio = fakeStudio({ 'media.claim': () => ({ task: tasks.shift() ?? null }), 'media.finish': () => null });
  vi.stubGlobal('fetch', async () => new Response('bytes'));
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await show(<MediaFrame />);
  const hung = frame();
  const first = await load();
  await until(() => expect(first.ordered).toEqual([1]));
  const [passes] = timers.mock.calls.find(([, ms]) => ms === MEDIA_TASK_LIMIT_MS) ?? [];
  if (typeof passes !== 'function') throw new Error('nothing limits the frame');
  await acting(passes);

  expect(frame()).not.toBe(hung);
  expect(studio.callsOf('media.claim')).toHaveLength(1);
  expect(studio.callsOf('media.finish')).toEqual([]);
  const second = await load();
  await until(() => expect(second.ordered).toEqual([1]));
  second.port.postMessage({ id: 1, error: 'The picture cannot be decoded.' });
  await until(() =>
    expect(studio.callsOf('media.finish')).toEqual([{ taskId: 't2', error: 'The picture cannot be decoded.' }]),
  );
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
