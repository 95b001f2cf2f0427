import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { t } from '../../../shared/text/texts.ts';
import { type Days, isChosen, type Listing, useEntities, useListFocus, useLongList, useNow } from '../../app/index.ts';
import { AssetName } from '../../media/AssetName.tsx';
import { CardBoundary, formatCount, formatDay, MediaTile } from '../../ui/index.ts';
import { pick, type ShownList, useListKeys } from './choosing.ts';
import {
  columnsFor,
  DAY_PX,
  type GridRow,
  gridRows,
  plainRows,
  stepInGrid,
  type TileRow,
  tileRowPx,
} from './layout.ts';
import styles from './library.module.css';
import { useLibraryView } from './state.ts';
import { StarMark } from './Table.tsx';

const PADDING_PX = 32;
const AHEAD = 50;

/** Tiles by day. Only tiles in view are rendered and read. Arrows move, Enter goes to the inspector. */
export function Grid({ shown, onOpen }: { shown: ShownList; onOpen: () => void }) {
  const { list } = shown;
  const scroller = useRef<HTMLDivElement>(null);
  useListFocus(scroller);
  const { columns, tile } = useColumns(scroller);
  const rows = useRows(shown, columns);
  // Stable, since with another function the virtualizer measures every row again while drawing.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows]);
  const { items, height, measure, scrollToIndex } = useLongList({
    count: rows.length,
    scroller,
    rowPx: Math.max(DAY_PX, tileRowPx(tile)),
    estimateSize: (index) => (rows[index]?.type === 'day' ? DAY_PX : tileRowPx(tile)),
    getItemKey,
    rest: { overscan: 3, initialRect: { width: 900, height: 800 } },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: row heights follow the width of a tile.
  useEffect(() => measure(), [tile, measure]);
  const selectedId = useLibraryView((view) => view.selectedId);
  const isPassing = usePassing(scroller, selectedId);
  useSeen(list, placesOf(items, rows), isPassing);
  const onKeyDown = useListKeys({
    shown,
    stepFrom: (at, key) => stepInGrid(rows, at, key),
    reveal: (place) =>
      scrollToIndex(rows.findIndex((row) => row.type === 'tiles' && place >= row.from && place < row.to)),
    onOpen,
  });
  const latest = useRef(shown);
  latest.current = shown;
  const onPick = useCallback((event: MouseEvent | KeyboardEvent, id: string) => pick(latest.current, event, id), []);
  return (
    <div
      ref={scroller}
      className={`scroll panel-ring ${styles.lib}`}
      role="listbox"
      aria-label={t`Pictures and clips`}
      aria-multiselectable="true"
      aria-activedescendant={selectedId === undefined ? undefined : `asset-${selectedId}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="qspace" style={{ height: height }}>
        {items.map((item) => (
          <div key={item.key} className="qitem" style={{ transform: `translateY(${item.start}px)`, height: item.size }}>
            <RowOfGrid
              row={rows[item.index]}
              columns={columns}
              list={list}
              isPassing={isPassing}
              onPick={onPick}
              onOpen={onOpen}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Reads the tiles in view and some beside them; nothing while the list scrolls past. */
function useSeen({ see }: Listing<Days>, [from, to]: Places, isPassing: boolean): void {
  useEffect(() => {
    if (!isPassing) see(Math.max(0, from - AHEAD), to + AHEAD);
  }, [see, from, to, isPassing]);
}

interface RowOfGridProps {
  row: GridRow | undefined;
  columns: number;
  list: Listing<Days>;
  isPassing: boolean;
  onPick: (event: MouseEvent | KeyboardEvent, id: string) => void;
  onOpen: () => void;
}

/** The heading of a day, or a row of its tiles. */
function RowOfGrid({ row, ...tiles }: RowOfGridProps) {
  if (!row) return null;
  if (row.type === 'day') return <DayHead day={row.day} count={row.count} />;
  return <RowOfTiles row={row} {...tiles} />;
}

function RowOfTiles({ row, columns, list, isPassing, ...tile }: RowOfGridProps & { row: TileRow }) {
  const isDrawn = useDrawn(isPassing);
  return (
    <div className={styles.tiles} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {Array.from({ length: row.to - row.from }, (_, index) => {
        const id = isDrawn ? list.at(row.from + index)?.id : undefined;
        return (
          <CardBoundary key={id ?? index} name={t`This file`} of={id}>
            <GridTile id={id} {...tile} />
          </CardBoundary>
        );
      })}
    </div>
  );
}

/** The label is formatted only in view: a long history has thousands of days. */
function DayHead({ day, count }: { day: number; count: number }) {
  const today = useNow(600_000);
  return (
    <div className={styles.day} role="presentation">
      {formatDay(day, today)} <span className="t3">{formatCount(count)}</span>
    </div>
  );
}

/** A new picture is listed before its day has been counted; until then it belongs to the newest day. */
function useRows({ list: { whole, total }, sort: { by, order } }: ShownList, columns: number): GridRow[] {
  return useMemo(() => {
    if (by !== 'made') return plainRows(total, columns);
    const days = whole ?? [{ day: new Date().setHours(0, 0, 0, 0), count: total }];
    return gridRows(order === 'asc' ? days.toReversed() : days, columns);
  }, [whole, total, by, order, columns]);
}

type Places = [from: number, to: number];

/** The range of the rendered rows: the index of the first tile, and the index after the last. */
function placesOf(items: readonly { index: number }[], rows: readonly GridRow[]): Places {
  const tiles = items.flatMap(({ index }) => rows[index] ?? []).filter((row) => row.type === 'tiles');
  return [tiles[0]?.from ?? 0, tiles.at(-1)?.to ?? 0];
}

function useColumns(scroller: React.RefObject<HTMLDivElement | null>): { columns: number; tile: number } {
  const wished = useLibraryView((view) => view.tile);
  const [width, setWidth] = useState(872);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth - PADDING_PX));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return useMemo(() => columnsFor(Math.max(width, 80), wished), [width, wished]);
}

interface GridTileProps {
  /** Undefined while this part of the list is being read. */
  id: string | undefined;
  onPick: (event: MouseEvent | KeyboardEvent, id: string) => void;
  onOpen: () => void;
}

/** Memoized: while the user scrolls or types a search, a tile in view is not drawn again. */
const GridTile = memo(function GridTile({ id, onPick, onOpen }: GridTileProps) {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  const chosen = useLibraryView(({ choice }) => id !== undefined && isChosen(choice, id));
  if (!asset) return <EmptyTile />;
  return (
    <MediaTile
      id={`asset-${asset.id}`}
      asset={asset}
      title={
        <>
          <StarMark asset={asset} />
          <AssetName asset={asset} />
        </>
      }
      verdict={asset.verdict}
      selected={chosen}
      onPick={(event) => onPick(event, asset.id)}
      onOpen={onOpen}
    />
  );
});

/** A placeholder of the final size, so that nothing moves when the tile loads. */
const EmptyTile = () => (
  <div className="tile" aria-hidden="true">
    <div className="media" />
  </div>
);

/** At one view height within this time, rows pass too fast for their pictures to be seen. */
const VIEW_MS = 150;
/** The time over which the speed is averaged, since single frames are uneven. */
const WINDOW_MS = 100;
/** The list counts as still after so long without a movement; with slow frames, after two of them. */
const REST_MS = 100;
const LONGEST_REST_MS = 500;

interface Moment {
  at: number;
  top: number;
}

/**
 * Whether the list scrolls too fast for its pictures to be seen. It ends at half the speed at which it begins, to avoid flicker. A single
 * jump, such as to the end of the list, does not count, and neither does following the selected tile while a key is held.
 */
function usePassing(scroller: RefObject<HTMLElement | null>, selectedId: string | undefined): boolean {
  const [isPassing, setPassing] = useState(false);
  const follow = useRef(() => {});
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let moments: Moment[] = [];
    let isFast = false;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const change = (next: boolean) => {
      isFast = next;
      setPassing(next);
    };
    const stop = () => {
      moments = [];
      change(false);
    };
    const onScroll = ({ timeStamp: at }: Event) => {
      const before = moments.at(-1);
      moments = [
        ...moments.filter((moment) => moment === before || at - moment.at < WINDOW_MS),
        { at, top: element.scrollTop },
      ];
      const views = speedOf(moments) / element.clientHeight;
      change(views > (isFast ? 0.5 : 1) / VIEW_MS);
      clearTimeout(rest);
      rest = setTimeout(stop, Math.min(Math.max(REST_MS, 2 * (at - (before?.at ?? at))), LONGEST_REST_MS));
    };
    follow.current = stop;
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      element.removeEventListener('scroll', onScroll);
      clearTimeout(rest);
    };
  }, [scroller]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is selected is followed when it changes.
  useEffect(() => follow.current(), [selectedId]);
  return isPassing;
}

/** In px per ms; 0 for a single sample. */
function speedOf(moments: readonly Moment[]): number {
  const [first] = moments;
  const last = moments.at(-1);
  if (!first || !last) return 0;
  return Math.abs(last.top - first.top) / Math.max(1, last.at - first.at);
}

/**
 * Whether a row is rendered: a row that comes into view during fast scrolling waits for its end, and rendered rows stay. They render as a
 * transition, so that a list that comes to rest does not freeze.
 */
function useDrawn(isPassing: boolean): boolean {
  const [isDrawn, setDrawn] = useState(!isPassing);
  useEffect(() => {
    if (!isPassing && !isDrawn) startTransition(() => setDrawn(true));
  }, [isPassing, isDrawn]);
  return isDrawn;
}
