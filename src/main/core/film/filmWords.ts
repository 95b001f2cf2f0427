import type { Board } from '../../../shared/board/board.ts';
import type { FilmPlan } from '../../../shared/film/filmExport.ts';
import { type Cue, type ShotSpan, subtitlesOf } from '../../../shared/film/subtitles/filmSubtitles.ts';
import { subtitleFilesOf } from '../../../shared/film/subtitles/filmWords.ts';
import { writeSrt, writeVtt } from '../../../shared/film/subtitles/writeSubtitles.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import type { ExportSink } from '../exports/index.ts';
import { secondsOf } from './format.ts';

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
