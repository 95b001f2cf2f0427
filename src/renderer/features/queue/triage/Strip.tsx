import { useEffect, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { useAsset } from '../../../app/index.ts';
import { framesOf } from '../../../media/filmstrip.ts';
import type { FilePlayer } from '../../../player/filePlayer.ts';
import { usePlayerValue } from '../../../player/usePlayer.ts';
import { AssetImage } from '../../../ui/index.ts';
import { keyOfFinding } from './takes.ts';
import { FINDING_TITLES, timeText } from './words.ts';

const FRAMES = 7;
const HEIGHT = 80;

interface StripProps {
  take: TriageTake;
  seconds: number;
  player: FilePlayer;
  finding: number;
  onFinding: (index: number) => void;
}

/** The clip as a strip that is true to time, with a numbered mark for each finding: its number is its key. */
export function Strip({ take, seconds, player, finding, onFinding }: StripProps) {
  const asset = useAsset(take.assetId);
  const frames = useFrames(take);
  const percent = (at: number) => `${seconds > 0 ? Math.min(100, (at / seconds) * 100) : 0}%`;
  return (
    <div className="tstrip">
      <div className="tmarks">
        {take.findings.map((one, index) => (
          <button
            key={keyOfFinding(one)}
            type="button"
            className={`tmk ${one.at === 0 ? 'first' : ''} ${index === finding ? 'on' : ''}`}
            style={{ left: percent(one.at) }}
            aria-label={t`Finding ${index + 1}, ${FINDING_TITLES[one.kind]} at ${timeText(one.at)}`}
            aria-pressed={index === finding}
            onClick={() => onFinding(index)}
          >
            <b>{index + 1}</b>
          </button>
        ))}
      </div>
      <div className="tfs">
        {Array.from({ length: FRAMES }, (_, index) =>
          frames[index] ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of the strip are fixed.
            <img key={index} src={frames[index]} alt="" />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the places of the strip are fixed.
            <AssetImage key={index} asset={asset} />
          ),
        )}
        {take.findings.map((one) =>
          one.to === undefined ? null : (
            <i key={keyOfFinding(one)} style={{ left: percent(one.at), width: percent(one.to - one.at) }} />
          ),
        )}
        <Head player={player} percent={percent} />
      </div>
    </div>
  );
}

function Head({ player, percent }: { player: FilePlayer; percent: (at: number) => string }) {
  const at = usePlayerValue(player, ({ seconds }) => seconds);
  return <span className="hd1" style={{ left: percent(at) }} />;
}

function useFrames({ assetId, state }: TriageTake): string[] {
  const [frames, setFrames] = useState<string[]>([]);
  useEffect(() => {
    if (state === 'absent') return;
    let isCurrent = true;
    // Where it cannot be decoded its thumbnail stands in each place.
    framesOf(assetId, FRAMES, HEIGHT).then(
      (read) => isCurrent && setFrames(read),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [assetId, state]);
  return frames;
}
