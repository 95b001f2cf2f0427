import { isSame } from '../../../shared/boardChanges.ts';
import type { ProfileModel } from '../../../shared/profile.ts';
import type { ProfileDraft } from './draft.ts';

/** What is changed of a model, all of it where it is added, or null where it is removed; by its id. */
type ModelChanges = Readonly<Partial<Record<string, Partial<ProfileModel> | null>>>;

/**
 * What is typed into a profile: its own fields only, and each model and each limit by itself, so that what is changed elsewhere meanwhile is
 * not taken back. Without secrets.
 */
export interface DraftChanges extends Partial<Omit<ProfileDraft, 'models' | 'limits'>> {
  models?: ModelChanges;
  limits?: Partial<ProfileDraft['limits']>;
}

/** What differs from the start, and `also` these, without secrets: of the headers those that are stored already. */
export function changesOf(start: ProfileDraft, next: ProfileDraft, also: DraftChanges = {}): DraftChanges {
  const stored = Object.keys(next.extraHeaders).filter((name) => Object.hasOwn(start.extraHeaders, name));
  const extraHeaders = Object.fromEntries(stored.map((name) => [name, null]));
  const { models, limits, ...open }: ProfileDraft = { ...next, botToken: '', extraHeaders };
  const changed = {
    models: modelChanges(start.models, models, also.models),
    limits: differing(start.limits, limits, also.limits),
  };
  return {
    ...differing<Omit<ProfileDraft, 'models' | 'limits'>>(start, open, also),
    ...Object.fromEntries(Object.entries(changed).filter(([, entries]) => Object.keys(entries).length > 0)),
  };
}

/** The draft that these changes make of a profile as it is by now. */
export function laidOver(start: ProfileDraft, { models = {}, limits, ...fields }: DraftChanges): ProfileDraft {
  const of = (id: string) => (Object.hasOwn(models, id) ? models[id] : undefined);
  const kept = start.models.flatMap((model) => (of(model.id) === null ? [] : [{ ...model, ...of(model.id) }]));
  const known = new Set(start.models.map(({ id }) => id));
  const added = Object.values(models)
    .filter(isWhole)
    .filter(({ id }) => !known.has(id));
  return {
    ...start,
    ...fields,
    models: [...kept, ...added],
    limits: { ...start.limits, ...limits },
  };
}

/** Changes of a model that is removed elsewhere by now have none. */
const isWhole = (model: Partial<ProfileModel> | null | undefined): model is ProfileModel => model?.id !== undefined;

/** The changes that are not in what was sent, on top of what was saved; `removed` are headers. */
export function changesSince(
  sent: DraftChanges,
  now: DraftChanges,
  saved: ProfileDraft,
  removed: string[],
): DraftChanges {
  const { models = {}, limits = {}, ...fields } = now;
  const since: DraftChanges = {
    ...differing<DraftChanges>(sent, fields),
    models: differing(sent.models ?? {}, models),
    limits: differing(sent.limits ?? {}, limits),
  };
  const stored = Object.entries(saved.extraHeaders).filter(([name]) => !removed.includes(name));
  return changesOf(saved, { ...laidOver(saved, since), extraHeaders: Object.fromEntries(stored) });
}

/** Those entries that are not in the other as they are, and `also` these. */
function differing<T extends object>(before: T, after: T, also: object = {}): Partial<T> {
  const old = before as Record<string, unknown>;
  const entries = Object.entries(after).filter(
    ([name, value]) => Object.hasOwn(also, name) || !Object.hasOwn(old, name) || !isSame(value, old[name]),
  );
  return Object.fromEntries(entries) as Partial<T>;
}

function modelChanges(before: ProfileModel[], after: ProfileModel[], also: ModelChanges = {}): ModelChanges {
  const [old, next] = [before, after].map((models) => new Map(models.map((model) => [model.id, model])));
  const ids = new Set([...before, ...after].map(({ id }) => id).concat(Object.keys(also)));
  const changes = [...ids].flatMap((id): [string, Partial<ProfileModel> | null][] => {
    const [was, is] = [old?.get(id), next?.get(id)];
    if (Object.hasOwn(also, id) || !was || !is) return [[id, is ?? null]];
    // It may be removed and added again: what is not known of it any more is a change, too.
    const lost = Object.keys(was).filter((key) => !Object.hasOwn(is, key));
    const forgotten = Object.fromEntries(lost.map((key) => [key, undefined]));
    return isSame(was, is) ? [] : [[id, { ...forgotten, ...differing(was, is) }]];
  });
  return Object.fromEntries(changes);
}
