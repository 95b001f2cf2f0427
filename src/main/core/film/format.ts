import type { Board } from '../../../shared/board/board.ts';
import type { FilmPlan, FrameRate } from '../../../shared/film/filmExport.ts';
import { type FilmFormatChoice, filmFrameOf } from '../../../shared/film/filmFormat.ts';
import { type Cue, type ShotSpan, subtitlesOf } from '../../../shared/film/subtitles/filmSubtitles.ts';
import { subtitleFilesOf } from '../../../shared/film/subtitles/subtitleSettings.ts';
import { writeSrt, writeVtt } from '../../../shared/film/subtitles/writeSubtitles.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import type { ExportSink } from '../exports/index.ts';
import { type CheckedShot, isReady, type ReadyShot } from './filmShots.ts';

/** Size, rate and codecs of the film. */
export interface FilmFormatFacts {
  width: number;
  height: number;
  rate: FrameRate;
  codec: string;
  audioCodec: string | undefined;
}

export const secondsOf = (frames: number, { num, den }: FrameRate): number => (frames * den) / num;

/** Frames per second, to a thousandth. */
export const rateValue = ({ num, den }: FrameRate): number => Math.round((num / den) * 1_000) / 1_000;

/** The largest size of a shot without a clip (spec 2.3). */
const PLANNED = { '16:9': { width: 1_280, height: 720 }, '9:16': { width: 720, height: 1_280 } } as const;

/**
 * The most frequent values of the film's clips, by number of shots; in a tie, more pixels or the higher rate. The user's choice of size
 * comes first.
 */
export function filmFormatOf(shots: readonly CheckedShot[], choice?: FilmFormatChoice): FilmFormatFacts {
  const ready = shots.filter(isReady);
  const size = mostOf(ready, ({ facts: { video } }) => ({
    key: `${video.width}x${video.height}`,
    rank: video.width * video.height,
  }));
  const rate = mostOf(ready, ({ facts: { video } }) => ({
    key: `${video.rate.num}/${video.rate.den}`,
    rank: rateValue(video.rate),
  }));
  const codec = mostOf(ready, ({ facts: { video } }) => ({ key: video.codec, rank: 0 }));
  const sounding = mostOf(
    ready.filter(({ facts }) => facts.audio),
    ({ facts }) => ({ key: facts.audio?.codec ?? '', rank: 0 }),
  );
  const aspect = shots[0]?.shot.config.aspectRatio ?? '16:9';
  const { width, height } = choice
    ? filmFrameOf({ format: choice, shots: shots.map(({ shot }) => shot) })
    : (size?.facts.video ?? PLANNED[aspect]);
  return {
    width,
    height,
    rate: rate?.facts.video.rate ?? { num: 24, den: 1 },
    codec: codec?.facts.video.codec ?? '',
    audioCodec: sounding?.facts.audio?.codec,
  };
}

function mostOf(
  shots: readonly ReadyShot[],
  of: (one: ReadyShot) => { key: string; rank: number },
): ReadyShot | undefined {
  const counts = new Map<string, number>();
  for (const one of shots) counts.set(of(one).key, (counts.get(of(one).key) ?? 0) + 1);
  const order = (one: ReadyShot): [number, number] => [counts.get(of(one).key) ?? 0, of(one).rank];
  return shots.toSorted((a, b) => {
    const [[manyA, rankA], [manyB, rankB]] = [order(a), order(b)];
    return manyB - manyA || rankB - rankA;
  })[0];
}

/** The subtitle files of a film. */

const FILES = {
  srt: { write: writeSrt, mime: 'application/x-subrip' },
  vtt: { write: writeVtt, mime: 'text/vtt' },
} as const;

/** The place of each shot in the exported film, in whole frames, so that rounding does not add up. */
export function spansOfPlan({ segments, fps }: FilmPlan): ShotSpan[] {
  let before = 0;
  return segments.map(({ shotId, frames, from }) => {
    const start = secondsOf(before, fps);
    before += frames;
    return { shotId, start, seconds: secondsOf(frames, fps), ...(from === undefined ? {} : { from }) };
  });
}

export const cuesOfPlan = ({ shots }: Pick<Board, 'shots'>, plan: FilmPlan): Cue[] =>
  subtitlesOf(shots, spansOfPlan(plan));

/** Writes the files that the board asks for. */
export async function writeSubtitleFiles(sink: ExportSink, board: Board, plan: FilmPlan, name: string): Promise<void> {
  const cues = cuesOfPlan(board, plan);
  if (cues.length === 0) return;
  for (const file of subtitleFilesOf(board.words)) {
    const { write, mime } = FILES[file];
    await sink.writeText(`${fileNameOf(name)}.${file}`, mime, write(cues));
  }
}

/** The subtitles burnt into the pictures, if the board wants them. */
export const burntIn = (board: Pick<Board, 'shots' | 'words'>, plan: FilmPlan): Cue[] =>
  board.words?.isBurntIn ? cuesOfPlan(board, plan) : [];
