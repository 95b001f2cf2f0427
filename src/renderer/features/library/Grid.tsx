import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Days, type Listing, useEntities, useListFocus, useNow } from '../../app/index.ts';
import { formatCount, MediaTile } from '../../ui/index.ts';
import { columnsFor, DAY_PX, type GridRow, gridRows, stepInGrid, tileRowPx } from './layout.ts';
import { selectAsset, useLibraryView } from './state.ts';

const PADDING_PX = 24;
/** So many tiles beside those in view are read with them. */
const AHEAD = 50;

/** Days of tiles; only what is seen is in the page, and read. Arrows move, Enter goes to the inspector. */
export function Grid({ list, onOpen }: { list: Listing<Days>; onOpen: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  useListFocus(scroller);
  const { columns, tile } = useColumns(scroller);
  const today = useNow(600_000);
  const days = useDays(list);
  const rows = useMemo(() => gridRows(days, columns, today), [days, columns, today]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'day' ? DAY_PX : tileRowPx(tile)),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 3,
    initialRect: { width: 900, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: row heights follow the width of a tile, and which rows are headings.
  useEffect(() => virtual.measure(), [tile, rows, virtual]);
  const items = virtual.getVirtualItems();
  const [from, to] = placesOf(items.flatMap(({ index }) => rows[index] ?? []));
  const { see } = list;
  useEffect(() => see(Math.max(0, from - AHEAD), to + AHEAD), [see, from, to]);
  const selectedId = useLibraryView((view) => view.selectedId);
  const select = useSelectAt(list);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return onOpen();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = stepInGrid(rows, selectedId === undefined ? undefined : list.indexOf(selectedId), event.key);
    if (next === undefined || !/^(Arrow|Home|End)/.test(event.key)) return;
    event.preventDefault();
    select(next);
    virtual.scrollToIndex(rows.findIndex((row) => row.type === 'tiles' && next >= row.from && next < row.to));
  };
  return (
    <div
      ref={scroller}
      className="scroll lib"
      role="listbox"
      aria-label="Pictures and clips"
      aria-activedescendant={selectedId === undefined ? undefined : `asset-${selectedId}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div className="qspace" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => (
          <div key={item.key} className="qitem" style={{ transform: `translateY(${item.start}px)`, height: item.size }}>
            <RowOfGrid row={rows[item.index]} columns={columns} list={list} selectedId={selectedId} onOpen={onOpen} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowOfGridProps {
  row: GridRow | undefined;
  columns: number;
  list: Listing<Days>;
  selectedId: string | undefined;
  onOpen: () => void;
}

/** The heading of a day, or a row of its tiles. */
function RowOfGrid({ row, columns, list, selectedId, onOpen }: RowOfGridProps) {
  if (!row) return null;
  if (row.type === 'day')
    return (
      <div className="day" role="presentation">
        {row.title} <span className="t3">{formatCount(row.count)}</span>
      </div>
    );
  return (
    <div className="tiles" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {Array.from({ length: row.to - row.from }, (_, index) => (
        <GridTile
          key={list.at(row.from + index)?.id ?? index}
          id={list.at(row.from + index)?.id}
          selectedId={selectedId}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}

/** A picture that has just come stands in the list before its day has been counted: the newest day takes it in. */
function useDays({ whole, total }: Listing<Days>): Days {
  return useMemo(() => whole ?? [{ day: new Date().setHours(0, 0, 0, 0), count: total }], [whole, total]);
}

/** Of the rows that are drawn: the place of the first tile, and that behind the last. */
function placesOf(rows: readonly GridRow[]): [from: number, to: number] {
  const tiles = rows.filter((row) => row.type === 'tiles');
  return [tiles[0]?.from ?? 0, tiles.at(-1)?.to ?? 0];
}

/** Selects what stands at a place, as soon as it has been read. */
function useSelectAt(list: Listing<Days>): (place: number) => void {
  const [awaited, setAwaited] = useState<number>();
  const id = awaited === undefined ? undefined : list.at(awaited)?.id;
  useEffect(() => {
    if (id === undefined) return;
    selectAsset(id);
    setAwaited(undefined);
  }, [id]);
  return (place) => {
    const here = list.at(place)?.id;
    if (here === undefined) setAwaited(place);
    else selectAsset(here);
  };
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
  /** Undefined while its part of the list is being read. */
  id: string | undefined;
  selectedId: string | undefined;
  onOpen: () => void;
}

function GridTile({ id, selectedId, onOpen }: GridTileProps) {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  const now = useNow(60_000);
  if (!asset) return <EmptyTile />;
  return (
    <MediaTile
      id={`asset-${asset.id}`}
      asset={asset}
      title={asset.name}
      now={now}
      verdict={asset.verdict}
      selected={asset.id === selectedId}
      onPick={() => selectAsset(asset.id)}
      onOpen={onOpen}
    />
  );
}

/** Stands still at the final size of what comes. */
const EmptyTile = () => (
  <div className="tile" aria-hidden="true">
    <div className="media" />
  </div>
);
