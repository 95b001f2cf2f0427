import { type BoardChange, withoutEmpty, withRemovedTakes } from '../../../shared/board/applyChange.ts';
import { type BoardSettings, type Shot, takesOf, wideOf } from '../../../shared/board/board.ts';
import { type Identified, isSame } from '../../../shared/board/boardChanges.ts';
import { counted, t } from '../../../shared/text/texts.ts';

/**
 * The shots to save; omitted takes are kept among their shots' removed takes, since they were paid for. A restored shot brings the takes
 * made since its removal.
 */
export function preservingTakes(
  known: readonly Shot[],
  saved: readonly Shot[],
  removed: ReadonlyMap<string, Shot>,
): Shot[] {
  const named = new Set(saved.flatMap(takesOf));
  const before = byId(known);
  return saved.map((shot) => {
    const [was, back] = [before.get(shot.id), removed.get(shot.id)];
    const takes = [...shot.takes, ...(back?.takes ?? []).filter((take) => !named.has(take))];
    const left = [...(was ? takesOf(was) : []), ...(back?.removedTakes ?? [])].filter((take) => !named.has(take));
    const aside = [...(shot.removedTakes ?? []), ...left].filter((take) => !takes.includes(take));
    return withRemovedTakes({ ...shot, takes }, aside);
  });
}

/** The fields of a save; omitted ones stay. */
export const savedWide = (known: BoardSettings, saved: BoardSettings): BoardSettings =>
  withoutEmpty({ ...known, ...saved });

const byId = <T extends Identified>(list: readonly T[]): Map<string, T> => new Map(list.map((one) => [one.id, one]));

const WIDE_WORDS: Record<keyof BoardSettings, string> = {
  cast: t`Cast`,
  plan: t`Planned length`,
  sound: t`Sound`,
  words: t`Subtitles`,
  format: t`Size`,
  seamLimits: t`Limits`,
  triageLimits: t`Limits`,
};

/** The name of a change, for undo and redo: `Remove shot 3`. */
export function describeChange({ from, to }: BoardChange): string {
  const [wasWide, isWide] = [wideOf(from), wideOf(to)];
  // Renaming a member also changes the prompts that name it.
  const changed = (Object.keys(WIDE_WORDS) as (keyof BoardSettings)[]).filter(
    (key) => !isSame(wasWide[key], isWide[key]),
  );
  const [only] = changed;
  if (only === undefined) return describeShots(from.shots, to.shots);
  return changed.length === 1 ? WIDE_WORDS[only] : t`Film`;
}

function describeShots(from: readonly Shot[], to: readonly Shot[]): string {
  const [before, after] = [byId(from), byId(to)];
  const numbers = (shots: readonly Shot[], all: readonly Shot[]) => shots.map((shot) => all.indexOf(shot) + 1);
  const gone = numbers(
    from.filter(({ id }) => !after.has(id)),
    from,
  );
  const come = numbers(
    to.filter(({ id }) => !before.has(id)),
    to,
  );
  if (gone.length > 0 && come.length > 0) return t`Film`;
  if (gone.length > 0) return gone.length === 1 ? t`Remove shot ${gone[0]}` : t`Remove ${gone.length} shots`;
  const count = come.length;
  if (count > 0) return count === 1 ? t`Add shot ${come[0]}` : t`Add ${counted(count, 'shot')}`;
  const edited = numbers(
    to.filter((shot) => !isSame(shot, before.get(shot.id))),
    to,
  );
  if (edited.length === 0) return t`Order`;
  return edited.length === 1 ? t`Edit shot ${edited[0]}` : t`Edit ${edited.length} shots`;
}
