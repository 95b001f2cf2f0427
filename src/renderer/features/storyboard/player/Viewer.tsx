import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { pictureOf } from '../../../../shared/film.ts';
import { filmFrameOf } from '../../../../shared/filmFormat.ts';
import type { Job } from '../../../../shared/job.ts';
import { shortened } from '../../../../shared/shortened.ts';
import { t } from '../../../../shared/texts.ts';
import { useRunningWords } from '../../../app/index.ts';
import { DownloadNow } from '../../../media/DownloadNow.tsx';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { AssetImage, JobStateGlyph, StorageGlyph } from '../../../ui/index.ts';
import type { TakeView } from '../model/take.ts';
import type { ShotView } from '../model/view.ts';
import { blockedWords } from '../takeWords.ts';
import { type BoardHandle, type BoardTabId, loopJoint, playsFilm, useBoardView } from '../useBoard.ts';
import { ClipPlayer } from './clipPlayer.ts';
import { type PlayItem, rangeAround } from './playItem.ts';
import { clipOf, filmPlaylist, type HeardMix } from './playlist.ts';

/** The playlist: one take while it is judged, or the film; around a joint that is looped, the film with the take that is judged. */
function playlistOf({ board, shot, take, heard }: ViewerProps, tab: BoardTabId, isJoint: boolean): PlayItem[] {
  if (playsFilm(tab)) return filmPlaylist(board.shots, board.media, { heard });
  if (isJoint) return filmPlaylist(board.shots, board.media, { heard, shown: take });
  const clip = shot && clipOf(shot, take);
  return clip ? [clip] : [];
}

interface ViewerProps {
  board: BoardHandle;
  shot: ShotView | undefined;
  take: TakeView | undefined;
  onPlayer: (player: ClipPlayer | undefined) => void;
  /** How loud each shot is when the film plays. */
  heard?: HeardMix;
}

/** The picture, without tint or rounded corner, and under it nothing but the well. */
export function Viewer(props: ViewerProps) {
  const { board, shot, take, onPlayer } = props;
  const { tab, isMuted, isLooping, loopedJoint } = useBoardView();
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

  const items = playlistOf(props, tab, loopedJoint !== undefined);
  const key = JSON.stringify(items);
  const shotStart = shot?.span.start;
  const lastShot = useRef<string>(undefined);
  useEffect(() => {
    const isOther = lastShot.current !== undefined && lastShot.current !== shot?.shot.id;
    lastShot.current = shot?.shot.id;
    const list = JSON.parse(key) as PlayItem[];
    const isInside = player?.state().shotId === shot?.shot.id;
    player?.load(list, isOther && !isInside ? shotStart : undefined);
  }, [player, key, shot?.shot.id, shotStart]);
  useEffect(() => player?.mute(isMuted), [player, isMuted]);
  const range = loopedJoint === undefined ? undefined : rangeAround(items, loopedJoint);
  const [from, to] = [range?.from, range?.to];
  useEffect(() => {
    player?.loop(isLooping, from === undefined || to === undefined ? undefined : { from, to });
  }, [player, isLooping, from, to]);
  useEffect(() => {
    if (loopedJoint !== undefined) player?.playRange();
  }, [player, loopedJoint]);
  useEffect(() => () => loopJoint(undefined), []);
  const error = usePlayerValue(player, (state) => state.error);
  return (
    <div className="sb-player">
      <div
        className="media frame"
        ref={host}
        role="img"
        aria-label={labelOf(items, shot, take)}
        style={{ '--film-ratio': filmRatio(board) } as CSSProperties}
        hidden={items.length === 0}
      />
      {items.length === 0 && <NoClip board={board} shot={shot} take={take} tab={tab} />}
      {error && <p className="player-error">{error}</p>}
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
  return t`Shot ${shot.number}${take ? t` take ${take.number}` : ''}: ${words}`;
}

/** Width by height of the film, for what is drawn in its frame. */
function filmRatio({ board, shots }: BoardHandle): number {
  const { width, height } = filmFrameOf({ format: board?.format, shots: shots.map(({ shot }) => shot) });
  return width / height;
}

function NoClip({
  board,
  shot,
  take,
  tab,
}: {
  board: BoardHandle;
  shot: ShotView | undefined;
  take: TakeView | undefined;
  tab: BoardTabId;
}) {
  const away = !playsFilm(tab) && take?.clip?.state === 'remote' ? take.clip : undefined;
  const still = take?.clip ?? pictureOf(shot?.shot.image ?? shot?.shot.referenceImages[0], board.media);
  return (
    <div className="media frame still">
      {still && tab === 'shot' && <AssetImage asset={still} className="whole" alt={t`What the shot starts from`} />}
      <div className="plate">
        {noClipText(shot, take, tab)}
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

function noClipText(shot: ShotView | undefined, take: TakeView | undefined, tab: BoardTabId) {
  if (playsFilm(tab)) return t`Every shot is skipped, so the film is empty.`;
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
