import type { z } from 'zod';
import {
  type BoardContent,
  boardSchema,
  MAX_SHOTS,
  type Shot,
  shotSchema,
  takesOf,
} from '../../../../shared/board/board.ts';
import { changedFields, isSame, keysOf } from '../../../../shared/board/boardChanges.ts';
import { parseInput, type Reason, type StudioError } from '../../../../shared/contract/result.ts';
import { en, t } from '../../../../shared/text/texts.ts';
import { errorText, reasonsOf } from '../../../words/index.ts';

/** Edits of a board that are not written yet, and those among them that a board cannot take. */

/** A change of a board, as a pure function: applied at once, and again on a newer board where one was saved meanwhile. */
export type ContentEdit = (content: BoardContent) => BoardContent;

export interface PendingEdit {
  edit: ContentEdit;
  /** Why it is shown and not written. */
  refused?: Refusal;
}

export interface Refusal {
  error: StudioError;
  /** The shot that the error is about; undefined where it is about the board as a whole. */
  shotId: string | undefined;
  /** The studio said so, from more than the schema tells: it is not asked again for the same. */
  isFinal?: boolean;
}

/** The content with edits on top. */
export const withEdits = (content: BoardContent, edits: readonly PendingEdit[]): BoardContent =>
  edits.reduce((before, { edit }) => edit(before), content);

/**
 * Judges every edit again, in order, on top of what is saved. One that breaks a rule of the board is refused and stays out of what the
 * next ones are saved with; so is one that does nothing without a refused one. What is refused and of no effect any more, since it was
 * fixed, is gone.
 */
export function judged(saved: BoardContent, pending: readonly PendingEdit[]): PendingEdit[] {
  let [good, shown] = [saved, saved];
  let last: Refusal | undefined;
  const all = pending.map(({ edit, refused }): PendingEdit => {
    const [next, nextShown] = [edit(good), edit(shown)];
    const isWaiting = last !== undefined && isSameContent(next, good) && !isSameContent(nextShown, shown);
    shown = nextShown;
    const fault = refused?.isFinal ? refused : (faultOf(good, next) ?? (isWaiting ? last : undefined));
    // The same reason stays the same one for who takes it back.
    const refusal = fault && refused && isSame(fault, refused) ? refused : fault;
    if (!refusal) good = next;
    last = refusal ?? last;
    return refusal ? { edit, refused: refusal } : { edit };
  });
  return last ? all.filter((one) => !one.refused || !isMended(saved, all, one)) : all;
}

/** Whether the board is shown the same without this edit. */
const isMended = (saved: BoardContent, all: readonly PendingEdit[], one: PendingEdit): boolean =>
  isSameContent(
    withEdits(saved, all),
    withEdits(
      saved,
      all.filter((other) => other !== one),
    ),
  );

/** Whether two states show the same, whatever order their fields are in. */
export function isSameContent(one: BoardContent, other: BoardContent): boolean {
  const names = keysOf(one, other) as (keyof BoardContent)[];
  const isSameShot = (shot: Shot, index: number) => {
    const now = other.shots[index];
    return now?.id === shot.id && isSame(takesOf(shot), takesOf(now)) && changedFields(now, shot).length === 0;
  };
  return (
    one.shots.length === other.shots.length &&
    one.shots.every(isSameShot) &&
    names.every((name) => name === 'shots' || isSame(one[name], other[name]))
  );
}

/** The first rule of a board that this edit breaks, with the field as a save would name it. What it leaves alone is not judged. */
function faultOf(before: BoardContent, after: BoardContent): Refusal | undefined {
  if (after.shots.length > MAX_SHOTS && after.shots.length > before.shots.length) return refusalOf([TOO_MANY]);
  const known = new Set(before.shots);
  for (const [index, shot] of after.shots.entries()) {
    const reasons = known.has(shot) ? [] : faultsIn(shotSchema, shot);
    if (reasons.length > 0)
      return refusalOf(
        reasons.map((reason) => within(`shots.${index}`, reason)),
        shot.id,
      );
  }
  const changed = WIDE.filter((name) => before[name] !== after[name]);
  const wide = Object.fromEntries(changed.map((name) => [name, after[name]]));
  return changed.length === 0 ? undefined : refusalOf(faultsIn(wideSchema, wide));
}

const wideSchema = boardSchema.omit({ projectId: true, revision: true, shots: true });
const WIDE = Object.keys(wideSchema.shape) as (keyof typeof wideSchema.shape)[];

const TOO_MANY: Reason = { field: 'shots', message: en`must be at most ${MAX_SHOTS} shots.` };

function faultsIn(schema: z.ZodType, value: unknown): Reason[] {
  const parsed = parseInput(schema, value);
  return parsed.ok ? [] : reasonsOf(parsed.error);
}

const within = (path: string, { field, message }: Reason): Reason => ({ field: `${path}.${field}`, message });

function refusalOf(reasons: readonly Reason[], shotId?: string): Refusal | undefined {
  const [first] = reasons;
  if (!first) return undefined;
  const message = `${first.field}: ${first.message}`;
  return { error: { code: 'invalid_input', message, data: { field: first.field, reasons } }, shotId };
}

/** What a save answers about its content, so that the same content is never taken; anything else may pass the next time. */
export function refusedBySave({ code, data }: StudioError): boolean {
  if (code === 'invalid_input' || code === 'too_large') return true;
  return code === 'wrong_state' && (data?.field === 'shots' || data?.field === 'cast');
}

/** The shot of a board that an answer of the studio is about. */
export function shotOfError({ data }: StudioError, { shots }: BoardContent): string | undefined {
  const [, index] = /^shots\.(\d+)/.exec(typeof data?.field === 'string' ? data.field : '') ?? [];
  return index === undefined ? undefined : shots[Number(index)]?.id;
}

/** Why an edit is not saved, in one sentence with the shot, the field and the rule. */
export function notSavedText({ error, shotId }: Refusal, { shots }: Pick<BoardContent, 'shots'>): string {
  const number = shots.findIndex(({ id }) => id === shotId) + 1;
  const rule = errorText(error);
  return number > 0 ? t`Shot ${number} is not saved. ${rule}` : t`Not saved. ${rule}`;
}
