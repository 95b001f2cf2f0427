import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { useArrivalFocus, useEntities, useNow } from '../../app/index.ts';
import { formatCount, MediaTile } from '../../ui/index.ts';
import { columnsFor, DAY_PX, gridRows, stepInGrid, tileRowPx } from './layout.ts';
import { selectAsset, useLibraryView } from './state.ts';

/** The next page is asked for this many rows before the end. */
const AHEAD_ROWS = 6;
const PADDING_PX = 24;

/** Days of tiles; only what is seen is in the page. Arrows move, Enter goes to the inspector. */
export function Grid({ assets, onMore, onOpen }: { assets: readonly Asset[]; onMore: () => void; onOpen: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  useArrivalFocus(scroller);
  const { columns, tile } = useColumns(scroller);
  const today = useNow(600_000);
  const rows = useMemo(() => gridRows(assets, columns, today), [assets, columns, today]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'day' ? DAY_PX : tileRowPx(tile)),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 3,
    initialRect: { width: 900, height: 800 },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: row heights follow the width of a tile.
  useEffect(() => virtual.measure(), [tile, virtual]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD_ROWS) onMore();
  }, [last, rows.length, onMore]);
  const selectedId = useLibraryView((view) => view.selectedId);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return onOpen();
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = stepInGrid(rows, selectedId, event.key);
    if (next === undefined || !/^(Arrow|Home|End)/.test(event.key)) return;
    event.preventDefault();
    selectAsset(next);
    virtual.scrollToIndex(rows.findIndex((row) => row.type === 'tiles' && row.assets.some(({ id }) => id === next)));
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
        {items.map((item) => {
          const row = rows[item.index];
          return (
            <div
              key={item.key}
              className="qitem"
              style={{ transform: `translateY(${item.start}px)`, height: item.size }}
            >
              {row?.type === 'day' && (
                <div className="day" role="presentation">
                  {row.title} <span className="t3">{formatCount(row.count)}</span>
                </div>
              )}
              {row?.type === 'tiles' && (
                <div className="tiles" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
                  {row.assets.map(({ id }) => (
                    <GridTile key={id} id={id} selected={id === selectedId} onOpen={onOpen} />
                  ))}
                </div>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
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

function GridTile({ id, selected, onOpen }: { id: string; selected: boolean; onOpen: () => void }) {
  const asset = useEntities((state) => state.assets.get(id));
  const now = useNow(60_000);
  if (!asset) return null;
  return (
    <MediaTile
      id={`asset-${id}`}
      asset={asset}
      title={asset.name}
      now={now}
      verdict={asset.verdict}
      selected={selected}
      onPick={() => selectAsset(id)}
      onOpen={onOpen}
    />
  );
}
