import type { ToolCall } from '../../../../shared/job.ts';
import { field, isObject, type Json, listOf, textOf } from './json.ts';

/** Puts tool calls together from their pieces; index and id may be missing or wrong, as services differ. */
export interface ToolCallAssembly {
  push(pieces: Json | undefined): void;
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
      for (const piece of listOf(pieces)) {
        if (isObject(piece)) merge(drafts, piece);
      }
    },
    result: () =>
      drafts
        .filter((draft) => draft.name !== '')
        .map((draft, at) => ({
          id: draft.id ?? `call_${at + 1}`,
          name: draft.name,
          arguments: draft.arguments || '{}',
        })),
  };
}

function merge(drafts: Draft[], piece: Json): void {
  const index = field(piece, 'index');
  const id = textOf(field(piece, 'id'));
  const call = field(piece, 'function') ?? piece;
  const name = textOf(field(call, 'name')) ?? '';
  const draft = draftFor(drafts, typeof index === 'number' ? index : undefined, id, name);
  draft.id ??= id;
  if (draft.name === '') draft.name = name;
  draft.arguments += argumentsOf(field(call, 'arguments', 'input'));
}

function draftFor(drafts: Draft[], index: number | undefined, id: string | undefined, name: string): Draft {
  const sameId = id === undefined ? undefined : drafts.find((draft) => draft.id === id);
  const sameIndex = index === undefined ? undefined : drafts.findLast((draft) => draft.index === index);
  const last = drafts.at(-1);
  // A second id under the same index is a second call, whatever the index says.
  const found = sameId ?? (sameIndex && (id === undefined || sameIndex.id === undefined) ? sameIndex : undefined);
  if (found) return found;
  const continues =
    index === undefined && id === undefined && last && (name === '' || name === last.name) && !isWhole(last);
  if (continues) return last;
  const draft: Draft = { index, id, name: '', arguments: '' };
  drafts.push(draft);
  return draft;
}

function isWhole(draft: Draft): boolean {
  try {
    return typeof JSON.parse(draft.arguments) === 'object';
  } catch {
    return false;
  }
}

function argumentsOf(value: Json | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
