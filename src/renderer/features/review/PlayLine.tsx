import { t } from '../../../shared/texts.ts';
import '../../player/player.css';
import { useEffect } from 'react';
import { useKeyHint, useShortcut } from '../../app/index.ts';
import { timecode } from '../../player/frames.ts';
import { PlayButtons } from '../../player/PlayButtons.tsx';
import { SeekBar } from '../../player/SeekBar.tsx';
import { usePlayerState, useSpaceBar } from '../../player/usePlayer.ts';
import { LoopAndMute } from '../storyboard/player/Transport.tsx';
import { useBoardView } from '../storyboard/useBoard.ts';
import { CheckMark } from './CheckMark.tsx';
import type { Checked } from './checks.ts';
import { checkWords, findingTitle, isOfSound, keyOfFinding } from './findingWords.ts';
import type { SyncPlayer } from './syncPlayer.ts';
import { useLevels } from './useLevels.ts';
import type { Review } from './useReview.ts';

export interface PlayLineProps {
  review: Review;
  player: SyncPlayer;
  checks: ReadonlyMap<string, Checked>;
  /** The chosen finding of the take that is rated, from 0; −1 where none is. */
  finding: number;
  onFinding: (finding: number) => void;
}

/** Plays what stands side by side as one, over the lane of what the quality check found in the take that is rated. */
export function PlayLine({ review, player, checks, finding, onFinding }: PlayLineProps) {
  const { sides, current } = review;
  const { seconds: at, isPlaying } = usePlayerState(player);
  const total = Math.max(0, ...sides.map(({ asset }) => asset?.seconds ?? 0));
  const checked = checks.get(current.key);
  const { words, why } = useLevels(sides);
  const isLooping = useBoardView((view) => view.isLooping);
  useEffect(() => {
    player.isLooping = isLooping;
  }, [player, isLooping]);
  usePlayKeys(player);
  return (
    <div className="rv-line" role="toolbar" aria-label={t`Player`}>
      <span className="row">
        <PlayButtons player={player} isPlaying={isPlaying} />
        <span className="mono nw" role="timer" aria-label={t`Time`}>
          {timecode(at).slice(3)} <span className="t3">/ {timecode(total).slice(3)}</span>
        </span>
      </span>
      <div className="rv-lane">
        <Findings checked={checked} finding={finding} onFinding={onFinding} />
        <SeekBar player={player} label={t`Time`} total={total} textOf={timecode} onSeek={(to) => player.seek(to)}>
          {checked?.findings.map((one, index) => (
            <i
              key={keyOfFinding(one)}
              className={`${isOfSound(one) ? 'of-sound' : ''} ${index === finding ? 'on' : ''}`}
              style={{
                left: `${share(one.at, total)}%`,
                width: `max(3px, ${share((one.to ?? one.at) - one.at, total)}%)`,
              }}
            />
          ))}
        </SeekBar>
      </div>
      <span className="row">
        <LoopAndMute />
        <span className="t2 nw rv-level" title={why}>
          {words}
        </span>
      </span>
    </div>
  );
}

const share = (seconds: number, total: number): number =>
  total > 0 ? Math.min(100, Math.max(0, (seconds / total) * 100)) : 0;

function Findings({
  checked,
  finding,
  onFinding,
}: Pick<PlayLineProps, 'finding' | 'onFinding'> & { checked?: Checked | undefined }) {
  const hint = useKeyHint('review.nextFinding');
  if (!checked) return <span className="t3">{t`Only clips are checked.`}</span>;
  if (checked.findings.length === 0)
    return (
      <span className="t3 row cut">
        <CheckMark state={checked.state} />
        {checkWords(checked)}
      </span>
    );
  return (
    <span className="row rv-marks">
      {checked.findings.map((one, index) => (
        <button
          key={keyOfFinding(one)}
          type="button"
          aria-pressed={index === finding}
          title={index === 0 ? t`Next finding (${hint})` : undefined}
          onClick={() => onFinding(index)}
        >
          <b>{index + 1}</b> {findingTitle(one, checked.seconds)}
        </button>
      ))}
    </span>
  );
}

/** J K L and Space; comma and full stop move a frame. */
function usePlayKeys(player: SyncPlayer): void {
  useShortcut('board.back', () => player.shuttle(-1));
  useShortcut('board.play', () => player.toggle());
  useShortcut('board.forward', () => player.shuttle(1));
  useShortcut('player.frameBack', () => player.step(-1));
  useShortcut('player.frameForward', () => player.step(1));
  useSpaceBar(player);
}
