import { subtitleFilesOf } from '../../../../shared/film/subtitles/filmWords.ts';
import { writeSrt, writeVtt } from '../../../../shared/film/subtitles/writeSubtitles.ts';
import { listed, t } from '../../../../shared/text/texts.ts';
import { announce, useStudio } from '../../../app/index.ts';
import { saveFile } from '../../../media/saveText.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { FilmSound } from './useFilmSound.ts';

const WRITERS = { srt: writeSrt, vtt: writeVtt };
const MIMES = { srt: 'application/x-subrip', vtt: 'text/vtt' };

/** Saves the subtitles of the film as files of their own: those that leave with the film, or both. */
export function saveSubtitles({ board }: BoardHandle, { cues }: FilmSound): void {
  if (!board || cues.length === 0) return;
  const project = useStudio.getState().projects.find(({ id }) => id === board.projectId);
  const chosen = subtitleFilesOf(board.words);
  const files = chosen.length > 0 ? chosen : subtitleFilesOf(undefined);
  for (const file of files)
    saveFile(`${project?.name ?? 'film'}.${file}`, WRITERS[file](cues), `${MIMES[file]};charset=utf-8`);
  announce(t`Saved as ${listed(files.map((file) => `.${file}`))}`);
}
