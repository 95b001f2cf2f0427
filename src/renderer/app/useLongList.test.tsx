import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { acting, scroll, show, until } from '../testing/page.tsx';
import { useLongList } from './useLongList.ts';

/** Chromium's limit for an element's height. */
const CLAMP_PX = 33_554_428;
const ROW_PX = 28;
const VIEW_PX = 800;

let list: ReturnType<typeof useLongList>;

function Rows({ count }: { count: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  list = useLongList({
    count,
    scroller,
    rowPx: ROW_PX,
    estimateSize: () => ROW_PX,
    rest: { overscan: 0, initialRect: { width: 900, height: VIEW_PX } },
  });
  return (
    <div className="scroll" ref={scroller}>
      <div style={{ height: list.height }}>
        {list.items.map(({ index }) => (
          <p key={index} data-index={index} />
        ))}
      </div>
    </div>
  );
}

async function open(count: number): Promise<HTMLElement> {
  await show(<Rows count={count} />);
  const element = document.querySelector('.scroll') as HTMLElement;
  Object.defineProperty(element, 'scrollHeight', { get: () => list.height });
  element.scrollTo = ((to: ScrollToOptions) => {
    element.scrollTop = Math.min(to.top ?? 0, list.height - VIEW_PX);
    element.dispatchEvent(new Event('scroll'));
  }) as never;
  return element;
}
const rest = (element: HTMLElement) => acting(() => element.dispatchEvent(new Event('scrollend')));
/** The row at the top, and how far it is scrolled out. */
const atTop = (element: HTMLElement) => {
  const item = list.items.find(({ end }) => end > element.scrollTop);
  return item && [item.index, element.scrollTop - item.start];
};

it('a row that says more is higher, and those below it stand lower', async () => {
  const px = vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get');
  px.mockImplementation(function (this: HTMLElement) {
    return this.dataset.index === '3' ? 3 * ROW_PX : ROW_PX;
  });
  await open(1_000_000);
  await until(() => expect(list.items[4]?.start).toBe(6 * ROW_PX));
  px.mockRestore();
});

it('a list that fits is as high as its rows', async () => {
  await open(10_000);
  expect(list.height).toBe(10_000 * ROW_PX);
});

it.each([600_000, 1_000_000, 5_000_000])('of %d rows the last is reached, and the first again', async (count) => {
  const element = await open(count);
  expect(list.height).toBeLessThan(CLAMP_PX);
  await scroll(element, list.height - VIEW_PX);
  await until(() => expect(list.items.at(-1)?.index).toBe(count - 1));
  await scroll(element, 0);
  await until(() => expect(list.items[0]?.index).toBe(0));
});

it('a jump leads to the same share of the whole, and small steps from there are exact', async () => {
  const element = await open(5_000_000);
  await scroll(element, Math.round((list.height - VIEW_PX) / 2));
  await until(() => expect(Math.abs((list.items[0]?.index ?? 0) - 2_500_000)).toBeLessThan(50));
  const [row = 0, above] = atTop(element) ?? [];
  await scroll(element, element.scrollTop + 10 * ROW_PX);
  await until(() => expect(atTop(element)).toEqual([row + 10, above]));
});

it('small steps go on behind the end of a part, and nothing moves while another part is taken', async () => {
  const element = await open(5_000_000);
  await scroll(element, 50_000);
  for (let step = 0; step < 20; step++) await scroll(element, element.scrollTop + 1_000);
  const before = atTop(element);
  await rest(element);
  await scroll(element, element.scrollTop);
  await until(() => expect(atTop(element)).toEqual(before));
});

it.each([0, 1, 571_427, 2_345_678, 4_999_999])('row %d is gone to by its number', async (index) => {
  const element = await open(5_000_000);
  for (const row of [2_000_000, index]) {
    await acting(() => list.scrollToIndex(row));
    await scroll(element, element.scrollTop);
  }
  await until(() => expect(list.items.map((item) => item.index)).toContain(index));
});
