import { type BoardChange, type ShotsChange, sameOrder, withRemovedTakes } from '../../../shared/board/applyChange.ts';
import { type Shot, shotTitle, takesOf, wideOf } from '../../../shared/board/board.ts';
import { changedFields, type FieldChange, isSame } from '../../../shared/board/boardChanges.ts';
import { t } from '../../../shared/text/texts.ts';
import { type Deed, describeWide } from './boardWide.ts';

/** A change between two states of a board: describes it; and what a save keeps of the takes that it leaves out. */

const byId = (shots: readonly Shot[]): Map<string, Shot> => new Map(shots.map((shot) => [shot.id, shot]));

/**
 * The shots to save, with every omitted take kept among its shot's removed takes: a take was paid for, and no save may lose it. A shot
 * that comes back brings the takes made since its removal.
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

/** Describes a change of a board. */
export function describeChange({ from, to }: BoardChange): Deed {
  // A new name of a member is also written into the shots that name it.
  const wide = describeWide({ from: wideOf(from), to: wideOf(to) });
  return wide ?? describeShotsChange({ from: from.shots, to: to.shots });
}

function describeShotsChange({ from, to }: ShotsChange): Deed {
  const [before, after] = [byId(from), byId(to)];
  const gone = from.filter(({ id }) => !after.has(id));
  const come = to.filter(({ id }) => !before.has(id));
  if (gone.length > 0 && come.length === 0) return { verb: 'remove', what: shotsWords(gone, from) };
  if (come.length > 0 && gone.length === 0) return { verb: 'add', what: shotsWords(come, to) };
  if (gone.length > 0) return { verb: 'change', what: t`the board` };
  const edited = to.filter((shot) => !isSame(shot, before.get(shot.id)));
  if (edited.length === 0) return describeMove(from, to);
  const [first] = edited;
  const old = first && before.get(first.id);
  const isKeeping = edited.every((shot) => shot.kept && !isSame(shot.kept, before.get(shot.id)?.kept));
  if (edited.length > 1 && isKeeping) return { verb: 'keep', what: t`${edited.length} shots as they are` };
  if (edited.length > 1 || !first || !old) return { verb: 'change', what: t`${edited.length} shots` };
  return describeEdit(old, first, t`shot ${numberIn(to, first.id)}`);
}

const numberIn = (shots: readonly Shot[], id: string): number => shots.findIndex((shot) => shot.id === id) + 1;

function shotsWords(shots: readonly Shot[], all: readonly Shot[]): string {
  const [only] = shots;
  if (shots.length > 1 || !only) return t`${shots.length} shots`;
  return t`shot ${numberIn(all, only.id)}, “${shotTitle(only)}”`;
}

/** The moved shot is the one without which both orders are equal. */
function describeMove(from: readonly Shot[], to: readonly Shot[]): Deed {
  const moved = from.filter(({ id }) => {
    const without = (shots: readonly Shot[]) => shots.filter((shot) => shot.id !== id);
    return sameOrder(without(from), without(to));
  });
  const [one] = moved;
  return { verb: 'move', what: one ? `shot ${numberIn(from, one.id)}` : 'shots' };
}

const FIELD_WORDS: Record<string, string> = {
  title: t`the title of`,
  prompt: 'the prompt of',
  model: 'the model of',
  source: 'what starts',
  image: 'the first frame of',
  lastFrame: 'the last frame of',
  referenceImages: 'the references of',
  video: 'the clip that is extended by',
  slots: 'the reference slots of',
  castBoxes: 'where the cast is seen in',
  joint: 'the joint to',
  activeTake: 'the take that plays for',
  activeOutput: 'the take that plays for',
  ownSound: 'the own sound of',
  isLevelled: 'whether the sound is levelled at the joint to',
  subtitles: 'the subtitles of',
  trims: 'the trim of',
  'config.resolution': 'the resolution of',
  'config.durationSeconds': 'the length of',
  'config.aspectRatio': 'the aspect of',
  'config.generateAudio': 'the sound of',
  'config.sampleCount': 'the candidates of',
  'config.numberOfVideos': 'the candidates of',
  'config.seed': 'the seed of',
  'config.fps': 'the frame rate of',
};

function describeEdit(old: Shot, next: Shot, shot: string): Deed {
  const out = old.takes.filter((take) => !next.takes.includes(take));
  if (out.length === 1) return { verb: 'remove', what: t`take ${old.takes.indexOf(out[0] ?? '') + 1} of ${shot}` };
  if (out.length > 1) return { verb: 'remove', what: t`${out.length} takes of ${shot}` };
  const back = next.takes.filter((take) => !old.takes.includes(take));
  if (back.length > 0)
    return { verb: 'put back', what: t`${back.length === 1 ? t`a take` : t`${back.length} takes`} of ${shot}` };
  return describeFields(changedFields(old, next), next, shot);
}

function describeFields(fields: readonly FieldChange[], next: Shot, shot: string): Deed {
  const is = (name: string) => fields.length > 0 && fields.every(({ path: [field] }) => field === name);
  if (is('skipped'))
    return next.skipped ? { verb: 'skip', what: shot } : { verb: 'put back', what: t`${shot} in the film` };
  if (is('kept') && next.kept) return { verb: 'keep', what: t`${shot} as it is` };
  // A joint brings the source and the slots with it.
  if (fields.some(({ path: [field] }) => field === 'joint'))
    return { verb: 'change', what: `${FIELD_WORDS.joint} ${shot}` };
  const words = new Set(fields.map(({ path }) => FIELD_WORDS[path.join('.')] ?? ''));
  const [only = ''] = words;
  return { verb: 'change', what: words.size === 1 && only !== '' ? `${only} ${shot}` : shot };
}
