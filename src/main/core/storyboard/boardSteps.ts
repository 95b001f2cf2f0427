import { type Shot, shotTitle, takesOf } from '../../../shared/board.ts';
import { changedFields, type FieldChange } from '../../../shared/boardChanges.ts';

/** What happened between two states of a board, in words, and the same change made on a third one. */

/** A change of a board: the shots as they were and as they are. Undoing it is the same the other way round. */
export interface Change {
  from: readonly Shot[];
  to: readonly Shot[];
}

/** Backwards a step takes away nothing that was paid for; forwards it does again what the user did. */
export type Way = 'undo' | 'redo';

/**
 * The change made on the board as it is now, which may have moved on: only what the change touched is touched. A shot with takes that
 * the change does not know stays, and no take leaves its shot backwards. `held` are removed shots as they are kept, with takes that
 * were made of them meanwhile.
 */
export function changed(now: readonly Shot[], { from, to }: Change, way: Way, held: ReadonlyMap<string, Shot>): Shot[] {
  const before = byId(from);
  const after = byId(to);
  const kept = now.filter((shot) => {
    const old = before.get(shot.id);
    return !old || after.has(shot.id) || !mayGo(shot, old, way);
  });
  const patched = kept.map((shot) => {
    const [old, next] = [before.get(shot.id), after.get(shot.id)];
    return old && next ? patchedShot(shot, old, next, way) : shot;
  });
  const here = new Set(patched.map(({ id }) => id));
  const back = to.filter(({ id }) => !before.has(id) && !here.has(id));
  const all = back.reduce<Shot[]>((shots, shot) => placed(shots, held.get(shot.id) ?? shot, to), patched);
  return reordered(all, from, to);
}

const byId = (shots: readonly Shot[]): Map<string, Shot> => new Map(shots.map((shot) => [shot.id, shot]));

/**
 * The shots as somebody saves them, with every take that they leave out set aside in its shot: a take was paid for, and is lost by no
 * save. Takes that were made of a removed shot come back with it.
 */
export function keepingTakes(known: readonly Shot[], saved: readonly Shot[], held: ReadonlyMap<string, Shot>): Shot[] {
  const named = new Set(saved.flatMap(takesOf));
  const before = byId(known);
  return saved.map((shot) => {
    const [was, back] = [before.get(shot.id), held.get(shot.id)];
    const takes = [...shot.takes, ...(back?.takes ?? []).filter((take) => !named.has(take))];
    const left = [...(was ? takesOf(was) : []), ...(back?.removedTakes ?? [])].filter((take) => !named.has(take));
    const aside = [...(shot.removedTakes ?? []), ...left].filter((take) => !takes.includes(take));
    return withRemoved({ ...shot, takes }, aside);
  });
}

function mayGo(shot: Shot, old: Shot, way: Way): boolean {
  if (way === 'undo') return takesOf(shot).length === 0;
  const known = new Set(takesOf(old));
  return takesOf(shot).every((take) => known.has(take));
}

function patchedShot(shot: Shot, old: Shot, next: Shot, way: Way): Shot {
  const fields = changedFields(old, next);
  return withTakes(fields.reduce(withField, shot), old, next, way);
}

function withField(shot: Shot, { path: [field, inner], after }: FieldChange): Shot {
  const holder = (inner === undefined ? shot : shot[field as 'config']) as Record<string, unknown>;
  const { [inner ?? field]: _, ...rest } = holder;
  const changedHolder = after === undefined ? rest : { ...rest, [inner ?? field]: after };
  return (inner === undefined ? changedHolder : { ...shot, [field]: changedHolder }) as Shot;
}

/** Takes that the change put back come back; those that it took out are set aside, forwards only. */
function withTakes(shot: Shot, old: Shot, next: Shot, way: Way): Shot {
  const has = (takes: readonly string[]) => new Set(takes);
  const [was, is, now] = [has(old.takes), has(next.takes), has(shot.takes)];
  const back = next.takes.filter((take) => !was.has(take) && !now.has(take));
  const out = way === 'redo' ? shot.takes.filter((take) => was.has(take) && !is.has(take)) : [];
  if (back.length + out.length === 0) return shot;
  const order = [...next.takes, ...shot.takes.filter((take) => !is.has(take))];
  const takes = order.filter((take) => (now.has(take) || back.includes(take)) && !out.includes(take));
  const aside = [...(shot.removedTakes ?? []), ...out].filter((take) => !takes.includes(take));
  return withRemoved({ ...shot, takes }, aside);
}

/** The shot with these takes set aside; the field is left out where there are none. */
export function withRemoved({ removedTakes: _, ...shot }: Shot, aside: readonly string[]): Shot {
  return aside.length === 0 ? shot : { ...shot, removedTakes: [...new Set(aside)] };
}

