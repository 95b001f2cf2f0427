import type { FilmLevel } from '../../../../shared/sound/filmLevel.ts';
import { BROADCAST_LUFS, HIGHEST_PEAK_DB, targetOf } from '../../../../shared/sound/levels.ts';
import { t } from '../../../../shared/texts.ts';
import { KeyValue, NumberInput, Section, Toggle, WhyOff } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { dbWords, lufsWords } from './HeardAs.tsx';
import { setLoudness } from './soundEdits.ts';
import styles from './soundPanel.module.css';
import type { FilmSound } from './useFilmSound.ts';

/** How loud the film is, and how loud it leaves. No take is changed. */
export function LoudnessPanel({ board, sound: { level, fault, wanted } }: { board: BoardHandle; sound: FilmSound }) {
  const target = targetOf(wanted);
  const by = target === undefined || level?.lufs == null ? undefined : level.gainDb;
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
          {by === undefined
            ? t`Level it in the export`
            : t`${by < 0 ? t`Lower` : t`Raise`} the mix by ${dbWords(by)} in the export`}
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
      <WhyOff>{whenWords(wanted)}</WhyOff>
    </Section>
  );
}

/** What leaves is told where the mix is not levelled, and what it is levelled from where it is. */
function figuresOf(level: FilmLevel | undefined, fault: string | undefined): [string, string | undefined][] {
  if (level?.lufs == null || level.leaves === null) {
    return [[t`Whole film`, level ? 'silent' : fault === undefined ? t`being measured` : t`not measured. ${fault}`]];
  }
  const { target, lufs, leaves, lowered } = level;
  return [
    [t`Whole film`, t`${lufsWords(target === undefined ? leaves : lufs)} LUFS`],
    [t`From the target`, target === undefined ? undefined : distanceWords(target - lufs)],
    [t`Lowered`, lowered < TOLD ? undefined : t`by ${dbWords(lowered)}, so that nothing clips`],
    [t`True peak`, peakWords(level)],
  ];
}

/** In dB; less is not told. */
const TOLD = 0.05;

/** Of what leaves, at most: peaks of several sounds seldom meet. */
const peakWords = ({ peakDb, over }: FilmLevel): string =>
  over < TOLD
    ? t`${lufsWords(peakDb)} at most, limit ${lufsWords(HIGHEST_PEAK_DB)} dBTP`
    : t`held at ${lufsWords(HIGHEST_PEAK_DB)} dBTP in the export, up to ${dbWords(over)} lower`;

const distanceWords = (by: number): string =>
  Math.abs(by) < 0.05 ? 'none' : t`${Math.abs(by).toFixed(1)} LU too ${by < 0 ? t`loud` : t`quiet`}`;

function whenWords(wanted: FilmSound['wanted']): string {
  if (wanted?.isOff) return t`It leaves as loud as it is mixed.`;
  if (wanted)
    return t`You hear it as exported, except that peaks are limited only in the export. Pictures are not re-encoded.`;
  return t`Wherever its sound is encoded; a film that is joined as it came keeps its own loudness.`;
}
