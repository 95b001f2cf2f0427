import { type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { ActionKey, focusTemporarily, lazyPage, useKeyHint, usePlace, useRoute, useShortcut } from '../../app/index.ts';
import type { Player } from '../../player/player.ts';
import { Button, EmptyState, isPageCovered, LoadingBars, Reading, Tabs } from '../../ui/index.ts';
import { BinDialog, BoardMenu, stepLabel, UndoButton, useRemovedShots, useSteps } from './BoardMenu.tsx';
import { BOARD_TABS, boardTab } from './boardTabs.tsx';
import { shotOfCard } from './Cards.tsx';
import cardsStyles from './cards.module.css';
import { EXPORT_VIEW, openExport } from './export/useExports.ts';
import { FilmLength } from './FilmLength.tsx';
import { Guide } from './guide/Guide.tsx';
import { notSavedText, type Refusal } from './model/pending.ts';
import { toggleSkipped } from './model/shots.ts';
import type { ShotView } from './model/view.ts';
import { TakePrice } from './NoProject.tsx';
import { Done } from './Notice.tsx';
import { PromoteOffer } from './PromoteOffer.tsx';
import type { ClipPlayer } from './player/clipPlayer.ts';
import { ImportShots } from './shotList/ImportShots.tsx';
import storyboardStyles from './storyboard.module.css';
import type { BoardTabProps } from './tabProps.ts';
import { useAddedShots } from './useAddedShots.ts';
import {
  type BoardHandle,
  type BoardTabId,
  chosenShot,
  playsFilm,
  showSeenShot,
  takeInView,
  useBoard,
  useBoardView,
} from './useBoard.ts';
import { type BoardActions, useBoardActions, usePausedByEdits } from './useBoardActions.ts';

const ExportPage = lazyPage(async () => ({ default: (await import('./export/ExportPage.tsx')).ExportPage }));

/** One project's board. */
export function BoardPage({ projectId }: { projectId: string }) {
  const board = useBoard(projectId);
  const actions = useBoardActions(board);
  const isImporting = useBoardView((view) => view.isImporting);
  const tab = useBoardView((view) => view.tab);
  const isExporting = useRoute().params.get('view') === EXPORT_VIEW;
  const steps = useSteps(board);
  useAddedShots(board, actions.model);
  usePlace(isImporting ? 'shotList' : isExporting ? 'export' : tab);
  useFilmActions(board, actions, steps);
  if (!board.board) {
    return (
      <div className={cardsStyles.sbBlank}>
        <Reading of={{ error: board.error, reload: () => void board.sync.load() }} rows={6} media />
      </div>
    );
  }
  if (isImporting) return <ImportShots board={board} projectId={projectId} onDone={() => setImporting(false)} />;
  if (isExporting) return <ExportPage board={board} projectId={projectId} />;
  if (board.shots.length === 0) return <NoShots board={board} actions={actions} />;
  return <OpenBoard board={board} actions={actions} steps={steps} />;
}

/** Actions on the film in any of its views. */
function useFilmActions(
  board: BoardHandle,
  { add, step }: BoardActions,
  { undo, redo }: OpenBoardProps['steps'],
): void {
  const isRead = board.board !== undefined;
  useShortcut('board.undo', () => void step('undo'), isRead, { label: stepLabel('undo', undo) });
  useShortcut('board.redo', () => void step('redo'), isRead, { label: stepLabel('redo', redo) });
  useShortcut('board.add', () => add(board.shots.at(-1)), isRead);
  useShortcut('board.import', () => setImporting(true), isRead);
  useShortcut('board.bin', () => useBoardView.setState({ isBinOpen: true }));
}

function NoShots({ board, actions }: { board: BoardHandle; actions: BoardActions }) {
  return (
    <section className={cardsStyles.sbBlank} aria-label={t`Board`} data-panel tabIndex={-1}>
      <EmptyState
        title={t`No shot yet`}
        action={
          <div className="row">
            <Button variant="primary" onClick={() => actions.add(undefined)}>
              {t`Add the first shot`}
            </Button>
            <Button variant="ghost" onClick={() => setImporting(true)}>
              {t`Import shots`}
            </Button>
          </div>
        }
      >
        <TakePrice />
      </EmptyState>
      <RemovedShots projectId={board.board?.projectId ?? ''} />
      <NotSaved board={board} />
      {actions.done && <Done done={actions.done} />}
    </section>
  );
}

/** With no shot left, removed ones can be restored here. */
function RemovedShots({ projectId }: { projectId: string }) {
  const removed = useRemovedShots(projectId);
  return (
    <>
      {removed.length > 0 && (
        <Button variant="ghost" onClick={() => useBoardView.setState({ isBinOpen: true })}>
          {t`Removed shots: ${removed.length}`}
        </Button>
      )}
      <BinDialog projectId={projectId} removed={removed} />
    </>
  );
}

interface OpenBoardProps {
  board: BoardHandle;
  actions: BoardActions;
  steps: ReturnType<typeof useSteps>;
}

function OpenBoard({ board, actions, steps }: OpenBoardProps) {
  const { shotId, takes, tab } = useBoardView();
  const [player, setPlayer] = useState<ClipPlayer>();
  const onPlayer = useCallback((next: ClipPlayer | undefined) => setPlayer(next), []);
  usePausedByEdits(player, playsFilm(tab));
  useFollowedShot(board, player, tab);
  const shot = chosenShot(board, shotId, tab);
  const take = shot && takeInView(shot, takes);
  useShotKeys(board, actions, shot);
  if (!shot) return null;
  const { Main, Side, label } = boardTab(tab);
  const shown: BoardTabProps = { board, shot, take, actions, player, onPlayer };
  return (
    <>
      <Guide board={board} player={player} />
      <div className={storyboardStyles.main} data-panel tabIndex={-1}>
        <BoardBar board={board} actions={actions} steps={steps} />
        <NotSaved board={board} />
        <FilmLength board={board} />
        <TabPanel tab={tab} label={label}>
          {/* Without its own key, the previous tab would stay mounted, hidden and with the focus. */}
          <Suspense key={tab} fallback={<LoadingBars rows={3} />}>
            <Main {...shown} />
          </Suspense>
        </TabPanel>
      </div>
      <Suspense
        key={tab}
        fallback={
          <div className="panel">
            <LoadingBars rows={3} media={false} />
          </div>
        }
      >
        <Side {...shown} />
      </Suspense>
      <PromoteOffer board={board} view={shot} />
    </>
  );
}

const setImporting = (isImporting: boolean): void => useBoardView.setState({ isImporting });

/** The tabs and the actions on the film. */
function BoardBar({ board, actions, steps }: OpenBoardProps) {
  const tab = useBoardView((view) => view.tab);
  const open = (next: BoardTabId) => useBoardView.setState({ tab: next });
  return (
    <div className="bar">
      <Tabs
        aria-label={t`Views of the film`}
        value={tab}
        onValue={open}
        items={BOARD_TABS.map((one) => ({
          value: one.id,
          label: one.label,
          kbd: <ActionKey action={one.action} onDo={() => open(one.id)} />,
        }))}
      />
      <span className="grow" />
      {board.error && board.unsaved > 0 && (
        <Button variant="ghost" onClick={() => void board.sync.flush()}>
          {t`Not saved: ${board.error.message} Try again`}
        </Button>
      )}
      <UndoButton steps={steps} onStep={(way) => void actions.step(way)} />
      <BoardMenu projectId={board.board?.projectId ?? ''} actions={actions} steps={steps} />
      <Button onClick={openExport} kbd={useKeyHint('board.export')}>
        {t`Export film`}
      </Button>
    </div>
  );
}

/** Shortcuts act on the focused card, otherwise on the selected shot. */
function useShotKeys(board: BoardHandle, actions: BoardActions, chosen: ShotView | undefined): void {
  const withShot = (act: (shot: ShotView) => void) => () => {
    const shot = shotOfCard(board, document.activeElement) ?? chosen;
    if (shot) act(shot);
  };
  useShortcut(
    'board.moveEarlier',
    withShot((shot) => actions.move(shot, shot.number - 1)),
  );
  useShortcut(
    'board.moveLater',
    withShot((shot) => actions.move(shot, shot.number + 1)),
  );
  useShortcut(
    'board.skip',
    withShot(({ shot }) => board.sync.edit(toggleSkipped(shot.id))),
  );
}

/** An edit that the board refuses: why, where to fix it, and its undo. The edit is shown but not saved; all else is saved. */
function NotSaved({ board }: { board: BoardHandle }) {
  const [refusal, ...more] = board.refused;
  if (!refusal || !board.board) return null;
  const place = placeOf(refusal);
  return (
    <div className={`row ${storyboardStyles.notSaved}`} role="alert">
      <span className="grow">
        {notSavedText(refusal, board.board)}
        {refusal.error.data?.isSecret === true && ` ${t`Reloading the page loses it.`}`}
        {more.length > 0 && ` ${t`And ${more.length} more`}`}
      </span>
      {place && <Button onClick={() => show(place, refusal)}>{t`Show it`}</Button>}
      {refusal.isFinal && <Button onClick={() => void board.sync.retry()}>{t`Try again`}</Button>}
      <Button onClick={() => board.sync.takeBack(refusal)}>{t`Undo my change`}</Button>
    </div>
  );
}

/** The tab that edits the field. */
const TABS: Readonly<Record<string, BoardTabId>> = { cast: 'cast', sound: 'sound', words: 'sound', subtitles: 'sound' };

function placeOf({ shotId, error }: Refusal): BoardTabId | undefined {
  const path = typeof error.data?.field === 'string' ? error.data.field.split('.') : [];
  return TABS[path[0] ?? ''] ?? TABS[path[2] ?? ''] ?? (shotId === undefined ? undefined : 'board');
}

function show(tab: BoardTabId, { shotId }: Refusal): void {
  useBoardView.setState(shotId === undefined ? { tab } : { tab, shotId });
  // The tab's panel exists after the next render.
  requestAnimationFrame(() => document.querySelector<HTMLElement>('main > aside')?.focus());
}

/**
 * The content of a tab. A tab opened by its shortcut gets the focus here, unless a part of it took it; a tab selected in the tab bar leaves
 * the focus there.
 */
function TabPanel({ tab, label, children }: { tab: BoardTabId; label: string; children: ReactNode }) {
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current === tab) return;
    shown.current = tab;
    const active = document.activeElement;
    const isElsewhere = !panel.current?.contains(active) && !active?.matches('[role="tab"]');
    if (panel.current && isElsewhere && !isPageCovered()) focusTemporarily(panel.current);
  }, [tab]);
  return (
    <div className={storyboardStyles.sbPanel} role="tabpanel" aria-label={label} tabIndex={-1} ref={panel}>
      {children}
    </div>
  );
}

/** In a tab that plays the film, the shot in the viewer becomes the selected one. */
function useFollowedShot({ shots }: BoardHandle, player: Player | undefined, tab: BoardTabId): void {
  const show = useEffectEvent((shotId: string) => showSeenShot(shotId, shots));
  useEffect(() => {
    if (!player || !playsFilm(tab)) return;
    let seen: string | undefined;
    const follow = () => {
      const { shotId } = player.state();
      if (shotId === seen) return;
      seen = shotId;
      if (shotId !== undefined) show(shotId);
    };
    follow();
    return player.subscribe(follow);
  }, [player, tab]);
}
