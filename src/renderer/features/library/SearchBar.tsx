import { Columns3, Import, LayoutGrid, List, Search, X } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { useShortcut } from '../../app/index.ts';
import {
  Button,
  Checkbox,
  DrawerTab,
  formatCount,
  Icon,
  IconButton,
  Kbd,
  Popover,
  Segmented,
  Select,
  Slider,
  TextInput,
} from '../../ui/index.ts';
import { BringIn } from './bringIn/WayIn.tsx';
import { ALWAYS_SHOWN, COLUMNS, SORT_OPTIONS, sortOf, sortValue } from './columns.ts';
import { FILTERS_PANEL } from './Facets.tsx';
import { useIsFiltered } from './filter.ts';
import libraryStyles from './library.module.css';
import type { ColumnId } from './remembered.ts';
import { clearFilters, narrow, setLibraryView, TILE_MAX, TILE_MIN, useLibraryView } from './state.ts';
import tableStyles from './table.module.css';

interface SearchBarProps {
  /** Number of assets in the list; undefined while results of an older search are shown. */
  total: number | undefined;
  isMore: boolean;
  onImport: () => void;
}

export function SearchBar({ total, isMore, onImport }: SearchBarProps) {
  const isDrawerOpen = useLibraryView((view) => view.isDrawerOpen);
  const layout = useLibraryView((view) => view.layout);
  return (
    <div className="bar">
      <DrawerTab
        panelId={FILTERS_PANEL}
        isOpen={isDrawerOpen}
        onToggle={() => setLibraryView({ isDrawerOpen: !isDrawerOpen })}
      >
        {t`Filters`}
      </DrawerTab>
      <SearchField total={total} isMore={isMore} />
      <span className="grow" />
      {layout === 'grid' && <SortSelect />}
      {layout === 'table' && <ColumnsMenu />}
      <LayoutChoice />
      {layout === 'grid' && <TileSize />}
      <BringIn />
      <Button onClick={onImport} aria-label={t`Import`}>
        <Icon of={Import} />
        <span className={libraryStyles.barWord}>{t`Import`}</span>
      </Button>
    </div>
  );
}

function SearchField({ total, isMore }: Pick<SearchBarProps, 'total' | 'isMore'>) {
  const text = useLibraryView(({ filter }) => filter.text ?? '');
  const search = useRef<HTMLInputElement>(null);
  const filtered = useIsFiltered();
  const hint = useShortcut('library.search', () => search.current?.focus());
  return (
    <>
      <TextInput
        ref={search}
        className={libraryStyles.libFind}
        aria-label={t`Search prompts and names`}
        placeholder={t`Search prompts and names`}
        value={text}
        onValue={(next) => narrow({ text: next })}
        before={<Icon of={Search} />}
        after={text === '' ? <Kbd>{hint}</Kbd> : <span className="t3">{foundWords(total, isMore)}</span>}
      />
      {filtered && (
        <IconButton label={t`Clear all filters`} onClick={clearFilters}>
          <Icon of={X} />
        </IconButton>
      )}
    </>
  );
}

function foundWords(total: number | undefined, isMore: boolean): string {
  if (total === undefined) return t`Searching`;
  return isMore ? t`More than ${formatCount(total)} found` : t`${formatCount(total)} found`;
}

function SortSelect() {
  const sort = useLibraryView((view) => view.sort);
  const choose = (value: string) => {
    const next = sortOf(value);
    if (next) setLibraryView({ sort: next });
  };
  return (
    <span className={tableStyles.sort}>
      <Select aria-label={t`Order`} options={SORT_OPTIONS} value={sortValue(sort)} onValue={choose} />
    </span>
  );
}

const LAYOUTS = [
  { value: 'grid' as const, name: t`Grid`, label: <Icon of={LayoutGrid} /> },
  { value: 'table' as const, name: t`Table`, label: <Icon of={List} /> },
];

function LayoutChoice() {
  const layout = useLibraryView((view) => view.layout);
  useShortcut('library.layout', () => setLibraryView({ layout: layout === 'grid' ? 'table' : 'grid' }));
  return (
    <Segmented
      aria-label={t`Layout`}
      options={LAYOUTS}
      value={layout}
      onValue={(next) => setLibraryView({ layout: next })}
    />
  );
}

function TileSize() {
  const tile = useLibraryView((view) => view.tile);
  return (
    <span className={libraryStyles.slWrap}>
      <Slider
        aria-label={t`Tile size`}
        min={TILE_MIN}
        max={TILE_MAX}
        step={8}
        value={tile}
        onValue={(next) => setLibraryView({ tile: next })}
      />
    </span>
  );
}

const show = (id: ColumnId, isShown: boolean): void =>
  setLibraryView(({ hidden }) => ({
    hidden: isShown ? hidden.filter((other) => other !== id) : [...hidden, id],
  }));

/** The columns of the table, stored with the look of the list. The name is always shown. */
function ColumnsMenu() {
  const hidden = useLibraryView((view) => view.hidden);
  const trigger = (
    <Button variant="ghost" aria-label={t`Columns`}>
      <Icon of={Columns3} />
      <span className={libraryStyles.barWord}>{t`Columns`}</span>
    </Button>
  );
  return (
    <Popover trigger={trigger} title={t`Columns`}>
      <div className="col">
        {COLUMNS.filter(({ id }) => id !== ALWAYS_SHOWN).map(({ id, label }) => (
          <Checkbox key={id} checked={!hidden.includes(id)} onChecked={(next) => show(id, next)}>
            {label}
          </Checkbox>
        ))}
      </div>
    </Popover>
  );
}
