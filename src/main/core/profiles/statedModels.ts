import { z } from 'zod';
import { FOUND_BY } from '../../../shared/gateway/connection.ts';
import { DIALECT } from '../../../shared/gateway/dialect.ts';
import { FACT_NAMES, type FactName, type StatedModel, validFact } from '../../../shared/gateway/modelFacts.ts';
import { originOf, type Profile } from '../../../shared/gateway/profile.ts';
import { protocolsSchema } from '../../../shared/wire/families/index.ts';
import type { DialectMemory } from '../gateway/index.ts';
import type { SettingsStore } from '../ports.ts';

/** Facts that gateways state about each profile's models, kept across restarts; the user's own facts are in the profile. */

/** One reading of a gateway's list. */
export interface ModelReading {
  /** When it was read, milliseconds since 1970. */
  at: number;
  from: string;
  /** The number of listed models. */
  listed: number;
  /** The models of the profile. */
  models: Record<string, StatedModel>;
  others: string[];
}

const MAX_OTHERS = 500;

const storedReading = z.object({
  baseUrl: z.string(),
  at: z.number(),
  from: z.string(),
  listed: z.int().min(0),
  models: z.record(
    z.string(),
    z.object({ facts: z.record(z.string(), z.unknown()), by: z.record(z.string(), z.string()) }),
  ),
  others: z.array(z.string()).max(MAX_OTHERS),
});
type StoredReading = z.infer<typeof storedReading>;

export class StatedModels {
  private readonly settings: SettingsStore;
  private readonly readings: Map<string, StoredReading>;

  constructor(settings: SettingsStore) {
    this.settings = settings;
    const stored = z.record(z.string(), z.unknown()).safeParse(settings.read('models') ?? {}).data ?? {};
    // A damaged entry is left out: the list can be read again.
    const good = Object.entries(stored).flatMap(([id, raw]) => {
      const read = storedReading.safeParse(raw);
      return read.success ? [[id, read.data] as const] : [];
    });
    this.readings = new Map(good);
  }

  /** The last reading; undefined without one, or if it was of another address. */
  of({ id, baseUrl }: Pick<Profile, 'id' | 'baseUrl'>): ModelReading | undefined {
    const reading = this.readings.get(id);
    if (reading?.baseUrl !== baseUrl) return undefined;
    const { models, baseUrl: _, ...rest } = reading;
    return { ...rest, models: Object.fromEntries(Object.entries(models).map(([model, told]) => [model, valid(told)])) };
  }

  /** Stores the facts of a list about the profile's models; `found` is the whole list. */
  record(
    { id, baseUrl, models }: Pick<Profile, 'id' | 'baseUrl' | 'models'>,
    { at, from, found }: { at: number; from: string; found: readonly (StatedModel & { id: string })[] },
  ): void {
    const own = new Set(models.map((model) => model.id));
    const kept = found.filter((model) => own.has(model.id)).map(({ id: name, facts, by }) => [name, { facts, by }]);
    const others = found.flatMap((model) => (own.has(model.id) ? [] : [model.id])).slice(0, MAX_OTHERS);
    const reading = { baseUrl, at, from, listed: found.length, models: Object.fromEntries(kept), others };
    this.write(new Map(this.readings).set(id, reading));
  }

  forget(id: string): void {
    if (!this.readings.has(id)) return;
    const left = new Map(this.readings);
    left.delete(id);
    this.write(left);
  }

  /** The file is written first: after an error, such as a full disk, memory still matches the file. */
  private write(readings: ReadonlyMap<string, StoredReading>): void {
    this.settings.write('models', Object.fromEntries(readings));
    this.readings.clear();
    for (const [id, reading] of readings) this.readings.set(id, reading);
  }
}

/** Facts are validated again, since rules may have changed with the version. */
function valid({ facts, by }: StoredReading['models'][string]): StatedModel {
  const names = FACT_NAMES.filter((name) => validFact(name, facts[name]) !== undefined);
  return {
    facts: Object.fromEntries(names.map((name) => [name, validFact(name, facts[name])])),
    by: Object.fromEntries(names.map((name: FactName) => [name, by[name] ?? ''])),
  };
}

/** An invalid value is dropped on its own: it can be learned again. */
const lenient = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const storedMemory = z.object({
  origin: lenient(z.string()),
  imageAuthHeader: lenient(z.string()),
  fetchMethod: lenient(z.enum(['POST', 'GET'])),
  videoPollPath: lenient(z.string()),
  videoDialect: lenient(
    z.object({
      vendor: z.string().regex(/^[A-Za-z][\w-]{0,63}$/),
      fieldCase: DIALECT.fieldCase.schema,
      seedPlacement: DIALECT.seedPlacement.schema,
      samplePlacement: DIALECT.samplePlacement.schema.optional(),
      pictures: DIALECT.pictures.schema.optional(),
      insteadOf: z.string(),
    }),
  ),
  takenSpelling: lenient(z.string()),
  maskField: lenient(z.enum(['mask', 'maskBase64'])),
  protocols: lenient(protocolsSchema),
  balancePath: lenient(z.string()),
  noStreamOptions: lenient(z.boolean()),
  foundBy: lenient(z.record(z.string(), z.object({ by: z.enum(FOUND_BY), at: z.number() }))),
});
const storedDialects = z.record(z.string(), storedMemory.catch({}));

/** Findings about gateways, kept across restarts; none of them is secret. */
export function dialectMemory(settings: SettingsStore): {
  remember(profileId: string, memory: DialectMemory): void;
  recall(profileId: string): DialectMemory;
} {
  let known: Record<string, DialectMemory> = storedDialects.safeParse(settings.read('dialects') ?? {}).data ?? {};
  return {
    recall: (profileId) => known[profileId] ?? {},
    remember(profileId, memory) {
      const next = { ...known, [profileId]: { ...memory } };
      settings.write('dialects', next);
      known = next;
    },
  };
}

/** The API formats found at a profile's present address. */
export function detectedFormats({ protocols, origin }: DialectMemory, { baseUrl }: Pick<Profile, 'baseUrl'>) {
  return origin === undefined || origin === originOf(baseUrl) ? protocols : undefined;
}
