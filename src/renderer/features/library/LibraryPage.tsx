import { type DragEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Asset } from '../../../shared/library/asset.ts';
import { exportedName } from '../../../shared/library/fileNames.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  announce,
  OutcomeLine,
  showRefusal,
  useAssetList,
  useEntities,
  useForgottenChoice,
  useFreshTakes,
  useNow,
  usePlace,
  useRoute,
  useShortcut,
} from '../../app/index.ts';
import { downloadUrl, dragByHost } from '../../client/index.ts';
import { ExportNote } from '../../media/ExportNote.tsx';
import { dropHandlers, usePastedFiles } from '../../media/givenFiles.ts';
import { ImportNotes } from '../../media/ImportNotes.tsx';
import { Button, EmptyState, FileButton, isLastHour, plural, Reading } from '../../ui/index.ts';
import { BinBar, useIsBin } from './Bin.tsx';
import { BulkBar, useChosenFigures } from './BulkBar.tsx';
import { pickedFiles } from './bringIn/givenFiles.ts';
import { takeDrop, takeFiles } from './bringIn/WayIn.tsx';
import { undoBin } from './bulkActions.ts';
import { chooseAll, forgetMany, type ShownList } from './choosing.ts';
import { Details } from './Details.tsx';
import { Facets } from './Facets.tsx';
import { FilterChips } from './FilterChips.tsx';
import { useIsFiltered, useLibraryFilter } from './filter.ts';
import { Grid } from './Grid.tsx';
import styles from './library.module.css';
import { Many } from './Many.tsx';
import { SearchBar } from './SearchBar.tsx';
import { clearFilters, narrow, OUTCOME, selectAsset, setLibraryView, useLibraryView } from './state.ts';
import { Table } from './Table.tsx';

export function LibraryPage() {
  usePlace('library');
  const picker = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLDivElement>(null);
  const isDrawerOpen = useLibraryView((view) => view.isDrawerOpen);
  const choice = useLibraryView((view) => view.choice);
  useRouteView();
  useFreshTakes();
  const shown = useShownList();
  useLastHourSaid(shown.list.total);
  const { figures, error } = useChosenFigures(choice);
  const openPicker = () => picker.current?.click();
  const openDetails = useCallback(() => details.current?.focus(), []);
  useShortcut('library.import', openPicker);
  useShortcut('library.all', () => chooseAll(shown));
  useShortcut('library.undoBin', () => void undoBin());
  const isBin = useIsBin();
  const isMany = choice.all !== undefined || choice.ids.size > 1;
  return (
    <main data-page="library" className={`page drawers ${styles.library} ${isDrawerOpen ? 'drawer' : ''}`}>
      <h1 className="vh">{t`Library`}</h1>
      <Facets />
      <DropZone>
        <SearchBar
          total={shown.list.stale ? undefined : shown.list.total}
          isMore={shown.list.isMore}
          onImport={openPicker}
        />
        {isBin && <BinBar />}
        <FilterChips />
        <ImportNotes />
        <Results shown={shown} onOpen={openDetails} onImport={openPicker} />
        <ExportNote />
        <OutcomeLine place={OUTCOME} />
        {(isMany || choice.ids.size === 1) && <BulkBar figures={figures} />}
      </DropZone>
      <Details id={[...choice.ids][0]} panelRef={details}>
        {isMany && <Many shown={shown} figures={figures} error={error} />}
      </Details>
      <FileButton ref={picker} label={t`Import files`} accept={FILES} multiple onFiles={takePicked} />
      <DrawerKey />
    </main>
  );
}

function useShownList(): ShownList {
  const filter = useLibraryFilter();
  const sort = useLibraryView((view) => view.sort);
  useForgottenChoice(filter, forgetMany);
  const isUsual = sort.by === 'made' && sort.order === 'desc';
  return { list: useAssetList(filter, isUsual ? undefined : sort), filter, sort };
}

/** Leaving closes the drawer first; this shortcut is handled before the page's own. */
function DrawerKey() {
  const isDrawerOpen = useLibraryView((view) => view.isDrawerOpen);
  useShortcut('page.leave', () => setLibraryView({ isDrawerOpen: false }), isDrawerOpen);
  return null;
}

const FILES = 'image/*,video/*,audio/*,.json';

const takePicked = (files: readonly File[]): void => takeFiles(pickedFiles(files), showEach());

/** Selects each arriving file in turn, until the user selects something else. A selection of several is never replaced. */
function showEach(): (asset: Asset) => void {
  let last = useLibraryView.getState().choice;
  if (last.all !== undefined || last.ids.size > 1) return () => {};
  return (asset) => {
    if (useLibraryView.getState().choice !== last) return;
    selectAsset(asset.id);
    last = useLibraryView.getState().choice;
  };
}

