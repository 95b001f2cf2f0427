import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { pictureOf } from '../../../../shared/film.ts';
import { filmFrameOf } from '../../../../shared/filmFormat.ts';
import type { Job } from '../../../../shared/job.ts';
import { undisplayedNote } from '../../../../shared/resultWords.ts';
import { shortened } from '../../../../shared/shortened.ts';
import { t } from '../../../../shared/texts.ts';
import { useRunningWords } from '../../../app/index.ts';
import { DownloadNow } from '../../../media/DownloadNow.tsx';
import { SaveCopy } from '../../../media/SaveCopy.tsx';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { AssetImage, JobStateGlyph, StorageGlyph } from '../../../ui/index.ts';
import { Loading } from '../ClipPicture.tsx';
import { type TakeView, takeShown } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import type { FilmSound } from '../sound/useFilmSound.ts';
import { blockedWords } from '../takeWords.ts';
import { type BoardHandle, type BoardView, loopJoint, playsFilm, useBoardView } from '../useBoard.ts';
import { ClipPlayer } from './clipPlayer.ts';
import styles from './player.module.css';
import { type PlayItem, rangeAround } from './playItem.ts';
import { clipOf, filmPlaylist, trackOf } from './playlist.ts';

/** Whether the film is shown, and not one take. A skipped shot is not in it: chosen on the board, it is shown alone. */
function showsFilm({ tab, loopedJoint }: Pick<BoardView, 'tab' | 'loopedJoint'>, shot: ShotView | undefined): boolean {
  if (tab === 'board') return !shot?.shot.skipped;
  return playsFilm(tab) || loopedJoint !== undefined;
}

/** The takes that are tried in place of their shots' own. */
function triedOf({ shot, take }: ViewerProps, { tab, takes }: Pick<BoardView, 'tab' | 'takes'>): BoardView['takes'] {
  if (tab === 'board') return takes;
  return tab === 'shot' && shot && take ? { [shot.shot.id]: take.jobId } : {};
}

/** The playlist: one take while it is judged, or the film; around a joint that is looped, the film with the take that is judged. */
function playlistOf(props: ViewerProps, view: BoardView): PlayItem[] {
  const { board, shot, take, heard } = props;
  const tried = triedOf(props, view);
  if (showsFilm(view, shot)) return filmPlaylist(board.shots, board.media, { heard, tried });
  const clip = shot && clipOf(shot, take);
  return clip ? [clip] : [];
}

interface ViewerProps {
  board: BoardHandle;
  shot: ShotView | undefined;
  take: TakeView | undefined;
  onPlayer: (player: ClipPlayer | undefined) => void;
  /** How loud each shot is when the film plays. */
  heard: FilmSound;
}

/** The picture, without tint or rounded corner, and under it nothing but the well. */
export function Viewer(props: ViewerProps) {
  const { board, shot, take, heard, onPlayer } = props;
  const view = useBoardView();
  const { loopedJoint } = view;
  const host = useRef<HTMLDivElement>(null);
  const [player, setPlayer] = useState<ClipPlayer>();
  useEffect(() => {
    if (!host.current) return;
    const created = new ClipPlayer(host.current);
    setPlayer(created);
    onPlayer(created);
    return () => {
      onPlayer(undefined);
      created.dispose();
    };
  }, [onPlayer]);

  const items = playlistOf(props, view);
  const key = JSON.stringify(items);
  const shotStart = shot?.span.start;
  const shotId = shot?.shot.id;
  useEffect(() => {
    if (!player) return;
    const list = JSON.parse(key) as PlayItem[];
    player.load(list);
    if (list.length > 0 && shotStart !== undefined && player.state().shotId !== shotId) player.seek(shotStart);
  }, [player, key, shotId, shotStart]);
  const range = loopedJoint === undefined ? undefined : rangeAround(items, loopedJoint);
  const [from, to] = [range?.from, range?.to];
  useEffect(() => {
    player?.setRange(from === undefined || to === undefined ? undefined : { from, to });
  }, [player, from, to]);
  useEffect(() => {
    if (loopedJoint !== undefined) player?.playRange();
  }, [player, loopedJoint]);
  useEffect(() => () => loopJoint(undefined), []);
  const track = useMemo(() => trackOf(heard), [heard]);
  useEffect(() => player?.setTrack(playsFilm(view.tab) ? track : undefined), [player, track, view.tab]);
  const error = usePlayerValue(player, (state) => state.error);
  const isLoading = usePlayerValue(player, (state) => state.isLoading);
  const seenId = usePlayerValue(player, (state) => state.shotId);
  const seen = board.shots.find((one) => one.shot.id === seenId) ?? shot;
  const seenTake = showsFilm(view, shot) ? seen && takeShown(seen, triedOf(props, view)[seen.shot.id]) : take;
  return (
    <div className={styles.player}>
      <div
        className={`media ${styles.frame}`}
        ref={host}
        role="img"
        aria-label={labelOf(items, seen, seenTake)}
        style={{ '--film-ratio': filmRatio(board) } as CSSProperties}
        hidden={items.length === 0}
      />
      {items.length === 0 && <NoClip board={board} shot={shot} take={take} isFilm={showsFilm(view, shot)} />}
      {seen && <span className={`ov ${styles.viewerName}`}>{nameOf(seen, seenTake)}</span>}
      {isLoading && <Loading />}
      {error && <p className={styles.playerError}>{error}</p>}
    </div>
  );
}

