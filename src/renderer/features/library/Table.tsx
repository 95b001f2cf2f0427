import { ArrowDown, ArrowUp, Check, Minus, Star } from 'lucide-react';
import { Fragment, type MouseEvent, memo, type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { isChosen, useEntities, useListFocus, useLongList, useNow, useStudio } from '../../app/index.ts';
import { AssetName } from '../../media/AssetName.tsx';
import {
  formatBytes,
  formatCount,
  formatSeconds,
  formatStamp,
  formatWhen,
  Icon,
  PriceWords,
  StorageGlyph,
  Thumb,
  VerdictWord,
} from '../../ui/index.ts';
import { pick, type ShownList, toggleAll, useListKeys } from './choosing.ts';
import { ariaSort, shownColumns, sortAfter, stepInTable, templateOf } from './columns.ts';
import type { ColumnId } from './remembered.ts';
import { assetChoice, setLibraryView, useLibraryView } from './state.ts';
import styles from './table.module.css';

const ROW_PX = 28;
const AHEAD = 60;

/** The same list as rows. Only rows in view are rendered and read. */
export function Table({ shown, onOpen }: { shown: ShownList; onOpen: () => void }) {
  const { list } = shown;
  const scroller = useRef<HTMLTableElement>(null);
  useListFocus(scroller);
  const { items, height, scrollToIndex } = useLongList({
    count: list.total,
    scroller,
    rowPx: ROW_PX,
    estimateSize: () => ROW_PX,
    rest: { scrollPaddingStart: ROW_PX, overscan: 8, initialRect: { width: 900, height: 800 } },
  });
  const [from, to] = [items[0]?.index ?? 0, (items.at(-1)?.index ?? 0) + 1];
  const { see } = list;
  useEffect(() => see(Math.max(0, from - AHEAD), to + AHEAD), [see, from, to]);
  const selectedId = useLibraryView((view) => view.selectedId);
  const isListed = selectedId !== undefined && list.indexOf(selectedId) !== undefined;
  const onKeyDown = useListKeys({
    shown,
    stepFrom: (at, key) => stepInTable(list.total, at, key),
    reveal: (place) => scrollToIndex(place),
    onOpen,
  });
  const latest = useRef(shown);
  latest.current = shown;
  const onPick = useCallback((event: MouseEvent, id: string) => pick(latest.current, event, id), []);
  return (
    <table
      ref={scroller}
      className={`scroll panel-ring ${styles.table}`}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with the keys and the choice of a grid is one.
      role="grid"
      aria-label={t`Pictures and clips`}
      aria-multiselectable="true"
      aria-rowcount={list.total + 1}
      aria-activedescendant={isListed ? `asset-${selectedId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Head shown={shown} />
      <tbody className="qspace" style={{ height: height }}>
        {items.map(({ index, start }) => (
          <TableRow
            key={list.at(index)?.id ?? index}
            id={list.at(index)?.id}
            place={index}
            top={start}
            onPick={onPick}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

function Head({ shown }: { shown: ShownList }) {
  const sort = useLibraryView((view) => view.sort);
  const { all, ids } = useLibraryView((view) => view.choice);
  const hidden = useLibraryView((view) => view.hidden);
  const isAll = all !== undefined && all.except.size === 0;
  const isSome = !isAll && (all !== undefined || ids.size > 0);
  return (
    <thead className={styles.head}>
      <tr className={styles.ltRow} aria-rowindex={1} style={{ gridTemplateColumns: templateOf(hidden) }}>
        <th scope="col" className={styles.check}>
          <button
            type="button"
            className={styles.ltMark}
            aria-label={isAll ? t`Select none` : t`Select all ${formatCount(shown.list.total)}`}
            onClick={() => toggleAll(shown)}
          >
            <Mark on={isAll} some={isSome} />
          </button>
        </th>
        <th scope="col">
          <span className="vh">{t`Picture`}</span>
        </th>
        {shownColumns(hidden).map(({ id, label, by, isNumber }) => (
          <th
            scope="col"
            key={id}
            className={`${styles[id] ?? ''} ${isNumber ? 'r' : ''}`}
            aria-sort={ariaSort(sort, by)}
          >
            {by ? (
              <button
                type="button"
                className={styles.ltSort}
                onClick={() => setLibraryView({ sort: sortAfter(sort, by) })}
              >
                {label}
                {sort.by === by && <Icon of={sort.order === 'asc' ? ArrowUp : ArrowDown} />}
              </button>
            ) : (
              label
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Only drawn as a check box; the surrounding row or button has the accessible name. */
const Mark = ({ on, some = false }: { on: boolean; some?: boolean }) => (
  <span className="chk" data-checked={on || some ? '' : undefined} aria-hidden="true">
    {(on || some) && <Icon of={some ? Minus : Check} />}
  </span>
);

interface TableRowProps {
  /** Undefined while this part of the list is being read. */
  id: string | undefined;
  place: number;
  top: number;
  onPick: (event: MouseEvent, id: string) => void;
  onOpen: () => void;
}

const TableRow = memo(function TableRow({ id, place, top, onPick, onOpen }: TableRowProps) {
  const asset = useEntities((state) => (id === undefined ? undefined : state.assets.get(id)));
  const chosen = useLibraryView(({ choice }) => id !== undefined && isChosen(choice, id));
  const active = useLibraryView(({ selectedId }) => id !== undefined && selectedId === id);
  const hidden = useLibraryView((view) => view.hidden);
  const style = { transform: `translateY(${top}px)`, height: ROW_PX, gridTemplateColumns: templateOf(hidden) };
  if (!asset) {
    return (
      <tr className={`${styles.ltRow} qitem`} aria-rowindex={place + 2} style={style}>
        <td aria-busy="true" />
      </tr>
    );
  }
  return (
    <tr
      id={`asset-${asset.id}`}
      draggable={asset.state === 'local'}
      className={`hovers ${styles.ltRow} qitem ${chosen ? 'is-picked' : ''} ${active ? styles.active : ''}`}
      aria-rowindex={place + 2}
      aria-selected={chosen}
      style={style}
      onClick={(event) => onPick(event, asset.id)}
      onDoubleClick={onOpen}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Space does the same for the row. */}
      <td
        className={styles.check}
        onClick={(event) => {
          event.stopPropagation();
          assetChoice.toggle(asset.id);
        }}
      >
        <Mark on={chosen} />
      </td>
      <td>
        <Thumb asset={asset} small />
      </td>
      <Cells asset={asset} />
    </tr>
  );
});

const NONE = <span className="t3">–</span>;

function Cells({ asset }: { asset: Asset }) {
  const now = useNow(60_000);
  const hidden = useLibraryView((view) => view.hidden);
  return shownColumns(hidden).map(({ id }) => <Fragment key={id}>{CELLS[id](asset, now)}</Fragment>);
}

const CELLS: Record<ColumnId, (asset: Asset, now: number) => ReactNode> = {
  name: (asset) => (
    <td className="cut" title={asset.name}>
      <StarMark asset={asset} />
      <AssetName asset={asset} />
    </td>
  ),
  project: ({ projectId }) => <ProjectCell id={projectId} />,
  model: ({ model }) => (
    <td className={`${styles.model} t2 cut`} title={model}>
      {model ?? NONE}
    </td>
  ),
  made: ({ createdAt }, now) => (
    <td className="t2 num" title={formatStamp(createdAt)}>
      {formatWhen(createdAt, now)}
    </td>
  ),
  seconds: ({ seconds }) => <td className="r num">{seconds === undefined ? NONE : formatSeconds(seconds)}</td>,
  bytes: ({ bytes }) => <td className="r num t2">{bytes > 0 ? formatBytes(bytes) : NONE}</td>,
  seed: ({ seed }) => (
    <td className={`${styles.seed} r mono t2 cut`} title={seed === undefined ? undefined : String(seed)}>
      {seed ?? NONE}
    </td>
  ),
  verdict: ({ verdict }) => <td>{verdict ? <VerdictWord verdict={verdict} /> : NONE}</td>,
  cost: ({ costNano, costLowNano = costNano }) => (
    <td className="r">
      {costNano === undefined ? NONE : <PriceWords nano={costNano} lowNano={costLowNano ?? costNano} as="most" />}
    </td>
  ),
  storage: (asset) => (
    <td>
      <StorageGlyph storage={asset} bare />
    </td>
  ),
};

function ProjectCell({ id }: { id: string | undefined }) {
  const name = useStudio(({ projects }) => projects.find((project) => project.id === id)?.name);
  return (
    <td className={`${styles.project} t2 cut`} title={name}>
      {name ?? NONE}
    </td>
  );
}

export const StarMark = ({ asset }: { asset: Asset }) =>
  asset.starred ? (
    <span className={styles.starMark} title={t`Starred`}>
      <Icon of={Star} />
      <span className="vh">{t`Starred`} </span>
    </span>
  ) : null;
