import { type Board, configOfShot, MAX_SHOTS, NEW_SHOT_CONFIG, type Shot } from '../../../shared/board/board.ts';
import { indexBefore, joinedBy, plannedJoint, statesOf } from '../../../shared/board/joints.ts';
import type { DraftedShot, ShotPatch } from '../../../shared/chat/director/tools.ts';
import type { Reason } from '../../../shared/contract/result.ts';
import type { FilmShot } from '../../../shared/film/film.ts';
import { type FilmSource, readFilm } from '../storyboard/index.ts';
import type { Asked, DraftRow } from './draftTable.ts';

/** Boards with drafts on them, as they would be. */

export type ShotDraft = DraftRow & { asked: Extract<Asked, { shotId: string }> };

export const isShotDraft = (row: DraftRow): row is ShotDraft =>
  row.asked.kind === 'newShot' || row.asked.kind === 'changeShot';

export interface Placing {
  source: FilmSource;
  /** Of the profile; the first is that of a film without shots. */
  models: readonly string[];
  /** All drafts of the conversation. */
  rows: readonly DraftRow[];
}

/** The board with this draft; the faults are those of the draft. */
export function withDraft(board: Board, row: ShotDraft, placing: Placing): { board: Board; errors: Reason[] } {
  const { asked } = row;
  return asked.kind === 'newShot' ? withNew(board, row, asked, placing) : withChanged(board, asked, placing);
}

type NewAsked = Extract<Asked, { kind: 'newShot' }>;
type ChangeAsked = Extract<Asked, { kind: 'changeShot' }>;

function withNew(board: Board, row: ShotDraft, asked: NewAsked, placing: Placing) {
  const { shots } = board;
  if (shots.length >= MAX_SHOTS)
    return {
      board,
      errors: [{ field: 'shots', message: `are as many as a board has, ${MAX_SHOTS}; remove one first.` }],
    };
  const at = placeOf(shots, row, asked, placing.rows);
  const shot = shotOf(
    asked,
    shots.slice(0, at).findLast(({ skipped }) => !skipped),
    placing.models,
  );
  const placed = { ...board, shots: shots.toSpliced(at, 0, shot) };
  return { board: placed, errors: faultsOf(placed, shot, { given: asked.shot, models: placing.models }) };
}

/** Behind those of its call that stand before it, else before those that follow it, else where the call says. */
function placeOf(shots: readonly Shot[], row: ShotDraft, { before }: NewAsked, rows: readonly DraftRow[]): number {
  const siblings = rows.filter(
    (one): one is ShotDraft =>
      one.asked.kind === 'newShot' && one.messageId === row.messageId && one.callId === row.callId,
  );
  const indexOf = ({ asked }: ShotDraft) => shots.findIndex(({ id }) => id === asked.shotId);
  const older = siblings
    .filter(({ seq }) => seq < row.seq)
    .map(indexOf)
    .findLast((at) => at >= 0);
  if (older !== undefined) return older + 1;
  const newer = siblings
    .filter(({ seq }) => seq > row.seq)
    .map(indexOf)
    .find((at) => at >= 0);
  if (newer !== undefined) return newer;
  const named = shots.findIndex(({ id }) => id === before);
  return named < 0 ? shots.length : named;
}

/** A film has one shape, and an extension is made by the model of what it extends. */
function shotOf({ shotId, shot }: NewAsked, before: Shot | undefined, [first = '']: readonly string[]): Shot {
  const { title = '', prompt, model = before?.model || first, joint } = shot;
  const shape = before?.config.aspectRatio;
  const config = { ...NEW_SHOT_CONFIG, ...(shape ? { aspectRatio: shape } : {}), ...shot.config };
  const base: Shot = { id: shotId, title, prompt, model, source: 'text', config, referenceImages: [], takes: [] };
  if (joint === undefined) return base;
  const { durationSeconds: _, ...rest } = config;
  return joint === 'extend' ? { ...base, joint, source: 'extend', config: rest } : { ...base, joint };
}

function withChanged(board: Board, { shotId, patch }: ChangeAsked, { source, models }: Placing) {
  const index = board.shots.findIndex(({ id }) => id === shotId);
  const shot = board.shots[index];
  if (!shot) return { board, errors: [{ field: 'shot', message: 'is not on the board any more.' }] };
  const changed = patched(shot, patch, () => joinsNow(board, index, source));
  const next = { ...board, shots: board.shots.with(index, changed) };
  return { board: next, errors: faultsOf(next, changed, { given: patch, models }) };
}

function patched(shot: Shot, patch: ShotPatch, joins: () => Parameters<typeof joinedBy>[2]): Shot {
  const { joint, config = {}, title, prompt, model } = patch;
  const words = {
    ...(title === undefined ? {} : { title }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(model === undefined ? {} : { model }),
  };
  const joined = joint === undefined ? shot : joinedBy(shot, joint, joins());
  return { ...joined, ...words, config: { ...joined.config, ...config } };
}

function joinsNow(board: Board, index: number, source: FilmSource) {
  const { film, assets } = readFilm(board, source);
  const before = indexBefore(film, index);
  const state = statesOf(film, { assets, cast: board.cast })[index];
  return { now: plannedJoint(state?.joint), from: before === undefined ? undefined : film[before]?.active };
}

/** What no request can say: a joint needs a shot before it, and a model has to be there. */
function faultsOf(
  { shots }: Board,
  shot: Shot,
  { given, models }: { given: DraftedShot | ShotPatch; models: readonly string[] },
): Reason[] {
  const index = shots.findIndex(({ id }) => id === shot.id);
  const film = shots.map((one) => ({ shot: one }));
  const isAlone = given.joint !== undefined && given.joint !== 'cut' && indexBefore(film, index) === undefined;
  const isUnknown = models.length > 0 && !models.includes(shot.model);
  const model = shot.model.slice(0, 100);
  const seconds = given.config?.durationSeconds;
  const isWrongLength = seconds !== undefined && configOfShot(shot).durationSeconds !== seconds;
  return [
    ...(isAlone ? [{ field: 'joint', message: 'needs a shot before it.' }] : []),
    ...(isUnknown ? [{ field: 'model', message: `${model} is not in this gateway’s list of video models.` }] : []),
    ...(isWrongLength ? [{ field: 'config.durationSeconds', message: 'must be 7 when extending' }] : []),
  ];
}

/** The shots that do not start from what plays before them; `plays` is a take that would play then. */
export function staleShots(board: Board, source: FilmSource, plays?: { shotId: string; jobId: string }): Set<string> {
  const { film, assets } = readFilm(board, source);
  const toCome = film.map((one) => (plays && one.shot.id === plays.shotId ? playing(one, plays.jobId) : one));
  const states = statesOf(toCome, { assets, cast: board.cast });
  return new Set(film.flatMap(({ shot }, index) => (states[index]?.isStale ? [shot.id] : [])));
}

const playing = (one: FilmShot, jobId: string): FilmShot => ({
  ...one,
  active: { jobId, number: one.takes.length + 1, job: undefined, clips: [], clip: undefined, clipIndex: 0 },
});
