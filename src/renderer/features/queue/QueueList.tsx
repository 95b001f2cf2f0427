import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { formatNano } from '../../../shared/money.ts';
import { navigate, useArrivalFocus } from '../../app/index.ts';
import { formatCount, MoneySwatch } from '../../ui/index.ts';
import { JobRow } from './JobRow.tsx';
import type { Row } from './rows.ts';
import { selectJob, useQueueView } from './state.ts';

const GROUP_PX = 28;
const JOB_PX = 44;
/** The next page is asked for this many rows before the end. */
const AHEAD_ROWS = 20;

/** The virtual list: arrows move the selection, Enter opens the result; only what is seen is in the page. */
export function QueueList({ rows, onMore }: { rows: readonly Row[]; onMore: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  useArrivalFocus(scroller);
  const selectedId = useQueueView((state) => state.selectedId);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'group' ? GROUP_PX : JOB_PX),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    initialRect: { width: 800, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - AHEAD_ROWS) onMore();
  }, [last, rows.length, onMore]);
  const onKeyDown = useListKeys(rows, (index) => virtual.scrollToIndex(index));
  const picked = selectedId !== undefined && rows.some((row) => row.key === selectedId);
  return (
    <div
      ref={scroller}
      className="scroll qlist"
      role="listbox"
      aria-label="Jobs"
      aria-activedescendant={picked ? `job-${selectedId}` : undefined}
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
              {row?.type === 'group' && <GroupHead row={row} />}
              {row?.type === 'job' && <JobRow job={row.job} selected={row.key === selectedId} end={row.end} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function GroupHead({ row }: { row: Extract<Row, { type: 'group' }> }) {
  return (
    <div className="grp" role="presentation">
      {row.title} <span className="t3">{formatCount(row.count)}</span>
      <span className="grow" />
      {row.reservedNano !== undefined && (
        <>
          <MoneySwatch of="reserved" />
          <span>{formatNano(row.reservedNano)} reserved</span>
        </>
      )}
    </div>
  );
}

function useListKeys(rows: readonly Row[], show: (index: number) => void) {
  const places = useMemo(() => rows.flatMap((row, index) => (row.type === 'job' ? [index] : [])), [rows]);
  return (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { selectedId } = useQueueView.getState();
    const at = places.findIndex((place) => rows[place]?.key === selectedId);
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? 0 : at - 1,
      Home: 0,
      End: places.length - 1,
      PageDown: at + 10,
      PageUp: at - 10,
    };
    const selected = at < 0 ? undefined : rows[places[at] ?? -1];
    if (event.key === 'Enter' && !event.shiftKey && selected?.type === 'job') openResult(selected.job.outputs[0]?.id);
    if (!(event.key in targets)) return;
    event.preventDefault();
    const next = places[Math.max(0, Math.min(places.length - 1, targets[event.key] ?? 0))];
    if (next === undefined) return;
    selectJob(rows[next]?.key);
    show(next);
  };
}

function openResult(assetId: string | undefined): void {
  if (assetId !== undefined) navigate('library', { asset: assetId });
}
