import { shotTitle } from '../../../shared/board/board.ts';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type {
  FactSource,
  ModelDependent,
  ModelDependents,
  ModelEntry,
  ModelList,
} from '../../../shared/gateway/modelCalls.ts';
import { FACT_NAMES, type FactName, factsOf, hasEnded, type StatedModel } from '../../../shared/gateway/modelFacts.ts';
import type { Profile, ProfileModel } from '../../../shared/gateway/profile.ts';
import { kindsWhere } from '../../../shared/kinds/index.ts';
import { en } from '../../../shared/text/texts.ts';
import type { ModelsOutcome } from '../gateway/index.ts';
import { jobTable } from '../jobs/index.ts';
import { type ClipSource, clipSources } from '../library/index.ts';
import type { Clock } from '../ports.ts';
import type { Profiles } from '../profiles/index.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { type ShotWithTake, shotsWithTakes } from '../storyboard/index.ts';

interface ModelCallDeps {
  store: Pick<Store, 'readInThread'>;
  clock: Pick<Clock, 'now'>;
  profiles: Pick<Profiles, 'active' | 'get' | 'statedModels' | 'writeModels'>;
  /** The gateway's list of models; undefined if the profile has no client. */
  readModels(profileId: string): Promise<ModelsOutcome | undefined>;
  emit(event: StudioEvent): void;
}

const noSuchProfile = fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' });
const noSuchModel = fail('not_found', en`model: the gateway has no such model.`, { field: 'model' });

/** A profile's models: their facts with sources, their end, and the shots that depend on them. */
export class ModelCalls {
  private readonly deps: ModelCallDeps;

  constructor(deps: ModelCallDeps) {
    this.deps = deps;
  }

  handlers(): Pick<Handlers, 'models.list' | 'models.read' | 'models.set' | 'models.dependents'> {
    return {
      'models.list': async ({ profileId }) => {
        const profile = this.profileOf(profileId);
        return profile ? ok(await this.list(profile)) : noSuchProfile;
      },
      'models.read': ({ profileId }) => this.read(profileId),
      'models.set': (input) => this.set(input),
      'models.dependents': async ({ profileId, model }) => {
        const profile = this.profileOf(profileId);
        return profile ? ok(await this.dependents(profile, model)) : noSuchProfile;
      },
    };
  }

  private profileOf(id: string | undefined): Profile | undefined {
    const { profiles } = this.deps;
    return id === undefined ? profiles.active() : profiles.get(id);
  }

  private async list(profile: Profile): Promise<ModelList> {
    const { store, clock, profiles } = this.deps;
    const now = clock.now();
    const shots = await store.readInThread((db) => dependentShots(db, profile.id, now));
    const count = (model: string) => shots.filter((shot) => shot.model === model && !shot.isGone).length;
    const reading = profiles.statedModels.of(profile);
    const known = reading && { readAt: reading.at, from: reading.from, listed: reading.listed };
    return {
      profileId: profile.id,
      ...known,
      models: profile.models.map((model) => entryOf(profile, model, { shots: count(model.id), wasRead: !!reading })),
      others: reading?.others ?? [],
    };
  }

  private async read(profileId: string | undefined): Promise<Result<ModelList>> {
    const { profiles, clock, emit, readModels } = this.deps;
    const asked = this.profileOf(profileId);
    const outcome = asked && (await readModels(asked.id));
    // The profile may have changed while its gateway was asked.
    const profile = asked && profiles.get(asked.id);
    if (!profile || !outcome || profile.baseUrl !== asked.baseUrl) return noSuchProfile;
    if (outcome.type === 'none')
      return fail('not_found', en`This gateway has no list of models that Dailies can read.`);
    if (outcome.type === 'unreachable')
      return fail('unreachable', en`The list of models could not be read: ${outcome.error.message}`);
    profiles.statedModels.record(profile, { at: clock.now(), from: outcome.from, found: outcome.models });
    emit({ type: 'profiles.changed' });
    return ok(await this.list(profiles.get(profile.id) ?? profile));
  }

  private async set({ profileId, model, facts, forget }: CallParsed<'models.set'>): Promise<Result<ModelList>> {
    const { profiles, emit } = this.deps;
    const profile = this.profileOf(profileId);
    if (!profile) return noSuchProfile;
    if (!profile.models.some(({ id }) => id === model)) return noSuchModel;
    const models = profile.models.map((entry) =>
      entry.id === model ? { ...without(entry, forget), ...facts } : entry,
    );
    profiles.writeModels(profile.id, models);
    emit({ type: 'profiles.changed' });
    return ok(await this.list(profiles.get(profile.id) ?? profile));
  }

