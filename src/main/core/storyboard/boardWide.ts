import { type WideChange, withoutEmpty } from '../../../shared/board/applyChange.ts';
import type { BoardWide } from '../../../shared/board/board.ts';
import { type Identified, isSame, keysOf } from '../../../shared/board/boardChanges.ts';
import type { CastMember } from '../../../shared/board/cast.ts';
import type { FilmSound } from '../../../shared/film/sound/track.ts';
import { t } from '../../../shared/text/texts.ts';

/** Changes of what belongs to a board as a whole: describes them, and what a save keeps of what it leaves out. */

/** The fields that a save names; what it leaves out stays as it was. */
export const savedWide = (known: BoardWide, saved: BoardWide): BoardWide => withoutEmpty({ ...known, ...saved });

const byId = <T extends Identified>(list: readonly T[]): Map<string, T> => new Map(list.map((one) => [one.id, one]));

/** Describes the change of each field. */
const DEEDS: { [K in keyof Required<BoardWide>]: (from: BoardWide[K], to: BoardWide[K]) => Deed } = {
  cast: (from = [], to = []) => castDeed(from, to),
  plan: () => ({ verb: 'change', what: t`the planned length` }),
  sound: (from = {}, to = {}) => soundDeed(from, to),
  words: (from = {}, to = {}) => ({
    verb: 'change',
    what: onlyWords(WORDS_WORDS, from, to) ?? t`the words of the film`,
  }),
  format: () => ({ verb: 'change', what: t`the size of the film` }),
  seamLimits: (from = {}, to = {}) => ({
    verb: 'change',
    what: onlyWords(LIMIT_WORDS, from, to) ?? t`the limits of the continuity check`,
  }),
  triageLimits: () => ({ verb: 'change', what: t`the limits of the quality check` }),
};

const deedOf = <K extends keyof typeof DEEDS>(name: K, { from, to }: WideChange): Deed =>
  DEEDS[name](from[name], to[name]);

/** Describes a change: `changed the sheet of Mara`; undefined if nothing changed. */
export function describeWide({ from, to }: WideChange): Deed | undefined {
  const changed = (Object.keys(DEEDS) as (keyof typeof DEEDS)[]).filter((name) => !isSame(from[name], to[name]));
  const [only] = changed;
  if (only === undefined) return undefined;
  return changed.length > 1 ? { verb: 'change', what: t`the board` } : deedOf(only, { from, to });
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
  if (isLevel && isSame(from, to)) return { verb: 'change', what: t`the loudness of the film` };
  if (isLevel) return { verb: 'change', what: t`the sound of the film` };
  if (!from || !to) return { verb: to ? 'add' : 'remove', what: t`the track` };
  return { verb: 'change', what: onlyWords(TRACK_WORDS, from, to) ?? t`the track` };
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
  words: t`the words of`,
  with: 'who comes with',
};

function castDeed(from: readonly CastMember[], to: readonly CastMember[]): Deed {
  const [before, after] = [byId(from), byId(to)];
  const come = to.filter(({ id }) => !before.has(id));
  const gone = from.filter(({ id }) => !after.has(id));
  const [added, removed] = [come[0], gone[0]];
  if (come.length + gone.length > 1) return { verb: 'change', what: t`the cast` };
  if (added) return { verb: 'add', what: t`${nameOf(added)} to the cast` };
  if (removed) return { verb: 'remove', what: t`${nameOf(removed)} from the cast` };
  const edited = to.filter((member) => !isSame(member, before.get(member.id)));
  const [member] = edited;
  const old = member && before.get(member.id);
  if (!member || !old) return { verb: 'move', what: t`the cast` };
  return edited.length === 1 ? memberDeed(old, member) : { verb: 'change', what: t`${edited.length} of the cast` };
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
  if (after === before + 1) return { verb: 'add', what: t`a sheet of ${name}` };
  if (after === before - 1) return { verb: 'remove', what: t`a sheet of ${name}` };
  const changed = to.sheets.filter((sheet, index) => !isSame(sheet, from.sheets[index]));
  return { verb: 'change', what: `the ${changed.length === 1 ? 'sheet' : 'sheets'} of ${name}` };
}

/** What a change of a board did: a verb, and what it was done to. */
export interface Deed {
  verb: keyof typeof WORDS;
  what: string;
}

/** Of each verb the name of a command and the end of a sentence about the past. */
const WORDS = {
  add: { name: (what: string) => t`add ${what}`, past: (what: string) => t`added ${what}` },
  change: { name: (what: string) => t`change ${what}`, past: (what: string) => t`changed ${what}` },
  keep: { name: (what: string) => t`keep ${what}`, past: (what: string) => t`kept ${what}` },
  move: { name: (what: string) => t`move ${what}`, past: (what: string) => t`moved ${what}` },
  'put back': { name: (what: string) => t`put back ${what}`, past: (what: string) => t`put back ${what}` },
  remove: { name: (what: string) => t`remove ${what}`, past: (what: string) => t`removed ${what}` },
  skip: { name: (what: string) => t`skip ${what}`, past: (what: string) => t`skipped ${what}` },
} as const;

/** A deed as the end of a sentence about the past: `removed shot 3`. */
export const doneWords = ({ verb, what }: Deed): string => WORDS[verb].past(what);
/** A deed as the name of a command: `remove shot 3`. */
export const deedWords = ({ verb, what }: Deed): string => WORDS[verb].name(what);
