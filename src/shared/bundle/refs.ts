import type { Board, Shot } from '../board/board.ts';
import type { CastMember } from '../board/cast.ts';
import type { Trim } from '../film/trim.ts';
import type { StudioRequest } from '../kinds/index.ts';
import type { MediaRef } from '../library/mediaRef.ts';

/** New names for the jobs and assets that a film names; undefined for unknown ones. */
export interface RefNames {
  job(id: string): string | undefined;
  asset(id: string): string | undefined;
  /** Renames a word that may be an id of either; any other word stays. */
  word(text: string): string;
}

type Content = Omit<Board, 'projectId' | 'revision'>;

/** The shot with every job and asset renamed; unknown ones are removed. */
export function renamedShot(shot: Shot, names: RefNames): Shot {
  const { removedTakes, activeTake, activeOutput, meanwhile, image, lastFrame, video, slots, trims, ...rest } = shot;
  const playing = nameOr(activeTake, names.job);
  const until = nameOr(meanwhile?.take, names.job);
  const sheets = slots?.sheets && renamedValues(slots.sheets, names.asset);
  return {
    ...rest,
    takes: renamedList(shot.takes, names.job),
    ...(removedTakes ? { removedTakes: renamedList(removedTakes, names.job) } : {}),
    ...(playing === undefined ? {} : { activeTake: playing, ...defined({ activeOutput }) }),
    ...(meanwhile && until !== undefined ? { meanwhile: { ...meanwhile, take: until } } : {}),
    ...defined({ image: renamedRef(image, names) }),
    ...defined({ lastFrame: renamedRef(lastFrame, names) }),
    ...defined({ video: renamedRef(video, names) }),
    referenceImages: shot.referenceImages.flatMap((ref) => renamedRef(ref, names) ?? []),
    ...(slots ? { slots: { ...slots, ...defined({ sheets }) } } : {}),
    ...(trims ? { trims: trims.flatMap((trim) => renamedTrim(trim, names)) } : {}),
    ...(shot.kept ? { kept: renamedMark(shot.kept, names) } : {}),
  };
}

/** The same for the fields of the board. */
export function renamedFilm<T extends Omit<Content, 'shots'>>(film: T, names: RefNames): T {
  const track = film.sound?.track;
  const assetId = track && names.asset(track.assetId);
  const { track: _, ...sound } = film.sound ?? {};
  return {
    ...film,
    ...(film.cast ? { cast: film.cast.map((member) => renamedMember(member, names)) } : {}),
    ...(film.sound ? { sound: { ...sound, ...(track && assetId ? { track: { ...track, assetId } } : {}) } } : {}),
  };
}

/** The same for a request. A request is history, so an unknown reference becomes an address that leads nowhere. */
export function renamedRequest(request: StudioRequest, names: RefNames): StudioRequest {
  return renamedIn(request, names) as StudioRequest;
}

const NOWHERE = 'unavailable:';

function renamedIn(value: unknown, names: RefNames): unknown {
  if (Array.isArray(value)) return value.map((one) => renamedIn(one, names));
  if (typeof value !== 'object' || value === null) return value;
  if (isRef(value)) return renamedRef(value, names) ?? { uri: NOWHERE };
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, one]) => {
      const find = { assetId: names.asset, promotedFrom: names.job }[field];
      if (!find || typeof one !== 'string') return [[field, renamedIn(one, names)]];
      const name = find(one);
      return name === undefined ? [] : [[field, name]];
    }),
  );
}

const REF_FIELDS: ReadonlySet<string> = new Set(['assetId', 'jobId', 'frame', 'output', 'outMs']);

const isRef = (value: object): value is MediaRef => {
  const fields = Object.keys(value);
  return ('assetId' in value || 'jobId' in value) && fields.every((field) => REF_FIELDS.has(field));
};

function renamedRef<T extends MediaRef | undefined>(ref: T, names: RefNames): MediaRef | undefined {
  if (ref === undefined || 'uri' in ref) return ref;
  if ('assetId' in ref) {
    const assetId = names.asset(ref.assetId);
    return assetId === undefined ? undefined : { ...ref, assetId };
  }
  const jobId = names.job(ref.jobId);
  return jobId === undefined ? undefined : { ...ref, jobId };
}

const renamedTrim = (trim: Trim, { job }: RefNames): Trim[] => {
  const take = job(trim.take);
  return take === undefined ? [] : [{ ...trim, take }];
};

const renamedMember = (member: CastMember, names: RefNames): CastMember => ({
  ...member,
  sheets: member.sheets.flatMap((reference) => {
    const assetId = names.asset(reference.assetId);
    return assetId === undefined ? [] : { ...reference, assetId };
  }),
});

const nameOr = (id: string | undefined, find: (id: string) => string | undefined) =>
  id === undefined ? undefined : find(id);

const renamedList = (ids: readonly string[], find: (id: string) => string | undefined): string[] =>
  ids.flatMap((id) => find(id) ?? []);

const renamedValues = (record: Record<string, string>, find: (id: string) => string | undefined) =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, id]) => {
      const name = find(id);
      return name === undefined ? [] : [[key, name]];
    }),
  );

/** The mark of a kept take (`acceptedStaleMark`); its parts are in alphabetical order. */
function renamedMark([own = '', ...from]: readonly string[], names: RefNames): string[] {
  return [renamedWords(own, names), ...from.map((seen) => renamedWords(seen, names)).toSorted()];
}

const renamedWords = (seen: string, names: RefNames): string =>
  seen
    .split(/([^A-Za-z0-9_-]+)/)
    .map((word) => names.word(word))
    .join('');

const defined = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
