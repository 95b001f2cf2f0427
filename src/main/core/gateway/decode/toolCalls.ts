import type { ToolCall } from '../../../../shared/job.ts';
import { field, isObject, type Json, textOf } from './json.ts';

/** Puts tool calls together from their pieces; index and id may be missing or wrong, as services differ. */
export interface ToolCallAssembly {
  /** One list of pieces, as it stands in one chunk or message. */
  push(pieces: readonly Json[]): void;
  result(): ToolCall[];
}

interface Draft {
  index?: number;
  id?: string;
  name: string;
  arguments: string;
}

export function createToolCallAssembly(): ToolCallAssembly {
  const drafts: Draft[] = [];
  return {
    push(pieces) {
      // Without an index and an id, the entries of one list are told apart by their place in it.
      const byPlace = pieces.length > 1;
      for (const [place, piece] of pieces.entries()) {
        if (isObject(piece)) merge(drafts, piece, byPlace ? place : undefined);
      }
    },
    result: () =>
      drafts
        .filter((draft) => draft.name !== '')
        .map((draft, at) => ({
          id: draft.id ?? `call_${at + 1}`,
          name: draft.name,
          arguments: draft.arguments.trim() || '{}',
        })),
  };
}

function merge(drafts: Draft[], piece: Json, place: number | undefined): void {
  const given = Number(textOf(field(piece, 'index')) ?? Number.NaN);
  const index = Number.isInteger(given) ? given : place;
  const id = textOf(field(piece, 'id', 'callId'));
  const call = field(piece, 'function') ?? piece;
  const name = textOf(field(call, 'name')) ?? '';
  const text = argumentsOf(field(call, 'arguments', 'input', 'args', 'parameters'));
  const draft = draftFor(drafts, { index, id, name, text });
  draft.id ??= id;
  // A name may come in pieces, or again with every piece.
  if (name !== draft.name && draft.arguments === '') draft.name += name;
  draft.arguments = joined(draft.arguments, text);
}

function draftFor(drafts: Draft[], piece: { index?: number; id?: string; name: string; text: string }): Draft {
  const { index, id, name, text } = piece;
  const sameId = id === undefined ? undefined : drafts.find((draft) => draft.id === id);
  if (sameId) return sameId;
  const sameIndex = index === undefined ? undefined : drafts.findLast((draft) => draft.index === index);
  // A second id under the same index is a second call, and so is a second name after whole arguments.
  const another = (draft: Draft): boolean =>
    (id !== undefined && draft.id !== undefined) ||
    (name !== '' && isWhole(draft.arguments) && (name !== draft.name || text !== draft.arguments));
  if (sameIndex && !another(sameIndex)) return sameIndex;
  const last = drafts.at(-1);
  const continues =
    index === undefined && id === undefined && last && (name === '' || name === last.name) && !isWhole(last.arguments);
  if (continues) return last;
  const draft: Draft = { index, id, name: '', arguments: '' };
  drafts.push(draft);
  return draft;
}

/** Arguments are an object, so a piece that begins with all that came before can only say it again, further. */
function joined(before: string, piece: string): string {
  if (before.startsWith('{') && piece.startsWith(before)) return piece;
  return isWhole(before) && isWhole(piece) ? before : before + piece;
}

function isWhole(text: string): boolean {
  if (!/^\s*\{[\s\S]*\}\s*$/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function argumentsOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
