import type { FilmLevel } from '../../../../shared/film/sound/filmLevel.ts';
import { BROADCAST_LUFS, HIGHEST_PEAK_DB, targetOf } from '../../../../shared/film/sound/levels.ts';
import { t } from '../../../../shared/text/texts.ts';
import { KeyValue, NumberInput, Section, Toggle } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { dbWords, lufsWords } from './loudness.ts';
import { setLoudness } from './soundEdits.ts';
import styles from './soundPanel.module.css';
import type { FilmSound } from './useFilmSound.ts';

/** How loud the film is, and how loud it leaves. No take is changed. */
export function LoudnessPanel({ board, sound: { level, fault, wanted } }: { board: BoardHandle; sound: FilmSound }) {
  const target = targetOf(wanted);
  const set = (next: number | null) => {
    if (next !== null && next >= -40 && next <= -5) board.sync.editContent(setLoudness({ target: next }));
  };
  return (
    <Section title={t`Loudness of the film`}>
      <KeyValue items={figuresOf(level, fault)} />
      <div className={`row ${styles.level}`}>
        <Toggle
          checked={target !== undefined}
          onChecked={(isOn) => board.sync.editContent(setLoudness(isOn ? { target: BROADCAST_LUFS } : { isOff: true }))}
        >
          {t`Level it in the export`}
        </Toggle>
      </div>
      {target !== undefined && (
        <div className={`row ${styles.level}`}>
          <span className="lab grow">{t`Target`}</span>
          <NumberInput
            aria-label={t`Target of the loudness in LUFS`}
            value={target}
            min={-40}
            max={-5}
            step={1}
            unit="LUFS"
            onValue={set}
          />
        </div>
      )}
    </Section>
  );
}

/** What leaves is told where the mix is not levelled, and what it is levelled from where it is. */
function figuresOf(level: FilmLevel | undefined, fault: string | undefined): [string, string | undefined][] {
  if (level?.lufs == null || level.leaves === null) {
    return [[t`Whole film`, level ? 'silent' : fault === undefined ? t`Being measured` : t`Not measured. ${fault}`]];
  }
  const { target, lufs, leaves, gainDb, peakDb, over } = level;
  const by =
    target === undefined || Math.abs(gainDb) < TOLD ? undefined : `${gainDb < 0 ? '−' : '+'}${dbWords(gainDb)}`;
  return [
    [t`Whole film`, t`${lufsWords(target === undefined ? leaves : lufs)} LUFS`],
    [t`In the export`, by],
    // Of what leaves, at most: peaks of several sounds seldom meet.
    [t`True peak`, `${lufsWords(over < TOLD ? peakDb : HIGHEST_PEAK_DB)} dBTP`],
  ];
}

/** In dB; less is not told. */
const TOLD = 0.05;