  private async dependents(profile: Profile, model: string): Promise<ModelDependents> {
    const { store, clock } = this.deps;
    const now = clock.now();
    const found = await store.readInThread((db) => dependentShots(db, profile.id, now));
    const facts = factsOf(profile, model);
    const own = found.filter((shot) => shot.model === model);
    const held = own.filter(({ isGone }) => !isGone);
    const shots = hasEnded(facts, now) ? [] : held.map((shot) => until(shot, facts.endsAt));
    return {
      profileId: profile.id,
      model,
      ...(facts.endsAt === undefined ? {} : { endsAt: facts.endsAt }),
      shots: shots.toSorted((a, b) => (a.until ?? Infinity) - (b.until ?? Infinity)),
      gone: own.length - shots.length,
    };
  }
}

function without(entry: ProfileModel, forget: readonly FactName[]): ProfileModel {
  const left = { ...entry };
  for (const name of forget) delete left[name];
  return left;
}

function entryOf(
  profile: Profile,
  model: ProfileModel,
  { shots, wasRead }: { shots: number; wasRead: boolean },
): ModelEntry {
  const { id, kind, label, preview } = model;
  const stated = profile.stated?.[id];
  const sources = sourcesOf(model, stated);
  const endsBy = sources.endsAt?.by;
  return {
    ...factsOf(profile, id),
    id,
    kind,
    ...(label === undefined ? {} : { label }),
    ...(preview === undefined ? {} : { preview }),
    ...(endsBy ? { endsBy } : {}),
    sources,
    ...(wasRead ? { listed: stated !== undefined } : {}),
    shots,
  };
}

function sourcesOf(own: ProfileModel, stated: StatedModel | undefined): ModelEntry['sources'] {
  const sources: Partial<Record<FactName, FactSource>> = {};
  for (const name of FACT_NAMES) {
    if (own[name] !== undefined) sources[name] = { by: 'user' };
    else if (stated?.facts[name] !== undefined) sources[name] = { by: 'service', field: stated.by[name] ?? '' };
  }
  return sources;
}

/** The shots that depend on a model: a kept take can be extended only by its own model, from its clip at the gateway (spec 2.2). */

const MAX_KEPT = 20_000;

export interface DependentShot extends ModelDependent {
  model: string;
  /** The clip is no longer at the gateway. */
  isGone: boolean;
}

/** For each shot of a profile, the kept take that would be extended: the active one, else the newest. */
function dependentShots(db: ReadDb, profileId: string, now: number): DependentShot[] {
  const kinds = kindsWhere(({ makes }) => makes === 'video');
  const models = new Map(
    jobTable.keptByModel(db, profileId, { kinds, limit: MAX_KEPT }).map(({ id, model }) => [id, model]),
  );
  if (models.size === 0) return [];
  const shots = new Map<string, ShotWithTake>();
  for (const shot of shotsWithTakes(db, [...models.keys()])) {
    const key = `${shot.projectId} ${shot.shotId}`;
    // Takes are sorted oldest first: a later one replaces an earlier one that is not active.
    if (shots.get(key)?.jobId !== shot.activeTake || shot.activeTake === null) shots.set(key, shot);
  }
  const chosen = [...shots.values()];
  const clips = Map.groupBy(
    clipSources(
      db,
      profileId,
      chosen.map(({ jobId }) => jobId),
    ),
    ({ jobId }) => jobId,
  );
  return chosen.flatMap((shot) => {
    const clip = clipOf(shot, clips.get(shot.jobId) ?? []);
    return clip ? [dependentOf(shot, clip, { model: models.get(shot.jobId) ?? '', now })] : [];
  });
}

function clipOf({ jobId, activeTake, activeOutput }: ShotWithTake, clips: readonly ClipSource[]) {
  const chosen = jobId === activeTake ? (activeOutput ?? 0) : 0;
  return clips.find(({ output }) => output === chosen) ?? clips[0];
}

function dependentOf(
  { projectId, project, shotId, place, title, prompt, jobId, take }: ShotWithTake,
  clip: ClipSource,
  { model, now }: { model: string; now: number },
): DependentShot {
  const { id, mime, state, thumbnailId, output, expiresAt, isHeld, isStorage } = clip;
  const knownEnd = isStorage === 0 && expiresAt !== null ? expiresAt : undefined;
  return {
    projectId,
    project,
    shotId,
    number: place + 1,
    title: shotTitle({ title, prompt }),
    jobId,
    take: take + 1,
    output,
    clip: { id, mime, state, ...(thumbnailId === null ? {} : { thumbnailId }) },
    model,
    isGone: isHeld === 0 || (knownEnd !== undefined && knownEnd <= now),
    ...(knownEnd === undefined ? {} : { until: knownEnd, endedBy: 'source' }),
    ...(knownEnd === undefined && isStorage === 0 ? { sourceUnknown: true } : {}),
  };
}

/** Until when the shot can be extended: both the clip's address and the model must live. */
export function until(shot: DependentShot, endsAt: number | null | undefined): ModelDependent {
  const { model: _, isGone: __, ...dependent } = shot;
  const source = dependent.until;
  if (endsAt === undefined || endsAt === null || (source !== undefined && source < endsAt)) return dependent;
  return { ...dependent, until: endsAt, endedBy: 'model' };
}
