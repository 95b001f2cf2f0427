import { type KeyboardEvent, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { useListFocus, useLongList } from '../../../app/index.ts';
import { EmptyState } from '../../../ui/index.ts';
import { BatchLine } from './BatchLine.tsx';
import type { BatchRowList } from './useBatchRows.ts';

const LINE_PX = 28;
const AHEAD = 30;

export interface BatchListHandle {
  /** Goes to the next wrong line behind the one that was gone to; `badAt` are the rows that are wrong, all of them if undefined. */
  nextError(badAt: readonly number[] | undefined): void;
}

/** The virtual list of lines: arrows move, F8 goes to what is to be mended; only what is seen is in the page, and read. */
export function BatchList({ rows, ref }: { rows: BatchRowList; ref: Ref<BatchListHandle> }) {
  const scroller = useRef<HTMLDivElement>(null);
  useListFocus(scroller);
  const [picked, setPicked] = useState(-1);
  const { items, height, scrollToIndex } = useLongList({
    count: rows.total,
    scroller,
    rowPx: LINE_PX,
    estimateSize: () => LINE_PX,
    rest: { overscan: 10, initialRect: { width: 800, height: 800 } },
  });
  const from = Math.max(0, (items[0]?.index ?? 0) - AHEAD);
  const to = (items.at(-1)?.index ?? 0) + 1 + AHEAD;
  useEffect(() => rows.see(from, to));
  const wantCure = useWantedCure(scroller);
  useImperativeHandle(ref, () => ({
    nextError: (badAt) => {
      const next = nextOf(badAt, picked, rows.total);
      if (next === undefined) return;
      setPicked(next);
      wantCure(next);
      scrollToIndex(next, { align: 'center' });
    },
  }));
  const onKeyDown = keysOf({
    picked,
    total: rows.total,
    open: () => openLine(scroller.current?.querySelector(`[data-index="${picked}"]`)),
    go: (next) => {
      setPicked(next);
      scrollToIndex(next);
    },
  });
  if (rows.total === 0)
    return <EmptyState title={t`No such lines`}>{t`Nothing in the text is of this sort.`}</EmptyState>;
  return (
    <div className="batch-table">
      <Head />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by key. */}
      <section ref={scroller} className="scroll batch-list" aria-label={t`Lines`} tabIndex={0} onKeyDown={onKeyDown}>
        <ul style={{ height }}>
          {items.map((item) => (
            <li
              key={item.key}
              data-index={item.index}
              className={item.index === picked ? 'batch-item picked' : 'batch-item'}
              style={{ transform: `translateY(${item.start}px)` }}
              aria-setsize={rows.total}
              aria-posinset={item.index + 1}
            >
              <BatchLine row={rows.at(item.index)} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

interface ListKeys {
  picked: number;
  total: number;
  open: () => void;
  go: (index: number) => void;
}

/** The arrows move; Enter opens the line that they have come to. With a modifier they are the page's: Ctrl Enter queues. */
const keysOf =
  ({ picked, total, open, go }: ListKeys) =>
  (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (event.target !== event.currentTarget || (step === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (step === undefined) open();
    else go(Math.min(Math.max(0, picked + step), total - 1));
  };

/** The cells of a right line, or what mends a wrong one. */
const openLine = (line: Element | null | undefined): void => {
  line?.querySelector<HTMLElement>('.batch-edit')?.click();
  line?.querySelector<HTMLElement>(CURE)?.focus();
};

const CURE = '.batch-fix button, .batch-fix input';

/** The next wrong row behind the picked one; behind the last comes the first. Without a list, every row is wrong. */
function nextOf(badAt: readonly number[] | undefined, picked: number, total: number): number | undefined {
  if (badAt) return badAt.find((index) => index > picked) ?? badAt[0];
  return total === 0 ? undefined : (picked + 1) % total;
}

/** Gives the focus to what mends a row, as soon as the row is drawn. */
function useWantedCure(scroller: RefObject<HTMLElement | null>): (index: number) => void {
  const [wanted, setWanted] = useState<number>();
  useEffect(() => {
    if (wanted === undefined) return;
    const line = scroller.current?.querySelector(`[data-index="${wanted}"]`);
    const cure = line?.querySelector<HTMLElement>(CURE);
    if (!cure) return;
    cure.focus();
    setWanted(undefined);
  });
  return setWanted;
}

function Head() {
  return (
    <div className="batch-head batch-cells" aria-hidden="true">
      <span className="r">{t`Line`}</span>
      <span />
      <span>{t`Kind`}</span>
      <span>{t`Prompt`}</span>
      <span>{t`Model`}</span>
      <span className="r">{t`Length`}</span>
      <span className="r">{t`Price`}</span>
    </div>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 };
