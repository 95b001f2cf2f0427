import { afterEach, expect, test, vi } from 'vitest';
import { setTransport } from '../client/index.ts';
import { aTransport } from '../testing/aTransport.ts';
import { framesOf, useStripReader } from './filmstrip.ts';
import { type ReadStrip, servePage, tasksDoneBy } from './frame.ts';

const picture = (type = 'image/webp') => new Blob(['picture'], { type });
const never = () => Promise.reject(new Error('no task is meant'));

/** A frame and its page, connected as in a browser; the frame reads strips with `read`. */
function aFrame(read: ReadStrip): ReadStrip {
  let listen: (event: unknown) => void = () => undefined;
  const addEventListener = (_: string, listener: typeof listen) => {
    listen = listener;
  };
  const parent = {};
  vi.stubGlobal('window', { parent, addEventListener });
  servePage(never, read);
  const frame = { postMessage: (data: unknown, _: string, ports: unknown) => listen({ source: parent, data, ports }) };
  return tasksDoneBy(frame as unknown as Window, () => undefined).readStrip;
}

afterEach(() => {
  useStripReader.setState({ strips: new Map(), read: undefined });
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a strip is read by the sandboxed frame from the bytes of the clip, and waits until the frame is there', async () => {
  setTransport(aTransport({ mediaUrl: (id) => `https://studio/media/${id}` }));
  vi.stubGlobal('fetch', async (url: string) => new Response(`bytes of ${url}`));
  const read = vi.fn<ReadStrip>(async () => [picture(), picture()]);
  const frames = framesOf('clip', { count: 2, height: 92 });
  expect(useStripReader.getState().strips.size, 'the frame is wanted').toBe(1);
  useStripReader.setState({ read });
  expect(await frames).toEqual([expect.stringMatching('^blob:'), expect.stringMatching('^blob:')]);
  const [task, bytes] = read.mock.calls[0] ?? [];
  expect(task).toEqual({ kind: 'strip', count: 2, height: 92 });
  expect(await bytes?.text()).toBe('bytes of https://studio/media/clip');
});

test('what a frame says are pictures are pictures alone, and no more than were asked for', async () => {
  const task = { kind: 'strip', count: 2, height: 92 } as const;
  const read = aFrame(async () => [picture('text/html'), picture()]);
  expect((await read(task, new Blob())).map(({ type }) => type)).toEqual(['image/webp', 'image/webp']);
  const many = aFrame(async () => [picture(), picture(), picture()]);
  await expect(many(task, new Blob())).rejects.toThrow('could not be read');
  const other = aFrame(async () => ['javascript:alert(1)'] as unknown as Blob[]);
  await expect(other(task, new Blob())).rejects.toThrow('could not be read');
  const failing = aFrame(() => Promise.reject(new Error('The clip cannot be decoded here.')));
  await expect(failing(task, new Blob())).rejects.toThrow('The clip cannot be decoded here.');
});
