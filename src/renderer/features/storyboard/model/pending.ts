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

/** Edits of a board that are not saved yet, and those that the board cannot accept. */

/** A change of a board as a pure function: applied at once, and again to a newer board if one was saved meanwhile. */
export type ContentEdit = (content: BoardContent) => BoardContent;

export interface PendingEdit {
  edit: ContentEdit;
  /** Why it is shown but not saved. */
  refused?: Refusal;
}

export interface Refusal {
  error: StudioError;
  /** The shot of the error; undefined if it is about the whole board. */
  shotId: string | undefined;
  /** Whether the studio refused it by more than the schema; the same edit is not sent again. */
  isFinal?: boolean;
}

/** The content with edits on top. */
export const withEdits = (content: BoardContent, edits: readonly PendingEdit[]): BoardContent =>
  edits.reduce((before, { edit }) => edit(before), content);

/**
 * Checks every edit again, in order, on top of the saved board. An edit that breaks a rule is refused and excluded from later saves; so is
 * one that has no effect without a refused one. A refused edit without effect, because it was fixed, is dropped.
 */
export function judged(saved: BoardContent, pending: readonly PendingEdit[]): PendingEdit[] {
  let [good, shown] = [saved, saved];
  let last: Refusal | undefined;
  const all = pending.map(({ edit, refused }): PendingEdit => {
    const [next, nextShown] = [edit(good), edit(shown)];
    const isWaiting = last !== undefined && isSameContent(next, good) && !isSameContent(nextShown, shown);
    shown = nextShown;
    const fault = refused?.isFinal ? refused : (faultOf(good, next) ?? (isWaiting ? last : undefined));
    // Keeps the identity of an unchanged refusal for whoever takes it back.
    const refusal = fault && refused && isSame(fault, refused) ? refused : fault;
    if (!refusal) good = next;
    last = refusal ?? last;
    return refusal ? { edit, refused: refusal } : { edit };
  });
  return last ? all.filter((one) => !one.refused || !isWithoutEffect(saved, all, one)) : all;
}

/** Whether the board looks the same without this edit. */
const isWithoutEffect = (saved: BoardContent, all: readonly PendingEdit[], one: PendingEdit): boolean =>
  isSameContent(
    withEdits(saved, all),
    withEdits(
      saved,
      all.filter((other) => other !== one),
    ),
  );

/** Whether two states are equal, whatever the order of their fields. */
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

/** The first rule of a board that this edit breaks, with the field as a save would name it. Unchanged parts are not checked. */
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

/** Whether a save was refused for its content, so that the same content will never be accepted; other errors may pass next time. */
export function refusedBySave({ code, data }: StudioError): boolean {
  if (code === 'invalid_input' || code === 'too_large') return true;
  return code === 'wrong_state' && (data?.field === 'shots' || data?.field === 'cast');
}

/** The shot that an error of the studio is about. */
export function shotOfError({ data }: StudioError, { shots }: BoardContent): string | undefined {
  const [, index] = /^shots\.(\d+)/.exec(typeof data?.field === 'string' ? data.field : '') ?? [];
  return index === undefined ? undefined : shots[Number(index)]?.id;
}

/** One sentence on why an edit is not saved, with shot, field and rule. */
export function notSavedText({ error, shotId }: Refusal, { shots }: Pick<BoardContent, 'shots'>): string {
  const number = shots.findIndex(({ id }) => id === shotId) + 1;
  const rule = errorText(error);
  return number > 0 ? t`Shot ${number} is not saved. ${rule}` : t`Not saved. ${rule}`;
}
