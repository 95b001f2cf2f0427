import {
  type BoardChange,
  type ShotsChange,
  sameOrder,
  type WideChange,
  withoutEmpty,
  withRemovedTakes,
} from '../../../shared/board/applyChange.ts';
import { type BoardWide, type Shot, shotTitle, takesOf, wideOf } from '../../../shared/board/board.ts';
import {
  changedFields,
  type FieldChange,
  type Identified,
  isSame,
  keysOf,
} from '../../../shared/board/boardChanges.ts';
import type { CastMember } from '../../../shared/board/cast.ts';
import type { FilmSound } from '../../../shared/film/sound/track.ts';
import { t } from '../../../shared/text/texts.ts';

/** A change between two states of a board: describes it; and what a save keeps of the takes that it leaves out. */

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
export function describeChange({ from, to }: BoardChange): NamedChange {
  // A new name of a member is also written into the shots that name it.
  const wide = describeWide({ from: wideOf(from), to: wideOf(to) });
  return wide ?? describeShotsChange({ from: from.shots, to: to.shots });
}

function describeShotsChange({ from, to }: ShotsChange): NamedChange {
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
function describeMove(from: readonly Shot[], to: readonly Shot[]): NamedChange {
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

function describeEdit(old: Shot, next: Shot, shot: string): NamedChange {
  const out = old.takes.filter((take) => !next.takes.includes(take));
  if (out.length === 1) return { verb: 'remove', what: t`take ${old.takes.indexOf(out[0] ?? '') + 1} of ${shot}` };
  if (out.length > 1) return { verb: 'remove', what: t`${out.length} takes of ${shot}` };
  const back = next.takes.filter((take) => !old.takes.includes(take));
  if (back.length > 0)
    return { verb: 'put back', what: t`${back.length === 1 ? t`a take` : t`${back.length} takes`} of ${shot}` };
  return describeFields(changedFields(old, next), next, shot);
}

function describeFields(fields: readonly FieldChange[], next: Shot, shot: string): NamedChange {
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

/** Changes of what belongs to a board as a whole: describes them, and what a save keeps of what it leaves out. */

/** The fields that a save names; what it leaves out stays as it was. */
export const savedWide = (known: BoardWide, saved: BoardWide): BoardWide => withoutEmpty({ ...known, ...saved });

const byId = <T extends Identified>(list: readonly T[]): Map<string, T> => new Map(list.map((one) => [one.id, one]));

/** Describes the change of each field. */
const WIDE_CHANGES: { [K in keyof Required<BoardWide>]: (from: BoardWide[K], to: BoardWide[K]) => NamedChange } = {
  cast: (from = [], to = []) => castChange(from, to),
  plan: () => ({ verb: 'change', what: t`the planned length` }),
  sound: (from = {}, to = {}) => soundChange(from, to),
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

const wideChange = <K extends keyof typeof WIDE_CHANGES>(name: K, { from, to }: WideChange): NamedChange =>
  WIDE_CHANGES[name](from[name], to[name]);

/** Describes a change: `changed the sheet of Mara`; undefined if nothing changed. */
export function describeWide({ from, to }: WideChange): NamedChange | undefined {
  const changed = (Object.keys(WIDE_CHANGES) as (keyof typeof WIDE_CHANGES)[]).filter(
    (name) => !isSame(from[name], to[name]),
  );
  const [only] = changed;
  if (only === undefined) return undefined;
  return changed.length > 1 ? { verb: 'change', what: t`the board` } : wideChange(only, { from, to });
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

function soundChange(
  { track: from, loudness: before }: FilmSound,
  { track: to, loudness: after }: FilmSound,
): NamedChange {
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

function castChange(from: readonly CastMember[], to: readonly CastMember[]): NamedChange {
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
  return edited.length === 1 ? memberChange(old, member) : { verb: 'change', what: t`${edited.length} of the cast` };
}

const nameOf = ({ name }: CastMember): string => name.trim() || 'a member';

function memberChange(from: CastMember, to: CastMember): NamedChange {
  const fields = keysOf(from, to).filter((key) => !isSame(from[key as keyof CastMember], to[key as keyof CastMember]));
  const [only = ''] = fields;
  const name = nameOf(from);
  if (fields.length > 1) return { verb: 'change', what: name };
  return only === 'sheets'
    ? sheetChange(from, to)
    : { verb: 'change', what: `${MEMBER_WORDS[only] ?? 'the entry of'} ${name}` };
}

function sheetChange(from: CastMember, to: CastMember): NamedChange {
  const [before, after, name] = [from.sheets.length, to.sheets.length, nameOf(from)];
  if (after === before + 1) return { verb: 'add', what: t`a sheet of ${name}` };
  if (after === before - 1) return { verb: 'remove', what: t`a sheet of ${name}` };
  const changed = to.sheets.filter((sheet, index) => !isSame(sheet, from.sheets[index]));
  return { verb: 'change', what: `the ${changed.length === 1 ? 'sheet' : 'sheets'} of ${name}` };
}

/** What a change of a board did: a verb, and what it was done to. */
export interface NamedChange {
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

/** A change as the end of a sentence about the past: `removed shot 3`. */
export const doneWords = ({ verb, what }: NamedChange): string => WORDS[verb].past(what);
/** A change as the name of a command: `remove shot 3`. */
export const commandWords = ({ verb, what }: NamedChange): string => WORDS[verb].name(what);
