import { t } from '../../../../shared/texts.ts';
import './take.css';
import { Repeat } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { SHIPPED_TRIAGE_LIMITS, type TriageLimits } from '../../../../shared/triage/limits.ts';
import { useKeyHint, useShortcut } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { FilePlayer, type Loop } from '../../../player/filePlayer.ts';
import { FPS, timecode } from '../../../player/frames.ts';
import { PlayButtons } from '../../../player/PlayButtons.tsx';
import { usePlayerState } from '../../../player/usePlayer.ts';
import { Button, Icon, Kbd, plural } from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { Lanes } from './Lanes.tsx';
import { Strip } from './Strip.tsx';
import { TakePictures } from './TakePictures.tsx';

interface TakeViewProps {
  take: TriageTake;
  limits: TriageLimits | undefined;
  /** The chosen finding, counting from 0. */
  finding: number;
  onFinding: (index: number) => void;
  onNext: () => void;
}

/** How much is played before and after a finding, in seconds. */
const AROUND_S = 1;

/** One take: the two frames around what was found, or the clip; its strip with the same marks, and what was measured along it. */
export function TakeView({ take, limits = SHIPPED_TRIAGE_LIMITS, finding, onFinding, onNext }: TakeViewProps) {
  const [player] = useState(() => new FilePlayer());
  const [isLooping, setLooping] = useState(true);
  const file = useMeasures([take.sha256]).get(take.sha256);
  const measures = file?.state === 'measured' ? file.measures : undefined;
  const fps = measures?.pictures?.fps || FPS;
  const seconds = measures?.seconds ?? take.seconds ?? 0;
  const found = take.findings[finding];
  const loop = useMemo(
    (): Loop | undefined =>
      found && { from: Math.max(0, found.at - AROUND_S), to: Math.min(seconds, (found.to ?? found.at) + AROUND_S) },
    [found, seconds],
  );
  const foundAt = found?.at ?? 0;
  useEffect(() => {
    player.pause();
    player.seek(foundAt);
  }, [player, foundAt]);
  useEffect(() => {
    player.loop = isLooping ? loop : undefined;
  }, [player, loop, isLooping]);
  useEffect(() => () => player.pause(), [player]);
  return (
    <section className="col tmain" aria-label={t`The take`} data-panel tabIndex={-1}>
      <div className="bar">
        <h2 className="cut">
          <JobName id={take.jobId} />
          {take.output > 0 && t`, clip ${take.output + 1}`}
        </h2>
        <span className="t3 cut">
          <MadeFrom take={take} />
        </span>
        <span className="grow" />
        <span className="t3">{plural(take.findings.length, 'finding')}</span>
        <Button variant="ghost" kbd={useKeyHint('triage.next')} onClick={onNext}>
          {t`Next`}
        </Button>
      </div>
      <TakePictures take={take} finding={found} player={player} seconds={seconds} fps={fps} />
      <Transport
        player={player}
        seconds={seconds}
        fps={fps}
        isLooping={isLooping}
        canLoop={found !== undefined}
        onLoop={() => setLooping(!isLooping)}
      />
      <Strip take={take} seconds={seconds} player={player} finding={finding} onFinding={onFinding} />
      <Lanes take={take} measures={measures} limits={limits} player={player} />
      <FindingKeys count={take.findings.length} onFinding={onFinding} />
    </section>
  );
}

function MadeFrom({ take: { given, seconds } }: { take: TriageTake }) {
  const length = seconds === undefined ? '' : `${Number(seconds.toFixed(1))} s`;
  if (!given) return length;
  const what = given.end === 'last' ? t`extended from` : t`from the frame of`;
  return (
    <>
      {given.jobId === undefined ? t`from a picture` : what} {given.jobId !== undefined && <JobName id={given.jobId} />}
      {length && `, ${length}`}
      {given.why && `. ${given.why}`}
    </>
  );
}

function FindingKeys({ count, onFinding }: { count: number; onFinding: (index: number) => void }) {
  const go = (number: number) => {
    if (number <= count) onFinding(number - 1);
  };
  useShortcut('triage.finding1', () => go(1));
  useShortcut('triage.finding2', () => go(2));
  useShortcut('triage.finding3', () => go(3));
  useShortcut('triage.finding4', () => go(4));
  useShortcut('triage.finding5', () => go(5));
  useShortcut('triage.finding6', () => go(6));
  useShortcut('triage.finding7', () => go(7));
  useShortcut('triage.finding8', () => go(8));
  useShortcut('triage.finding9', () => go(9));
  return null;
}

interface TransportProps {
  player: FilePlayer;
  seconds: number;
  fps: number;
  isLooping: boolean;
  canLoop: boolean;
  onLoop: () => void;
}

function Transport({ player, seconds, fps, isLooping, canLoop, onLoop }: TransportProps) {
  const { seconds: at, isPlaying } = usePlayerState(player);
  useShortcut('board.play', () => player.toggle());
  useShortcut('board.frameBack', () => player.step(-1));
  useShortcut('board.frameForward', () => player.step(1));
  useShortcut('board.secondBack', () => player.step(-Math.round(fps)));
  useShortcut('board.secondForward', () => player.step(Math.round(fps)));
  useShortcut('triage.loop', onLoop, canLoop);
  const hint = useKeyHint('triage.loop');
  return (
    <div className="transport" role="toolbar" aria-label={t`Player`}>
      <span className="mono tc">{timecode(at, fps)}</span>
      <span className="t3 mono">/ {timecode(seconds, fps)}</span>
      <span className="grow" />
      <PlayButtons player={player} isPlaying={isPlaying} />
      <span className="grow" />
      <Button
        variant="ghost"
        aria-pressed={isLooping && canLoop}
        off={canLoop ? undefined : t`Nothing was found to play around.`}
        onClick={onLoop}
      >
        <Icon of={Repeat} />
        {t`Loop ±1 s`} <Kbd>{hint}</Kbd>
      </Button>
    </div>
  );
}