/** What is seen, in words. */
function labelOf(items: readonly PlayItem[], shot: ShotView | undefined, take: TakeView | undefined): string {
  if (!shot) return t`No shot`;
  const item = items.find(({ shotId }) => shotId === shot.shot.id);
  const words = shortened(shot.shot.prompt, 200);
  if (item?.kind === 'still') {
    return t`Shot ${shot.number}, ${item.note}, ${item.url === undefined ? t`a slate` : t`a still`} stands for it: ${words}`;
  }
  return `${nameOf(shot, take)}: ${words}`;
}

const nameOf = ({ number }: ShotView, take: TakeView | undefined): string =>
  take ? t`Shot ${number} · take ${take.number}` : t`Shot ${number} · no take`;

/** Width by height of the film, for what is drawn in its frame. */
function filmRatio({ board, shots }: BoardHandle): number {
  const { width, height } = filmFrameOf({ format: board?.format, shots: shots.map(({ shot }) => shot) });
  return width / height;
}

function NoClip({
  board,
  shot,
  take,
  isFilm,
}: {
  board: BoardHandle;
  shot: ShotView | undefined;
  take: TakeView | undefined;
  isFilm: boolean;
}) {
  const note = !isFilm && take?.clip ? undisplayedNote(take.clip) : undefined;
  const away = !isFilm && take?.clip?.state === 'remote' ? take.clip : undefined;
  const still = take?.clip ?? pictureOf(shot?.shot.image ?? shot?.shot.referenceImages[0], board.media);
  return (
    <div className={`media ${styles.frame} ${styles.still}`}>
      {still && !isFilm && <AssetImage asset={still} className="whole" alt={t`What the shot starts from`} />}
      <div className={styles.plate}>
        {note !== undefined && take?.clip ? <SaveCopy asset={take.clip} why={note} /> : noClipText(shot, take, isFilm)}
        {away && <StorageGlyph storage={away} />}
        {away && <DownloadNow key={away.id} asset={away} bare />}
      </div>
    </div>
  );
}

function TakeState({ job }: { job: Job }) {
  const running = useRunningWords(job);
  return (
    <JobStateGlyph state={job.state} progress={job.progress}>
      {running ?? blockedWords(job)}
    </JobStateGlyph>
  );
}

function noClipText(shot: ShotView | undefined, take: TakeView | undefined, isFilm: boolean) {
  if (isFilm) return t`Every shot is skipped, so the film is empty.`;
  if (!shot) return t`No shot is selected.`;
  if (!take) return t`No take yet. Make one and it plays here.`;
  if (take.clip?.state === 'remote') return t`This clip is only at the gateway and cannot be played from there.`;
  if (!take.job) return t`The take is being read.`;
  return (
    <>
      <span>{t`Take ${take.number}`}</span>
      <TakeState job={take.job} />
    </>
  );
}
