import './library.css';
import { Import, Search, X } from 'lucide-react';
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import {
  type Command,
  type Days,
  type Listing,
  useAssetList,
  useCommands,
  useKeyHint,
  useRoute,
  useShortcut,
} from '../../app/index.ts';
import { importFiles, useImporting } from '../../media/importing.ts';
import {
  Button,
  CallError,
  DrawerTab,
  EmptyState,
  ErrorBox,
  formatCount,
  Icon,
  IconButton,
  Kbd,
  LoadingBars,
  plural,
  Slider,
  TextInput,
} from '../../ui/index.ts';
import { Details } from './Details.tsx';
import { Facets, FILTERS_PANEL } from './Facets.tsx';
import { useIsFiltered, useLibraryFilter } from './filter.ts';
import { Grid } from './Grid.tsx';
import { clearFilters, narrow, selectAsset, setLibraryView, TILE_MAX, TILE_MIN, useLibraryView } from './state.ts';

/** Search, the grid by days, and one asset's whole life. */
export function LibraryPage() {
  const picker = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const { selectedId, isDrawerOpen } = useLibraryView();
  useShortcut('page.leave', () => setLibraryView({ isDrawerOpen: false }), isDrawerOpen);
  useRouteSelection();
  const list = useAssetList(useLibraryFilter());
  const commands = useMemo<Command[]>(
    () => [{ id: 'library.import', label: 'Import pictures or clips', run: () => picker.current?.click() }],
    [],
  );
  useCommands('library', commands);
  return (
    <main className={`page drawers library ${isDrawerOpen ? 'drawer' : ''}`}>
      <h1 className="vh">Library</h1>
      <Facets />
      <DropZone>
        <SearchBar total={list.total} onImport={() => picker.current?.click()} />
        <ImportNotes />
        <Results list={list} onOpen={() => details.current?.focus()} onImport={() => picker.current?.click()} />
      </DropZone>
      <Details id={selectedId} panelRef={details} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept="image/*,video/*,audio/*"
        aria-label="Files to import"
        onChange={(event) => {
          void importFiles([...(event.target.files ?? [])], take);
          event.target.value = '';
        }}
      />
    </main>
  );
}

const take = (asset: Asset): void => selectAsset(asset.id);

/** `#/library?asset=ID` selects that asset. */
function useRouteSelection(): void {
  const { params } = useRoute();
  const asset = params.get('asset');
  useEffect(() => {
    if (asset) selectAsset(asset);
  }, [asset]);
}

/** Files dropped anywhere on the grid are imported. */
function DropZone({ children }: { children: React.ReactNode }) {
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type !== 'dragleave');
  };
  return (
    <section
      className={`col drop ${over ? 'over' : ''}`}
      aria-label="Pictures"
      data-panel
      tabIndex={-1}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(false);
        void importFiles([...event.dataTransfer.files], take);
      }}
    >
      {children}
    </section>
  );
}

function SearchBar({ total, onImport }: { total: number; onImport: () => void }) {
  const { filter, tile, isDrawerOpen } = useLibraryView();
  const { text = '' } = filter;
  const search = useRef<HTMLInputElement>(null);
  const hint = useKeyHint('library.search');
  const filtered = useIsFiltered();
  useShortcut('library.search', () => search.current?.focus());
  return (
    <div className="bar">
      <DrawerTab
        panelId={FILTERS_PANEL}
        isOpen={isDrawerOpen}
        onToggle={() => setLibraryView({ isDrawerOpen: !isDrawerOpen })}
      >
        Filters
      </DrawerTab>
      <TextInput
        ref={search}
        className="lib-find"
        aria-label="Search prompts and names"
        placeholder="Search prompts and names"
        value={text}
        onValue={(next) => narrow({ text: next })}
        before={<Icon of={Search} />}
        after={text === '' ? <Kbd>{hint}</Kbd> : <span className="t3">{formatCount(total)} found</span>}
      />
      {filtered && (
        <IconButton label="Clear all filters" onClick={clearFilters}>
          <Icon of={X} />
        </IconButton>
      )}
      <span className="grow" />
      <span className="t3">Newest first</span>
      <span className="sl-wrap">
        <Slider
          aria-label="Size of the tiles"
          min={TILE_MIN}
          max={TILE_MAX}
          step={8}
          value={tile}
          onValue={(next) => setLibraryView({ tile: next })}
        />
      </span>
      <Button onClick={onImport}>
        <Icon of={Import} />
        Import
      </Button>
    </div>
  );
}

function ImportNotes() {
  const { left, refused } = useImporting();
  if (left === 0 && refused.length === 0) return null;
  return (
    <div className="pad" role="status">
      {left > 0 && <p className="t2">Importing, {plural(left, 'file')} left</p>}
      {refused.length > 0 && (
        <ErrorBox
          title={`${plural(refused.length, 'file')} not imported`}
          cures={[{ label: 'Dismiss', onCure: () => useImporting.setState({ refused: [] }) }]}
        >
          <ul>
            {refused.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </ErrorBox>
      )}
    </div>
  );
}

interface ResultsProps {
  list: Listing<Days>;
  onOpen: () => void;
  onImport: () => void;
}

function Results({ list, onOpen, onImport }: ResultsProps) {
  const filtered = useIsFiltered();
  if (list.error && list.total === 0) {
    return (
      <div className="pad">
        <CallError error={list.error} onRetry={list.reload} />
      </div>
    );
  }
  if (list.loading) {
    return (
      <div className="pad">
        <LoadingBars rows={6} label="Reading the library" />
      </div>
    );
  }
  if (list.total > 0) return <Grid list={list} onOpen={onOpen} />;
  return filtered ? (
    <EmptyState title="Nothing fits" action={<Button onClick={clearFilters}>Clear all filters</Button>}>
      No picture or clip fits this search and these filters.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing made yet" action={<Button onClick={onImport}>Import files</Button>}>
      Everything you make lands here by itself, verified. You can also drop pictures and clips onto this page; that
      costs nothing.
    </EmptyState>
  );
}