/** Puts a shot behind the nearest one that stands before it in `order`, or in front of all. */
function placed(shots: Shot[], shot: Shot, order: readonly Shot[]): Shot[] {
  const ids = order.map(({ id }) => id);
  const earlier = new Set(ids.slice(0, ids.indexOf(shot.id)));
  const at = shots.findLastIndex(({ id }) => earlier.has(id)) + 1;
  return [...shots.slice(0, at), shot, ...shots.slice(at)];
}

/** Where the change moved shots, those that it knows stand in its order, in the places that they have together. */
function reordered(shots: Shot[], from: readonly Shot[], to: readonly Shot[]): Shot[] {
  if (sameOrder(from, to)) return shots;
  const place = new Map(to.map(({ id }, index) => [id, index]));
  const known = shots.filter(({ id }) => place.has(id));
  const sorted = known.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return shots.map((shot) => (place.has(shot.id) ? (sorted.shift() ?? shot) : shot));
}

function sameOrder(from: readonly Shot[], to: readonly Shot[]): boolean {
  return common(from, to).join('\n') === common(to, from).join('\n');
}

const common = (shots: readonly Shot[], others: readonly Shot[]): string[] => {
  const ids = byId(others);
  return shots.map(({ id }) => id).filter((id) => ids.has(id));
};

/** What a change did, as the end of a sentence: `removed shot 3`, `changed the prompt of shot 2`. */
export function wordsOfChange({ from, to }: Change): string {
  const [before, after] = [byId(from), byId(to)];
  const gone = from.filter(({ id }) => !after.has(id));
  const come = to.filter(({ id }) => !before.has(id));
  if (gone.length > 0 && come.length === 0) return wordsOfShots('removed', gone, from);
  if (come.length > 0 && gone.length === 0) return wordsOfShots('added', come, to);
  if (gone.length > 0) return 'changed the board';
  const edited = to.filter((shot) => !same(shot, before.get(shot.id)));
  if (edited.length === 0) return wordsOfMove(from, to);
  const [first] = edited;
  const old = first && before.get(first.id);
  if (edited.length > 1 || !first || !old) return `changed ${edited.length} shots`;
  return `${wordsOfEdit(old, first)} shot ${numberIn(to, first.id)}`;
}

export const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
const numberIn = (shots: readonly Shot[], id: string): number => shots.findIndex((shot) => shot.id === id) + 1;

function wordsOfShots(verb: string, shots: readonly Shot[], all: readonly Shot[]): string {
  const [only] = shots;
  if (shots.length > 1 || !only) return `${verb} ${shots.length} shots`;
  return `${verb} shot ${numberIn(all, only.id)}, “${shotTitle(only)}”`;
}

/** The one shot that was moved is the one without which both orders are the same. */
function wordsOfMove(from: readonly Shot[], to: readonly Shot[]): string {
  const moved = from.filter(({ id }) => {
    const without = (shots: readonly Shot[]) => shots.filter((shot) => shot.id !== id);
    return sameOrder(without(from), without(to));
  });
  const [one] = moved;
  return one ? `moved shot ${numberIn(from, one.id)}` : 'moved shots';
}

const FIELD_WORDS: Record<string, string> = {
  title: 'the title of',
  prompt: 'the prompt of',
  model: 'the model of',
  source: 'what starts',
  image: 'the first frame of',
  lastFrame: 'the last frame of',
  referenceImages: 'the references of',
  video: 'the clip that is extended by',
  activeTake: 'the take that plays for',
  activeOutput: 'the take that plays for',
  'config.resolution': 'the resolution of',
  'config.durationSeconds': 'the length of',
  'config.aspectRatio': 'the aspect of',
  'config.generateAudio': 'the sound of',
  'config.sampleCount': 'the candidates of',
  'config.numberOfVideos': 'the candidates of',
  'config.seed': 'the seed of',
};

function wordsOfEdit(old: Shot, next: Shot): string {
  const out = old.takes.filter((take) => !next.takes.includes(take));
  if (out.length === 1) return `removed take ${old.takes.indexOf(out[0] ?? '') + 1} of`;
  if (out.length > 1) return `removed ${out.length} takes of`;
  const back = next.takes.filter((take) => !old.takes.includes(take));
  if (back.length > 0) return `put back ${back.length === 1 ? 'a take' : `${back.length} takes`} of`;
  const words = new Set(changedFields(old, next).map(({ path }) => FIELD_WORDS[path.join('.')] ?? ''));
  const [only = ''] = words;
  return words.size === 1 && only !== '' ? `changed ${only}` : 'changed';
}
