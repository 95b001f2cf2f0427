import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { type Shot, takesOf } from '../../../shared/board/board.ts';
import { castReferencesToCompare } from '../../../shared/board/castReferences.ts';
import { framesToCompare } from '../../../shared/board/shotLinks.ts';
import { isDead } from '../../../shared/film/film.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import { cacheJobs, useCall, useEvent, useSharedParts, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useGoneFiles, withGone } from '../../media/useGoneFiles.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { sendOnce } from '../../spending/index.ts';
import { patchShot, refsOfShot } from './model/shots.ts';
import { type BoardPort, type BoardState, BoardSync } from './model/sync.ts';
import { playedShots, type ShotView, type TakeView, viewOf } from './model/view.ts';

const SAVE_DELAY_MS = 400;

/** One per project, kept as long as the window, so that leaving the page loses no text. */
const useBoards = create<Readonly<Record<string, BoardSync>>>()(() => ({}));

function syncOf(projectId: string): BoardSync {
  const known = useBoards.getState()[projectId];
  if (known) return known;
  const sync = new BoardSync({
    get: () => call('storyboard.get', { projectId }),
    save: (board) => call('storyboard.save', board),
    makeTake: (shotId, order, content) => {
      // A shot added with it gets a new id each time it is offered.
      const identity = order.added ? { own: [projectId, order.added] } : { content };
      return sendOnce('storyboard.makeTake', { projectId, shotId, ...order }, identity);
    },
    promoteTake: (promotion, order) => sendOnce('storyboard.promoteTake', { projectId, ...promotion, ...order }),
    step: (way) => call(`board.${way}`, { projectId }),
    makeTakes: (shotIds, order, content) =>
      sendOnce('storyboard.makeTakes', { projectId, shotIds, ...order }, { content }),
    connection: () => useStudio.getState().connection,
    kept: keptInWindow(`dailies.board.${projectId}`),
    later: (run) => {
      const timer = setTimeout(run, SAVE_DELAY_MS);
      return () => clearTimeout(timer);
    },
  });
  useBoards.setState({ [projectId]: sync });
  return sync;
}

/** Without storage, or with a full one, nothing survives a reload. */
function keptInWindow(place: string): BoardPort['kept'] {
  const tried = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch {
      return undefined;
    }
  };
  return {
    read: () => tried(() => window.sessionStorage.getItem(place)) ?? undefined,
    write: (text) =>
      tried(() =>
        text === undefined ? window.sessionStorage.removeItem(place) : window.sessionStorage.setItem(place, text),
      ),
  };
}

export interface BoardHandle extends BoardState {
  sync: BoardSync;
  shots: ShotView[];
  media: ReturnType<typeof useKnownMedia>;
}

/** The present shot; rendered data may be older. */
export const shotNow = ({ sync }: Pick<BoardHandle, 'sync'>, id: string): Shot | undefined =>
  sync.state().board?.shots.find((one) => one.id === id);

const NO_SHOTS: never[] = [];
const NO_CAST: never[] = [];

/** A project's board with its takes, kept fresh by events and by what this page edits. */
export function useBoard(projectId: string): BoardHandle {
  const sync = syncOf(projectId);
  const state = useSyncExternalStore(sync.subscribe, sync.state);
  const link = useStudio((studio) => studio.link);
  useEffect(() => {
    if (link === 'up') void sync.flush().then(() => sync.load());
  }, [sync, link]);
  useEffect(() => {
    const flush = () => void sync.flush();
    const leave = () => {
      // The page may unload before the studio answers.
      sync.keep();
      flush();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      flush();
    };
  }, [sync]);
  useEvent('board.changed', (event) => {
    if (event.projectId === projectId) void sync.changedTo(event.revision);
  });

  const list = useCall('jobs.list', { projectId, kinds: [KINDS.video.name], limit: 500 });
  useEffect(() => cacheJobs(list.data?.jobs ?? []), [list.data]);
  const shots = state.board?.shots ?? NO_SHOTS;
  const cast = state.board?.cast ?? NO_CAST;
  const track = state.board?.sound?.track?.assetId;
  const refs = useMemo(() => {
    const takes = shots.flatMap((shot) => takesOf(shot).map((jobId) => ({ jobId })));
    const sounds = track === undefined ? [] : [{ assetId: track }];
    const sheets = cast.flatMap((member) => member.sheets.map(({ assetId }) => ({ assetId })));
    return list.loading ? [] : [...takes, ...shots.flatMap(refsOfShot), ...sounds, ...sheets];
  }, [shots, cast, track, list.loading]);
  const known = useKnownMedia(refs);
  const pictures = useMemo(() => shots.flatMap(startsAround), [shots]);
  const gone = useGoneFiles(pictures, known);
  const media = useMemo(() => ({ ...known, lookUp: withGone(known.lookUp, known, gone) }), [known, gone]);
  const views = useSharedParts(useMemo(() => viewOf(shots, media, cast), [shots, media, cast]));
  useKnownMedia(
    useMemo(
      () => [...framesToCompare(views, media.assets), ...castReferencesToCompare(views, cast)],
      [views, media.assets, cast],
    ),
  );
  return { ...state, sync, shots: views, media };
}

