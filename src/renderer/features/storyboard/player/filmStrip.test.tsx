import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useStripReader } from '../../../media/filmstrip.ts';
import { aShot, aTake, freshBoard, openBoard } from '../../../testing/boardPage.tsx';
import { acting, until } from '../../../testing/page.tsx';

let clips = 0;

/** A film of one shot whose clip has no thumbnails yet. */
async function open() {
  const id = `strip-${++clips}`;
  vi.stubGlobal('fetch', async () => new Response('bytes'));
  await openBoard({ shots: [aShot('a', { takes: [id], activeTake: id })] }, { jobs: [aTake(id)] });
  await until(() => expect(row()?.textContent).toContain('Loading'));
}

const strip = () => document.querySelector('.rseg');
const card = () => document.querySelector('.shot .picture');
const row = () => document.querySelector('.takeList .media');

/** Reports the width of a window for every element. */
class Wide {
  private readonly tell: ResizeObserverCallback;
  constructor(tell: ResizeObserverCallback) {
    this.tell = tell;
  }
  observe(): void {
    this.tell([{ contentRect: { width: 900 } } as ResizeObserverEntry], this as unknown as ResizeObserver);
  }
  unobserve(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  vi.stubGlobal('ResizeObserver', Wide);
  freshBoard();
  useStripReader.setState({ strips: new Map(), read: undefined });
  URL.createObjectURL = () => 'blob:frame';
});
afterEach(() => vi.unstubAllGlobals());

it('a take that is done loads until its pictures are read, in the strip, on its card and in the list', async () => {
  await open();
  expect(card()?.textContent).toContain('Loading');
  expect(row()?.textContent).toContain('Loading');
  const read = async ({ count }: { count: number }) => Array.from({ length: count }, () => new Blob());
  await acting(() => useStripReader.setState({ read }));
  await until(() => expect(strip()?.querySelectorAll('u').length).toBeGreaterThan(1));
  await until(() => expect(card()?.querySelectorAll('img')).toHaveLength(1));
  await until(() => expect(row()?.querySelectorAll('img')).toHaveLength(1));
  expect(`${strip()?.textContent}${card()?.textContent}${row()?.textContent}`).not.toContain('Loading');
});