/** `#/library?asset=ID` selects that asset; `?verdict=no` lists only assets rated No. */
function useRouteView(): void {
  const { params } = useRoute();
  useEffect(() => {
    const asset = params.get('asset');
    if (asset) selectAsset(asset);
    if (params.get('verdict') !== 'no') return;
    clearFilters();
    narrow({ verdict: ['no'] });
  }, [params]);
}

/** Imports files dropped anywhere on the grid or pasted on the page. */
function DropZone({ children }: { children: React.ReactNode }) {
  const [over, setOver] = useState(false);
  const take = (given: DataTransfer) => void takeDrop(given, showEach());
  const { onDrop } = dropHandlers(take);
  usePastedFiles(take);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type !== 'dragleave');
  };
  return (
    <section
      className={`col ${styles.drop} ${over ? styles.over : ''}`}
      aria-label={t`Pictures`}
      data-drop={t`Drop to import`}
      data-panel
      tabIndex={-1}
      onPointerDown={dragReady}
      onDragStart={dragOut}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={(event) => {
        setOver(false);
        onDrop(event);
      }}
    >
      {children}
    </section>
  );
}

interface ResultsProps {
  shown: ShownList;
  onOpen: () => void;
  onImport: () => void;
}

function Results({ shown, onOpen, onImport }: ResultsProps) {
  const { list } = shown;
  const layout = useLibraryView((view) => view.layout);
  const filtered = useIsFiltered();
  const isBin = useIsBin();
  if (list.loading || (list.error && list.total === 0)) return <Reading of={list} rows={6} media />;
  if (list.total > 0)
    return layout === 'grid' ? <Grid shown={shown} onOpen={onOpen} /> : <Table shown={shown} onOpen={onOpen} />;
  if (isBin) {
    return <EmptyState title={filtered ? t`Nothing found` : t`The bin is empty`} />;
  }
  return filtered ? (
    <EmptyState title={t`Nothing found`} action={<Button onClick={clearFilters}>{t`Clear all filters`}</Button>} />
  ) : (
    <EmptyState title={t`Nothing made yet`} action={<Button onClick={onImport}>{t`Import files`}</Button>}>
      {t`You can also drop files here.`}
    </EmptyState>
  );
}

/** Warns once per listed file that its gateway link expires in less than an hour. `listed` changes with the list. */
export function useLastHourSaid(listed: unknown): void {
  const told = useRef(new Set<string>());
  const now = useNow(20_000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed is read again when the list says another number.
  useEffect(() => {
    const fresh = [...useEntities.getState().assets.values()].filter(
      (asset) => isLastHour(asset, now) && !told.current.has(asset.id),
    );
    const [first] = fresh;
    if (!first) return;
    for (const { id } of fresh) told.current.add(id);
    const what = fresh.length === 1 ? first.name : plural(fresh.length, 'file');
    announce(t`Only at the gateway for less than an hour: ${what}.`);
  }, [now, listed]);
}

const assetAt = (target: EventTarget): Asset | undefined => {
  const tile = target instanceof Element ? target.closest('[id^="asset-"]') : null;
  const asset = useEntities.getState().assets.get(tile?.id.slice('asset-'.length) ?? '');
  return asset?.state === 'local' ? asset : undefined;
};

/** A pressed tile may be dragged next: the host prepares its copy now, so that the drag starts at once. */
function dragReady({ button, target }: PointerEvent<HTMLElement>): void {
  const drag = dragByHost();
  const asset = button === 0 && drag ? assetAt(target) : undefined;
  if (!drag || !asset) return;
  void drag('ready', asset.id);
}

/**
 * Dragging a tile or row out of the window takes its file along. The desktop host drags a copy; in a browser, Chromium downloads
 * `DownloadURL` where it is dropped, with the key of this page.
 */
function dragOut(event: DragEvent<HTMLElement>): void {
  const asset = assetAt(event.target);
  if (!asset) return;
  const drag = dragByHost();
  if (drag) {
    event.preventDefault();
    window.addEventListener('pointerup', () => void drag('end', asset.id), { once: true });
    void drag('start', asset.id).then((answer) => {
      if (!answer.ok) showRefusal(answer.error);
    });
    return;
  }
  const address = new URL(downloadUrl(asset.id), window.location.href).href;
  event.dataTransfer.effectAllowed = 'copy';
  event.dataTransfer.setData('DownloadURL', `${asset.mime}:${exportedName(asset)}:${address}`);
}
