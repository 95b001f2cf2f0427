import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { FactSource, ModelDependents, ModelEntry, ModelList } from '../../../shared/gateway/modelCalls.ts';
import { FACT_NAMES, type FactName, factsOf, hasEnded, type StatedModel } from '../../../shared/gateway/modelFacts.ts';
import type { Profile, ProfileModel } from '../../../shared/gateway/profile.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ModelsOutcome } from '../gateway/index.ts';
import type { Clock } from '../ports.ts';
import type { Profiles } from '../profiles/index.ts';
import type { Store } from '../store/index.ts';
import { dependentShots, until } from './dependents.ts';

interface ModelCallDeps {
  store: Pick<Store, 'readAway'>;
  clock: Pick<Clock, 'now'>;
  profiles: Pick<Profiles, 'active' | 'get' | 'statedModels' | 'writeModels'>;
  /** What a profile's service publishes; undefined if the profile has no client. */
  readModels(profileId: string): Promise<ModelsOutcome | undefined>;
  emit(event: StudioEvent): void;
}

const noSuchProfile = fail('not_found', 'profileId: there is no such gateway.', { field: 'profileId' });
const noSuchModel = fail('not_found', t`model: the gateway has no such model.`, { field: 'model' });

/** A profile's models: what each can, by whom that is said, the day it ends, and what hangs on it. */
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
    const shots = await store.readAway((db) => dependentShots(db, profile.id, now));
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
    // It may have been changed or removed while its service was asked.
    const profile = asked && profiles.get(asked.id);
    if (!profile || !outcome || profile.baseUrl !== asked.baseUrl) return noSuchProfile;
    if (outcome.type === 'none') return fail('not_found', t`This gateway has no list of models that Dailies can read.`);
    if (outcome.type === 'unreachable')
      return fail('unreachable', t`The list of models could not be read: ${outcome.error.message}`);
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
    const found = await store.readAway((db) => dependentShots(db, profile.id, now));
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