/** The pictures of a shot, and the frame that the next one may start from. */
const startsAround = (shot: Shot): MediaRef[] =>
  shot.activeTake === undefined ? refsOfShot(shot) : [...refsOfShot(shot), { jobId: shot.activeTake, frame: 'last' }];

export type BoardTabId = 'board' | 'cast' | 'sound' | 'seams';

/** Whether the viewer plays the whole film in this tab. */
export const playsFilm = (tab: BoardTabId): boolean => tab === 'board' || tab === 'sound';

/** The selected shot; by default the first that the tab shows. */
export function chosenShot({ shots }: BoardHandle, shotId: string | undefined, tab: BoardTabId): ShotView | undefined {
  const chosen = shots.find(({ shot }) => shot.id === shotId);
  return chosen ?? (playsFilm(tab) ? playedShots(shots)[0] : undefined) ?? shots[0];
}

/** The page's state of a board; not part of the board. */
export interface BoardView {
  shotId: string | undefined;
  /** The last clicked take by shot. Clicking a take without a clip only shows it; others are selected. */
  takes: Readonly<Record<string, string>>;
  tab: BoardTabId;
  isBinOpen: boolean;
  /** Whether the shot list import is shown instead of the board. */
  isImporting: boolean;
  /** The take that is offered as a remake in higher quality. */
  promoting: string | undefined;
  /** The import under way: its list and film, and the start of its shots' ids, so that a retry adds nothing twice. */
  adding?: { of: string; id: string } | undefined;
}

export const useBoardView = create<BoardView>()(() => ({
  shotId: undefined,
  takes: {},
  tab: 'board',
  isBinOpen: false,
  isImporting: false,
  promoting: undefined,
}));

export const selectShot = (shotId: string): void => useBoardView.setState({ shotId });

/** Selects the shot that the viewer shows. A selected shot that is gone is only replaced by the user. */
export const showSeenShot = (shotId: string, shots: readonly ShotView[]): void =>
  useBoardView.setState(({ shotId: chosen }) =>
    chosen !== undefined && !shots.some(({ shot }) => shot.id === chosen) ? {} : { shotId },
  );

/** The take in the viewer: the selected one, or a clicked one without a clip. */
export function takeInView({ shot, takes, active }: ShotView, clicked: BoardView['takes']): TakeView | undefined {
  const looked = takes.find(({ jobId, job }) => jobId === clicked[shot.id] && job && job.state !== 'succeeded');
  return looked ?? (isDead(active?.job) ? undefined : active) ?? takes.at(-1);
}

/** Selects a take for the film; an unfinished one is only shown. */
export function chooseTake(board: BoardHandle, { shot }: ShotView, take: TakeView): void {
  const { jobId, job, clipIndex } = take;
  useBoardView.setState(({ takes }) => ({ shotId: shot.id, takes: { ...takes, [shot.id]: jobId } }));
  if (job?.state === 'succeeded' && jobId !== shot.activeTake) playTake(board, shot.id, jobId, clipIndex);
}

/** Shows another variation of the selected take, which is saved on the board. */
export const playTake = ({ sync }: BoardHandle, shotId: string, jobId: string, index: number): void =>
  sync.edit(patchShot(shotId, { activeTake: jobId, activeOutput: index === 0 ? undefined : index }));
