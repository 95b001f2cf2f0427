import { HIGHEST_PEAK_DB } from '../../../../shared/sound/levels.ts';
import { dbWords, lufsWords } from './levelWords.ts';
import type { FilmSound } from './useFilmSound.ts';

/** Says beside the levels with which gains the film plays: those of its export. */
export function HeardAs({ sound }: { sound: Pick<FilmSound, 'isMixed' | 'level' | 'mix' | 'fault'> }) {
  if (sound.mix.sources.length === 0) return null;
  const { short, long } = wordsOf(sound);
  return (
    <span className="t3 heard-as" title={long}>
      {short}
      <span className="vh">. {long}</span>
    </span>
  );
}

export function wordsOf({
  isMixed,
  level,
  fault,
}: Pick<FilmSound, 'isMixed' | 'level'> & { fault?: string | undefined }): { short: string; long: string } {
  if (!isMixed)
    return { short: 'as it came', long: 'The takes are joined as they came, so their loudness is their own.' };
  if (!level && fault !== undefined) {
    return {
      short: 'not as exported',
      long: `The film is levelled in the export alone, since a sound of it is not measured: ${fault}`,
    };
  }
  if (!level) return { short: 'levels being measured', long: 'It is levelled once all of its sounds are measured.' };
  const { target, gainDb, over } = level;
  const whole = Math.abs(gainDb) < SAME ? 'unchanged' : `${gainDb < 0 ? 'lowered' : 'raised'} by ${dbWords(gainDb)}`;
  const levelled = target === undefined ? '' : `levelled to ${lufsWords(target)} LUFS, `;
  const played = `It plays as it is exported: ${levelled}the mix is ${whole}.`;
  const short = Math.abs(gainDb) < SAME ? 'as exported' : `as exported, ${gainDb < 0 ? '−' : '+'}${dbWords(gainDb)}`;
  if (over < SAME) return { short, long: played };
  const held = `Its loudest peaks are held at ${lufsWords(HIGHEST_PEAK_DB)} dBTP in the export alone, up to ${dbWords(over)} lower.`;
  return { short: `${short}, peaks not held`, long: `${played} ${held}` };
}

/** In dB; less is not told. */
const SAME = 0.05;
