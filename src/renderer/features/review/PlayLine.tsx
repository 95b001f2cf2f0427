import { t } from '../../../shared/text/texts.ts';
import { useKeyHint } from '../../app/index.ts';
import { timecode } from '../../player/frames.ts';
import { LoopAndMute, PlayButtons, Rate } from '../../player/PlayButtons.tsx';
import { SeekBar } from '../../player/SeekBar.tsx';
import type { SyncPlayer } from '../../player/syncPlayer.ts';
import { usePlayer, usePlayerState } from '../../player/usePlayer.ts';
import aboutStyles from './about.module.css';
import { type Checked, findingTitle, isOfSound, keyOfFinding } from './checks.tsx';
import { useLevels } from './levels.ts';
import reviewStyles from './review.module.css';
import type { Review } from './useReview.ts';

export interface PlayLineProps {
  review: Review;
  player: SyncPlayer;
  checks: ReadonlyMap<string, Checked>;
  /** The selected finding of the take being rated, from 0; −1 for none. */
  finding: number;
  onFinding: (finding: number) => void;
}

/** Plays the takes side by side in sync, above the lane of the rated take's findings. */
export function PlayLine({ review, player, checks, finding, onFinding }: PlayLineProps) {
  const { sides, current } = review;
  const { seconds: at, total } = usePlayerState(player);
  const checked = checks.get(current.key);
  const { words } = useLevels(sides);
  usePlayer(player, 'takes');
  return (
    <div className={reviewStyles.line} role="toolbar" aria-label={t`Player`}>
      <span className="row">
        <PlayButtons player={player} />
        <span className="mono nw" role="timer" aria-label={t`Time`}>
          {timecode(at).slice(3)} <span className="t3">/ {timecode(total).slice(3)}</span>
        </span>
        <Rate player={player} />
      </span>
      <div className={reviewStyles.lane}>
        <Findings checked={checked} finding={finding} onFinding={onFinding} />
        <SeekBar player={player} label={t`Time`} textOf={timecode}>
          {checked?.findings.map((one, index) => (
            <i
              key={keyOfFinding(one)}
              className={`${isOfSound(one) ? reviewStyles.ofSound : ''} ${index === finding ? reviewStyles.on : ''}`}
              style={{
                left: `${share(one.at, total)}%`,
                width: `max(3px, ${share((one.to ?? one.at) - one.at, total)}%)`,
              }}
            />
          ))}
        </SeekBar>
      </div>
      <span className="row">
        <LoopAndMute of="takes" />
        <span className={`t2 nw ${reviewStyles.level}`}>{words}</span>
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
  return (
    <span className={`row ${reviewStyles.marks}`}>
      {checked.findings.map((one, index) => (
        <button
          key={keyOfFinding(one)}
          type="button"
          aria-pressed={index === finding}
          title={index === 0 ? t`Next finding (${hint})` : undefined}
          onClick={() => onFinding(index)}
        >
          <b className={aboutStyles.number}>{index + 1}</b> {findingTitle(one, checked.seconds)}
        </button>
      ))}
    </span>
  );
}
