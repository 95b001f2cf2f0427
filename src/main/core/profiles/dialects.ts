import { z } from 'zod';
import { FOUND_BY } from '../../../shared/gateway/connection.ts';
import { DIALECT } from '../../../shared/gateway/dialect.ts';
import { originOf, type Profile } from '../../../shared/gateway/profile.ts';
import { protocolsSchema } from '../../../shared/wire/families/index.ts';
import type { DialectMemory } from '../gateway/index.ts';
import type { SettingsStore } from '../ports.ts';

/** A field with an invalid value is dropped on its own: it can be learned again. */
const learnt = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const storedMemory = z.object({
  origin: learnt(z.string()),
  imageAuthHeader: learnt(z.string()),
  fetchMethod: learnt(z.enum(['POST', 'GET'])),
  videoPollPath: learnt(z.string()),
  videoDialect: learnt(
    z.object({
      vendor: z.string().regex(/^[A-Za-z][\w-]{0,63}$/),
      fieldCase: DIALECT.fieldCase.schema,
      seedPlacement: DIALECT.seedPlacement.schema,
      samplePlacement: DIALECT.samplePlacement.schema.optional(),
      pictures: DIALECT.pictures.schema.optional(),
      insteadOf: z.string(),
    }),
  ),
  takenSpelling: learnt(z.string()),
  maskField: learnt(z.enum(['mask', 'maskBase64'])),
  protocols: learnt(protocolsSchema),
  pricesPath: learnt(z.string()),
  balancePath: learnt(z.string()),
  noStreamOptions: learnt(z.boolean()),
  foundBy: learnt(z.record(z.string(), z.object({ by: z.enum(FOUND_BY), at: z.number() }))),
});
const storedDialects = z.record(z.string(), storedMemory.catch({}));

/** What is known about services, remembered between runs; nothing in it is secret. */
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

/** The API formats that were found at a profile's present address. */
export function spokenBy({ protocols, origin }: DialectMemory, { baseUrl }: Pick<Profile, 'baseUrl'>) {
  return origin === undefined || origin === originOf(baseUrl) ? protocols : undefined;
}
