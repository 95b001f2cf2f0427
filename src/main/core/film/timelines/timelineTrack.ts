import type { Board } from '../../../../shared/board/board.ts';
import type { FilmPlan } from '../../../../shared/film/filmExport.ts';
import { fadesWithin, trackEnd } from '../../../../shared/film/sound/mixPlan.ts';
import { fileNameOf, uniqueName } from '../../../../shared/library/fileNames.ts';
import { extensionOf } from '../../../../shared/library/mediaFormats.ts';
import { t } from '../../../../shared/text/texts.ts';
import type { Library } from '../../library/index.ts';
import type { MediaFile } from '../../ports.ts';
import { faultOfTrack, type TrackFacts } from '../filmMix.ts';
import type { LaidSound } from './timeline.ts';

/** The track in a timeline, with its file; or why it is left out, in one sentence. */
export interface LaidTrack extends LaidSound {
  file?: MediaFile;
}

interface LaidFilm {
  board: Pick<Board, 'sound'>;
  plan: FilmPlan;
  facts: TrackFacts | undefined;
  /** The names in the media folder. */
  names: ReadonlyMap<string, string>;
}

export async function laidTrack(
  { board, plan, facts, names }: LaidFilm,
  library: Pick<Library, 'open' | 'clipFacts'>,
): Promise<LaidTrack> {
  const laid = board.sound?.track;
  if (!laid || !facts) return { leftOut: [] };
  const fault = faultOfTrack(facts);
  const file = library.open(laid.assetId);
  if (fault !== undefined || !file.ok)
    return { leftOut: [leftOutFor(fault === undefined ? t`The file cannot be read.` : `${fault}.`)] };
  const sound = await library.clipFacts(laid.assetId);
  if (!sound?.audio) return { leftOut: [leftOutFor(t`The file cannot be read.`)] };
  const { num, den } = plan.fps;
  const total = plan.segments.reduce((sum, { frames }) => sum + frames, 0);
  const seconds = trackEnd(laid, (total * den) / num, sound.seconds);
  const frames = Math.floor((seconds * num) / den + ROUNDING);
  if (frames < 1) return { leftOut: [t`The track starts after the film.`] };
  const { sampleRate, channels } = sound.audio;
  const [fadeIn, fadeOut] = fadesWithin(laid, seconds);
  const stem = facts.name.replace(/\.[^.]*$/, '');
  const taken = new Set([...names.values()].map((name) => name.toLowerCase()));
  return {
    file: file.data,
    track: {
      name: uniqueName(fileNameOf(stem, 'track'), extensionOf(file.data.mime), taken),
      frames,
      sampleRate,
      channels,
      from: Math.round(laid.in * sampleRate),
      samples: Math.floor(sound.seconds * sampleRate + ROUNDING),
      level: laid.level,
      fadeIn: Math.round((fadeIn * num) / den),
      fadeOut: Math.round((fadeOut * num) / den),
    },
    leftOut: laid.duck ? [t`The track is not lowered.`] : [],
  };
}

/** Seconds of files are sums of fractions. */
const ROUNDING = 1e-6;

const leftOutFor = (why: string): string => t`The track is left out. ${why}`;
