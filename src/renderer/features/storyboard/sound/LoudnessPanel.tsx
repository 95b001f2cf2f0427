import { BROADCAST_LUFS, targetOf } from '../../../../shared/sound/levels.ts';
import { KeyValue, NumberInput, Section, Toggle, WhyOff } from '../../../ui/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { lufsWords } from './LoudnessLane.tsx';
import { setLoudness } from './soundEdits.ts';
import type { FilmSound } from './useFilmSound.ts';

/** How loud the film is, and how loud it leaves. No take is changed. */
export function LoudnessPanel({ board, sound: { loudness, wanted } }: { board: BoardHandle; sound: FilmSound }) {
  const target = targetOf(wanted);
  const lufs = loudness?.lufs ?? undefined;
  const by = target === undefined || lufs === undefined ? undefined : target - lufs;
  const set = (next: number | null) => {
    if (next !== null && next >= -40 && next <= -5) board.sync.editContent(setLoudness({ target: next }));
  };
  const silent = loudness ? 'silent' : 'being measured';
  return (
    <Section title="Loudness of the film">
      <KeyValue
        items={[
          ['Whole film', lufs === undefined ? silent : `${lufsWords(lufs)} LUFS`],
          ['From the target', by === undefined ? undefined : distanceWords(by)],
        ]}
      />
      <div className="row snd-level">
        <Toggle
          checked={target !== undefined}
          onChecked={(isOn) => board.sync.editContent(setLoudness(isOn ? { target: BROADCAST_LUFS } : { isOff: true }))}
        >
          {by === undefined
            ? 'Level it in the export'
            : `${by < 0 ? 'Lower' : 'Raise'} the mix by ${dbWords(by)} in the export`}
        </Toggle>
      </div>
      {target !== undefined && (
        <div className="row snd-level">
          <span className="lab grow">Target</span>
          <NumberInput
            aria-label="Target of the loudness in LUFS"
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

const dbWords = (by: number): string => `${Math.abs(by).toFixed(1)} dB`;

const distanceWords = (by: number): string =>
  Math.abs(by) < 0.05 ? 'none' : `${Math.abs(by).toFixed(1)} LU too ${by < 0 ? 'loud' : 'quiet'}`;

function whenWords(wanted: FilmSound['wanted']): string {
  if (wanted?.isOff) return 'It leaves as loud as it is mixed.';
  if (wanted) return 'Peaks are held at −1 dBTP. The pictures are not encoded for it.';
  return 'Wherever its sound is encoded; a film that is joined as it came keeps its own loudness.';
}
