import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Job } from '../../../../shared/job.ts';
import { type MixPlan, sourceGain } from '../../../../shared/sound/mixPlan.ts';
import { useRunningWords } from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { pictureOf } from '../../../media/facts.ts';
import { AssetImage, JobStateGlyph } from '../../../ui/index.ts';
import type { TakeView } from '../model/take.ts';
import { playedShots, type ShotView } from '../model/view.ts';
import { blockedWords } from '../takeWords.ts';
import { type BoardHandle, type BoardTabId, playsFilm, useBoardView } from '../useBoard.ts';
import { type Clip, ClipPlayer, type PlayerControls, type PlayerState } from './clipPlayer.ts';

const STILL: PlayerState = { seconds: 0, isPlaying: false, rate: 1, shotId: undefined, error: undefined };

/** What the player does now, frame by frame: for the few things that show the time. */
export const usePlayerState = (player: PlayerControls | undefined): PlayerState =>
  usePlayerValue(player, (state) => state);

/** One value of the player's state; renders again only when that value changes. */
export function usePlayerValue<Value>(
  player: PlayerControls | undefined,
  select: (state: PlayerState) => Value,
): Value {
  const subscribe = player?.subscribe ?? noSubscription;
  return useSyncExternalStore(subscribe, () => select(player?.state() ?? STILL));
}

const noSubscription = () => () => undefined;

/** The playlist: one take while it is judged, or every active take in order, as loud as the mix says. */
function clipsOf({ board, shot, take, mix }: ViewerProps, tab: BoardTabId) {
  const clip = ({ span, seconds }: ShotView, { clip: asset }: TakeView): Clip[] => {
    if (asset?.state !== 'local' || !asset.mime.startsWith('video/')) return [];
    return [{ shotId: span.shotId, url: mediaUrl(asset.id), start: span.start, seconds: asset.seconds ?? seconds }];
  };
  if (!playsFilm(tab)) return shot && take ? clip(shot, take) : [];
  const volumes = new Map(mix?.sources.map((source) => [source.shotId, sourceGain(source, source.start)]));
  return playedShots(board.shots).flatMap((view) => {
    const volume = mix ? Math.min(1, (volumes.get(view.shot.id) ?? 0) * mix.headroom) : 1;
    return view.active ? clip(view, view.active).map((one) => ({ ...one, volume })) : [];
  });
}

interface ViewerProps {
  board: BoardHandle;
  shot: ShotView | undefined;
  take: TakeView | undefined;
  onPlayer: (player: ClipPlayer | undefined) => void;
  /** How loud each shot is when the film plays. */
  mix?: MixPlan;
}

/** The picture, without tint or rounded corner, and under it nothing but the well. */
export function Viewer(props: ViewerProps) {
  const { board, shot, take, onPlayer } = props;
  const { tab, isMuted, isLooping } = useBoardView();
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

  const clips = clipsOf(props, tab);
  const key = JSON.stringify(clips);
  const shotStart = shot?.span.start;
  const lastShot = useRef<string>(undefined);
  useEffect(() => {
    const isOther = lastShot.current !== undefined && lastShot.current !== shot?.shot.id;
    lastShot.current = shot?.shot.id;
    const list = JSON.parse(key) as Clip[];
    const isInside = player?.state().shotId === shot?.shot.id;
    player?.load(list, isOther && !isInside ? shotStart : undefined);
  }, [player, key, shot?.shot.id, shotStart]);
  useEffect(() => player?.mute(isMuted), [player, isMuted]);
  useEffect(() => {
    if (player) player.isLooping = isLooping;
  }, [player, isLooping]);
  const error = usePlayerValue(player, (state) => state.error);
  const label = shot
    ? `Shot ${shot.number}${take ? ` take ${take.number}` : ''}: ${shot.shot.prompt.slice(0, 200)}`
    : 'No shot';
  return (
    <div className="sb-player">
      <div className="media frame" ref={host} role="img" aria-label={label} hidden={clips.length === 0} />
      {clips.length === 0 && <NoClip board={board} shot={shot} take={take} tab={tab} />}
      {error && <p className="player-error">{error}</p>}
    </div>
  );
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
  const still = take?.clip ?? pictureOf(shot?.shot.image ?? shot?.shot.referenceImages[0], board.media);
  return (
    <div className="media frame still">
      {still && tab === 'shot' && <AssetImage asset={still} className="whole" alt="What the shot starts from" />}
      <div className="plate">{noClipText(shot, take, tab)}</div>
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
  if (playsFilm(tab)) return 'No shot has a take that can be played yet.';
  if (!shot) return 'No shot is selected.';
  if (!take) return 'No take yet. Make one and it plays here.';
  if (take.clip?.state === 'remote') return 'This clip is only at the gateway and cannot be played from there.';
  if (!take.job) return 'The take is being read.';
  return (
    <>
      <span>Take {take.number}</span>
      <TakeState job={take.job} />
    </>
  );
}
