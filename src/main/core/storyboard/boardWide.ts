import type { BoardWide } from '../../../shared/board.ts';
import { asIdentified, type Identified, isRecord, isSame, keysOf } from '../../../shared/boardChanges.ts';
import type { CastMember } from '../../../shared/cast.ts';
import type { FilmSound } from '../../../shared/sound/track.ts';
import type { Deed } from './deed.ts';

/** Changes of what belongs to a board as a whole: describes them, and applies them to a third state. */

export interface WideChange {
  from: BoardWide;
  to: BoardWide;
}

/** The fields that a save names; what it leaves out stays as it was. */
export const savedWide = (known: BoardWide, saved: BoardWide): BoardWide => withoutEmpty({ ...known, ...saved });

/** Nothing is stored for an empty list or object. */
const withoutEmpty = (wide: BoardWide): BoardWide =>
  Object.fromEntries(Object.entries(wide).filter(([, value]) => Object.keys(value ?? {}).length > 0));

/** Applies a change to the current state, which may have moved on: only what the change touched is touched. */
export const applyWide = (now: BoardWide, { from, to }: WideChange): BoardWide =>
  withoutEmpty(patched(now, from, to) as BoardWide);

function patched(now: unknown, from: unknown, to: unknown): unknown {
  if (isSame(from, to)) return now;
  const lists = asIdentified(now, from, to);
  if (lists) return patchedList(...lists);
  // What was removed since stays so, when only something within it changed.
  if (now === undefined && from !== undefined) return now;
  if (!isRecord(now) || !isRecord(from) || !isRecord(to)) return to;
  const entries = keysOf(now, to).map((key) => [key, patched(now[key], from[key], to[key])]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function patchedList(now: Identified[], from: Identified[], to: Identified[]): Identified[] {
  const [before, after, here] = [byId(from), byId(to), byId(now)];
  const kept = now
    .filter(({ id }) => after.has(id) || !before.has(id))
    .map((one) => (before.has(one.id) ? (patched(one, before.get(one.id), after.get(one.id)) as Identified) : one));
  const back = to.filter(({ id }) => !before.has(id) && !here.has(id));
  const all = back.reduce((list, one) => insertInOrder(list, one, to), kept);
  return applyOrder(all, from, to);
}

const byId = <T extends Identified>(list: readonly T[]): Map<string, T> => new Map(list.map((one) => [one.id, one]));

/** Inserts a thing after the nearest one that precedes it in `order`, or first. */
export function insertInOrder<T extends Identified>(list: readonly T[], one: T, order: readonly Identified[]): T[] {
  const ids = order.map(({ id }) => id);
  const earlier = new Set(ids.slice(0, ids.indexOf(one.id)));
  const at = list.findLastIndex(({ id }) => earlier.has(id)) + 1;
  return [...list.slice(0, at), one, ...list.slice(at)];
}

/** If the change moved things, sorts the ones it knows into its order, within the positions they occupy together. */
export function applyOrder<T extends Identified>(
  list: readonly T[],
  from: readonly Identified[],
  to: readonly Identified[],
): T[] {
  if (sameOrder(from, to)) return [...list];
  const place = new Map(to.map(({ id }, index) => [id, index]));
  const known = list.filter(({ id }) => place.has(id));
  const sorted = known.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  return list.map((one) => (place.has(one.id) ? (sorted.shift() ?? one) : one));
}

/** Whether the things that are in both lists are in the same order in both. */
export function sameOrder(from: readonly Identified[], to: readonly Identified[]): boolean {
  return common(from, to).join('\n') === common(to, from).join('\n');
}

const common = (list: readonly Identified[], others: readonly Identified[]): string[] => {
  const ids = byId(others);
  return list.map(({ id }) => id).filter((id) => ids.has(id));
};

/** Describes the change of each field. */
const DEEDS: { [K in keyof Required<BoardWide>]: (from: BoardWide[K], to: BoardWide[K]) => Deed } = {
  cast: (from = [], to = []) => castDeed(from, to),
  plan: () => ({ verb: 'change', what: 'the planned length' }),
  sound: (from = {}, to = {}) => soundDeed(from, to),
  words: (from = {}, to = {}) => ({
    verb: 'change',
    what: onlyWords(WORDS_WORDS, from, to) ?? 'the words of the film',
  }),
  format: () => ({ verb: 'change', what: 'the size of the film' }),
  seamLimits: (from = {}, to = {}) => ({
    verb: 'change',
    what: onlyWords(LIMIT_WORDS, from, to) ?? 'the limits of the joints',
  }),
};

const deedOf = <K extends keyof typeof DEEDS>(name: K, { from, to }: WideChange): Deed =>
  DEEDS[name](from[name], to[name]);

/** Describes a change: `changed the sheet of Mara`; undefined if nothing changed. */
export function describeWide({ from, to }: WideChange): Deed | undefined {
  const changed = (Object.keys(DEEDS) as (keyof typeof DEEDS)[]).filter((name) => !isSame(from[name], to[name]));
  const [only] = changed;
  if (only === undefined) return undefined;
  return changed.length > 1 ? { verb: 'change', what: 'the board' } : deedOf(only, { from, to });
}

const TRACK_WORDS: Record<string, string> = {
  assetId: 'the file of the track',
  in: 'the in point of the track',
  out: 'the out point of the track',
  fadeIn: 'the fade in of the track',
  fadeOut: 'the fade out of the track',
  level: 'the level of the track',
  isMuted: 'whether the track is heard',
  duck: 'the ducking of the track',
};

const WORDS_WORDS: Record<string, string> = {
  readingLimit: 'the limit of the reading speed',
  files: 'the files of subtitles',
  isBurntIn: 'whether the words are burnt in',
};

const LIMIT_WORDS: Record<string, string> = {
  frames: 'the limit of the frames at joints',
  colour: 'the limit of the colour at joints',
  sound: 'the limit of the sound at joints',
};

function soundDeed({ track: from, loudness: before }: FilmSound, { track: to, loudness: after }: FilmSound): Deed {
  const isLevel = !isSame(before, after);
  if (isLevel && isSame(from, to)) return { verb: 'change', what: 'the loudness of the film' };
  if (isLevel) return { verb: 'change', what: 'the sound of the film' };
  if (!from || !to) return { verb: to ? 'add' : 'remove', what: 'the track' };
  return { verb: 'change', what: onlyWords(TRACK_WORDS, from, to) ?? 'the track' };
}

/** The words of the field, if only one differs. */
function onlyWords(words: Record<string, string>, from: object, to: object): string | undefined {
  const [old, next] = [from as Record<string, unknown>, to as Record<string, unknown>];
  const [only, ...more] = keysOf(from, to).filter((key) => !isSame(old[key], next[key]));
  return more.length === 0 ? words[only ?? ''] : undefined;
}

const MEMBER_WORDS: Record<string, string> = {
  name: 'the name of',
  kind: 'the kind of',
  words: 'the words of',
  with: 'who comes with',
};

function castDeed(from: readonly CastMember[], to: readonly CastMember[]): Deed {
  const [before, after] = [byId(from), byId(to)];
  const come = to.filter(({ id }) => !before.has(id));
  const gone = from.filter(({ id }) => !after.has(id));
  const [added, removed] = [come[0], gone[0]];
  if (come.length + gone.length > 1) return { verb: 'change', what: 'the cast' };
  if (added) return { verb: 'add', what: `${nameOf(added)} to the cast` };
  if (removed) return { verb: 'remove', what: `${nameOf(removed)} from the cast` };
  const edited = to.filter((member) => !isSame(member, before.get(member.id)));
  const [member] = edited;
  const old = member && before.get(member.id);
  if (!member || !old) return { verb: 'move', what: 'the cast' };
  return edited.length === 1 ? memberDeed(old, member) : { verb: 'change', what: `${edited.length} of the cast` };
}

const nameOf = ({ name }: CastMember): string => name.trim() || 'a member';

function memberDeed(from: CastMember, to: CastMember): Deed {
  const fields = keysOf(from, to).filter((key) => !isSame(from[key as keyof CastMember], to[key as keyof CastMember]));
  const [only = ''] = fields;
  const name = nameOf(from);
  if (fields.length > 1) return { verb: 'change', what: name };
  return only === 'sheets'
    ? sheetDeed(from, to)
    : { verb: 'change', what: `${MEMBER_WORDS[only] ?? 'the entry of'} ${name}` };
}

function sheetDeed(from: CastMember, to: CastMember): Deed {
  const [before, after, name] = [from.sheets.length, to.sheets.length, nameOf(from)];
  if (after === before + 1) return { verb: 'add', what: `a sheet of ${name}` };
  if (after === before - 1) return { verb: 'remove', what: `a sheet of ${name}` };
  const changed = to.sheets.filter((sheet, index) => !isSame(sheet, from.sheets[index]));
  return { verb: 'change', what: `the ${changed.length === 1 ? 'sheet' : 'sheets'} of ${name}` };
}
