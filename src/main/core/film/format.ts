import type { Board } from '../../../shared/board/board.ts';
import type { FilmPlan, FrameRate } from '../../../shared/film/filmExport.ts';
import { type FilmFormatChoice, filmFrameOf } from '../../../shared/film/filmFormat.ts';
import { type Cue, type ShotSpan, subtitlesOf } from '../../../shared/film/subtitles/filmSubtitles.ts';
import { subtitleFilesOf } from '../../../shared/film/subtitles/filmWords.ts';
import { writeSrt, writeVtt } from '../../../shared/film/subtitles/writeSubtitles.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import type { ExportSink } from '../exports/index.ts';
import { type CheckedShot, isReady, type ReadyShot } from './filmShots.ts';

/** Size, rate and coding of the whole film. */
export interface FilmFormatFacts {
  width: number;
  height: number;
  rate: FrameRate;
  codec: string;
  audioCodec: string | undefined;
}

export const secondsOf = (frames: number, { num, den }: FrameRate): number => (frames * den) / num;

/** Frames a second, to a thousandth. */
export const rateValue = ({ num, den }: FrameRate): number => Math.round((num / den) * 1_000) / 1_000;

/** The largest size that a shot asks for, without a clip to go by (spec 2.3). */
const PLANNED = { '16:9': { width: 1_280, height: 720 }, '9:16': { width: 720, height: 1_280 } } as const;

/**
 * What most of the film's clips have, counted in shots; of two that are as many, the one with more pixels or the higher rate. A size that
 * the user chose for the film goes before.
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

/** The words of a film, as files beside it. */

const FILES = {
  srt: { write: writeSrt, mime: 'application/x-subrip' },
  vtt: { write: writeVtt, mime: 'text/vtt' },
} as const;

/** Where each shot lies in the film as it is exported: after whole frames, so that no rounding adds up. */
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

/** Writes the files that the board asks for; a film without words has none. */
export async function writeWords(sink: ExportSink, board: Board, plan: FilmPlan, name: string): Promise<void> {
  const cues = cuesOfPlan(board, plan);
  if (cues.length === 0) return;
  for (const file of subtitleFilesOf(board.words)) {
    const { write, mime } = FILES[file];
    await sink.writeText(`${fileNameOf(name)}.${file}`, mime, write(cues));
  }
}

/** What is drawn into the pictures: nothing unless the board wishes it. */
export const burntIn = (board: Pick<Board, 'shots' | 'words'>, plan: FilmPlan): Cue[] =>
  board.words?.isBurntIn ? cuesOfPlan(board, plan) : [];
