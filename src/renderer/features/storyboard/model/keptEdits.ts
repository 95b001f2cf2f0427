import { applyChange } from '../../../../shared/board/applyChange.ts';
import type { BoardContent } from '../../../../shared/board/board.ts';
import { isSame } from '../../../../shared/board/boardChanges.ts';
import { noKey } from '../../../../shared/gateway/httpUrl.ts';
import { type ContentEdit, isSameContent, type PendingEdit } from './pending.ts';
import { emptyShot } from './shots.ts';

/** Edits as text, to survive a reload: each as its changes, so that it can be applied to a newer board. */

interface KeptEdit {
  from: BoardContent;
  to: BoardContent;
}

/** Undefined if nothing is pending. Edits with what looks like an API key are left out: a window's storage is a file. */
export function textOfEdits(saved: BoardContent, pending: readonly PendingEdit[]): string | undefined {
  let content = saved;
  const kept = pending.flatMap(({ edit, refused }): KeptEdit[] => {
    const next = edit(content);
    const change = onlyChanges(content, next);
    if (refused?.error.data?.isSecret === true || !noKey(JSON.stringify(change.to))) return [];
    content = next;
    return [change];
  });
  return kept.length === 0 ? undefined : JSON.stringify(kept);
}

/** The two states without equal parts; if shots were added, removed or moved, the others are reduced to their order. */
function onlyChanges(from: BoardContent, to: BoardContent): KeptEdit {
  const same = new Set(from.shots.filter((shot) => to.shots.includes(shot)));
  const isOrdered = isSame(idsOf(from), idsOf(to));
  const names = (Object.keys({ ...from, ...to }) as (keyof BoardContent)[]).filter((name) => from[name] !== to[name]);
  const part = (content: BoardContent): BoardContent => ({
    ...Object.fromEntries(names.map((name) => [name, content[name]])),
    shots: content.shots.flatMap((shot) => {
      if (!same.has(shot)) return [shot];
      return isOrdered ? [] : [emptyShot(shot.id, '')];
    }),
  });
  return { from: part(from), to: part(to) };
}

const idsOf = ({ shots }: BoardContent): string[] => shots.map(({ id }) => id);

/** The edits of a text, except those already on the board, which were saved while the page unloaded. */
export function editsKept(text: string | undefined, saved: BoardContent): PendingEdit[] {
  let content = saved;
  return keptIn(text).flatMap((change): PendingEdit[] => {
    const edit: ContentEdit = (now) => applyChange(now, change, 'redo', new Map());
    const next = edit(content);
    if (isSameContent(next, content)) return [];
    content = next;
    return [{ edit }];
  });
}

function keptIn(text: string | undefined): KeptEdit[] {
  try {
    const kept: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

const isKept = (value: Partial<KeptEdit> | null): value is KeptEdit =>
  Array.isArray(value?.from?.shots) && Array.isArray(value.to?.shots);
