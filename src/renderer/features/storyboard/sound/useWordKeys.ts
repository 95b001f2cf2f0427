import { newSubtitle } from '../../../../shared/film/subtitles/subtitle.ts';
import { subtitleFilesOf } from '../../../../shared/film/subtitles/subtitleSettings.ts';
import { writeSrt, writeVtt } from '../../../../shared/film/subtitles/writeSubtitles.ts';
import { listed, t } from '../../../../shared/text/texts.ts';
import { announce, useShortcut, useStudio } from '../../../app/index.ts';
import { saveFile } from '../../../media/saveText.ts';
import { ownEndMs, ownStart } from '../model/timeline.ts';
import type { ClipPlayer } from '../player/clipPlayer.ts';
import type { BoardHandle } from '../useBoard.ts';
import { addedSubtitle, patchSubtitle } from './soundEdits.ts';
import { chooseSubtitle, type FilmSound, useChosen } from './useFilmSound.ts';

const NO_ROOM = t`No room here.`;

/** Adds an empty subtitle at the playhead, or at the first free place after it in that shot. */
export function addSubtitle(board: BoardHandle, sound: FilmSound, player: ClipPlayer | undefined): void {
  const at = player?.state().seconds ?? 0;
  const view = sound.shots.findLast(({ span }) => at >= span.start) ?? sound.shots[0];
  if (!view) return announce(NO_ROOM);
  const { shot, span } = view;
  const made = newSubtitle(crypto.randomUUID(), shot.subtitles ?? [], {
    atMs: (at - ownStart(span)) * 1_000,
    shotMs: ownEndMs(span),
  });
  if (!made) return announce(NO_ROOM);
  board.sync.edit(addedSubtitle(shot.id, made));
  chooseSubtitle(shot.id, made.id, true);
}

const WRITERS = { srt: writeSrt, vtt: writeVtt };
const MIMES = { srt: 'application/x-subrip', vtt: 'text/vtt' };

/** Saves the film's subtitles as separate files, in the format of the export or in both. */
export function saveSubtitles({ board }: BoardHandle, { cues }: FilmSound): void {
  if (!board || cues.length === 0) return;
  const project = useStudio.getState().projects.find(({ id }) => id === board.projectId);
  const chosen = subtitleFilesOf(board.words);
  const files = chosen.length > 0 ? chosen : subtitleFilesOf(undefined);
  for (const file of files)
    saveFile(`${project?.name ?? 'film'}.${file}`, WRITERS[file](cues), `${MIMES[file]};charset=utf-8`);
  announce(t`Saved as ${listed(files.map((file) => `.${file}`))}`);
}

/** The shortcuts of subtitles: add, next, in and out at the playhead, remove, save. */
export function useWordKeys(board: BoardHandle, sound: FilmSound, player: ClipPlayer | undefined): void {
  const chosen = useChosen(sound);
  const go = (by: 1 | -1) => {
    const next = chosen && sound.subtitles[sound.subtitles.indexOf(chosen) + by];
    if (!next) return;
    chooseSubtitle(next.view.shot.id, next.subtitle.id);
    player?.seek(next.start);
  };
  const atPlayhead = (field: 'startMs' | 'endMs') => {
    if (!chosen || !player) return;
    const { view, subtitle } = chosen;
    const ms = Math.round((player.state().seconds - ownStart(view.span)) * 1_000);
    const isInside = field === 'startMs' ? ms >= 0 && ms < subtitle.endMs : ms > subtitle.startMs;
    if (!isInside) return announce(NO_ROOM);
    board.sync.edit(patchSubtitle(view.shot.id, subtitle.id, { [field]: ms }));
  };
  useShortcut('sound.add', () => addSubtitle(board, sound, player));
  useShortcut('sound.next', () => go(1));
  useShortcut('sound.previous', () => go(-1));
  useShortcut('sound.in', () => atPlayhead('startMs'));
  useShortcut('sound.out', () => atPlayhead('endMs'));
  useShortcut('sound.save', () => saveSubtitles(board, sound));
}
