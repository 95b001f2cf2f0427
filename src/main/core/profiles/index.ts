import { z } from 'zod';
import type { Nano } from '../../../shared/money.ts';
import { type Price, SANDBOX_PRICES } from '../../../shared/price.ts';
import {
  type KeyPlace,
  type Profile,
  type ProfileInput,
  type ProfileView,
  type profileInputSchema,
  profileSchema,
  SANDBOX_PROFILE_ID,
} from '../../../shared/profile.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { type Settings, settingsSchema } from '../../../shared/settings.ts';
import type { DialectMemory, Gateway, OpenGateway } from '../gateway/index.ts';
import type { Ids, KeyStore, SettingsStore } from '../ports.ts';

/** The user's gateways and settings. Secrets are in the key store only; clients are made once per profile and dropped when it changes. */

export interface ProfilesDeps {
  keys: KeyStore;
  settings: SettingsStore;
  ids: Ids;
  openGateway: OpenGateway;
  /** The built-in sandbox, with the address of this run. */
  sandbox?: Profile;
  hide(secret: string): void;
  /** How many of its jobs wait, are being made or are in doubt. */
  openJobs(profileId: string): number;
}

const storedProfiles = z.array(profileSchema.required({ id: true, name: true }));

/** A field of a kind that is not known is forgotten by itself: what was learnt can be learnt again. */
const learnt = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);
const storedMemory = z.object({
  origin: learnt(z.string()),
  imageAuthHeader: learnt(z.string()),
  fetchMethod: learnt(z.enum(['POST', 'GET'])),
  videoPollPath: learnt(z.string()),
  maskField: learnt(z.enum(['mask', 'maskBase64'])),
  pricesPath: learnt(z.string()),
  balancePath: learnt(z.string()),
  noStreamOptions: learnt(z.boolean()),
});
const storedDialects = z.record(z.string(), storedMemory.catch({}));

export class Profiles {
  private readonly deps: ProfilesDeps;
  private readonly open = new Map<string, Promise<Gateway>>();
  private reading: Promise<unknown> | undefined;
  private saved: Profile[];
  private settings: Settings;

  constructor(deps: ProfilesDeps) {
    this.deps = deps;
    const found = storedProfiles.safeParse(deps.settings.read('profiles') ?? []);
    this.saved = found.success ? found.data : [];
    const settings = settingsSchema.safeParse(deps.settings.read('settings') ?? {});
    this.settings = settings.success ? settings.data : settingsSchema.parse({});
  }

  /** The sandbox first, with the prices and limits the user gave it and the address it has now. */
  all(): Profile[] {
    const { sandbox } = this.deps;
    if (!sandbox) return this.saved;
    const kept = this.saved.find(({ id }) => id === sandbox.id);
    const current = kept ? { ...sandbox, prices: withPlayPrices(kept.prices), limits: kept.limits } : sandbox;
    return [current, ...this.saved.filter(({ id }) => id !== sandbox.id)];
  }

  get(id: string): Profile | undefined {
    return this.all().find((profile) => profile.id === id);
  }

  active(): Profile {
    const profile = this.get(this.settings.activeProfileId) ?? this.all()[0];
    if (!profile) throw new Error('there is no profile at all');
    return profile;
  }

  async list(): Promise<{ profiles: ProfileView[]; activeId: string; keyStore: 'keychain' | 'memory' }> {
    const profiles = await Promise.all(this.all().map((profile) => this.view(profile)));
    return { profiles, activeId: this.active().id, keyStore: await this.deps.keys.place() };
  }

  /** Reads every key once, so that all of them are known to those who keep them out of files. */
  secretsKnown(): Promise<unknown> {
    this.reading ??= Promise.allSettled(this.all().flatMap(({ id }) => [this.secret(id), this.secret(botName(id))]));
    return this.reading;
  }

  /** The one way in which a secret comes out of the key store. */
  private async secret(name: string): Promise<{ value: string; place: KeyPlace } | null> {
    const found = await this.deps.keys.get(name);
    if (found) this.deps.hide(found.value);
    return found;
  }

  private async view(profile: Profile): Promise<ProfileView> {
    const [key, bot] = await Promise.all([this.secret(profile.id), this.secret(botName(profile.id))]);
    return { ...profile, key: key?.place ?? null, hasBotToken: bot !== null, builtin: this.isBuiltin(profile.id) };
  }

  private isBuiltin(id: string): boolean {
    return this.deps.sandbox?.id === id;
  }

  /** Everything but the prices, which change through the price book; a new profile begins with those it is given. */
  async save(input: z.output<typeof profileInputSchema>): Promise<Result<ProfileView>> {
    const { botToken, ...rest } = input;
    const id = rest.id ?? this.deps.ids.id('profile');
    const known = this.get(id);
    const name = rest.name ?? known?.name ?? new URL(rest.baseUrl).host;
    const profile: Profile = { ...rest, id, name, prices: known?.prices ?? rest.prices ?? [] };
    if (botToken !== undefined) {
      this.deps.hide(botToken);
      await this.deps.keys.set(botName(id), botToken);
    }
    this.write([...this.saved.filter((other) => other.id !== id), profile]);
    await this.drop(id);
    return ok(await this.view(this.get(id) ?? profile));
  }

  /** Replaces a profile's price book; the sandbox keeps one of its own too. Called by the price book, which knows what follows from it. */
  writePrices(id: string, prices: Price[]): void {
    const profile = this.get(id);
    if (profile) this.write([...this.saved.filter((other) => other.id !== id), { ...profile, prices }]);
  }

  activate(id: string): Result<{ activeId: string }> {
    if (!this.get(id)) return noSuchProfile;
    this.patchSettings({ activeProfileId: id });
    return ok({ activeId: id });
  }

  async remove(id: string): Promise<Result<null>> {
    if (this.isBuiltin(id)) return fail('wrong_state', 'The sandbox cannot be removed.');
    if (!this.get(id)) return noSuchProfile;
    const open = this.deps.openJobs(id);
    if (open > 0) return fail('wrong_state', stillNeeded(open));
    const forgotten = await this.forgetSecrets(id, botName(id));
    if (!forgotten.ok) return forgotten;
    this.write(this.saved.filter((profile) => profile.id !== id));
    if (this.settings.activeProfileId === id) this.patchSettings({ activeProfileId: SANDBOX_PROFILE_ID });
    return ok(null);
  }

  async setKey(id: string, apiKey: string): Promise<Result<{ stored: KeyPlace }>> {
    if (!this.get(id)) return noSuchProfile;
    if (this.saved.some((profile) => JSON.stringify(profile).includes(apiKey))) return keyInProfile;
    this.deps.hide(apiKey);
    const stored = await this.deps.keys.set(id, apiKey);
    await this.drop(id);
    return ok({ stored });
  }

  forgetKey(id: string): Promise<Result<null>> {
    return this.forgetSecrets(id);
  }

  private async forgetSecrets(id: string, ...more: string[]): Promise<Result<null>> {
    try {
      for (const name of [id, ...more]) await this.deps.keys.forget(name);
    } catch {
      return fail(
        'wrong_state',
        'The keychain does not let go of the key: unlock it and try again. It is still stored.',
      );
    }
    await this.drop(id);
    return ok(null);
  }

  /** `null`: there is no such profile; `'no key'`: it cannot be asked yet. */
  async gatewayFor(id: string): Promise<Gateway | 'no key' | null> {
    const profile = this.get(id);
    if (!profile) return null;
    const known = this.open.get(id);
    if (known) return known;
    const key = await this.secret(id);
    if (!key && !this.isBuiltin(id)) return 'no key';
    return this.openOnce(profile, key?.value);
  }

  /** Also without a key, to find out what else is wrong. */
  async gatewayForTest(id: string): Promise<Gateway | null> {
    const gateway = await this.gatewayFor(id);
    const profile = this.get(id);
    if (gateway !== 'no key') return gateway;
    return profile ? this.deps.openGateway(profile, {}) : null;
  }

  /** What is left on the account in nano-dollars; undefined where it has no key, or its service does not tell that for nothing. Never rejects. */
  async balance(id: string): Promise<Nano | undefined> {
    if (this.isBuiltin(id)) return undefined;
    const gateway = await this.gatewayFor(id);
    return gateway === null || gateway === 'no key' ? undefined : gateway.balance();
  }

  private async openOnce(profile: Profile, apiKey: string | undefined): Promise<Gateway> {
    const bot = await this.secret(botName(profile.id));
    const known = this.open.get(profile.id);
    if (known) return known;
    const gateway = Promise.resolve(
      this.deps.openGateway(profile, { ...(apiKey ? { apiKey } : {}), ...(bot ? { botToken: bot.value } : {}) }),
    );
    this.open.set(profile.id, gateway);
    return gateway;
  }

  /** The next call opens a client with what the profile says now. Requests under way end on the old one. */
  private async drop(id: string): Promise<void> {
    this.open.delete(id);
  }

  private write(profiles: Profile[]): void {
    this.saved = profiles;
    this.deps.settings.write('profiles', profiles);
  }

  getSettings(): Settings {
    return this.settings;
  }

  patchSettings(patch: Partial<Settings>): Settings {
    this.settings = { ...this.settings, ...patch };
    this.deps.settings.write('settings', this.settings);
    return this.settings;
  }

  async close(): Promise<void> {
    for (const gateway of this.open.values()) await (await gateway).close();
    this.open.clear();
  }
}

const stillNeeded = (open: number): string =>
  open === 1
    ? 'One job of this profile is still open or in doubt. Let it end, cancel it or resolve it first: without the profile it could not be finished.'
    : `${open} jobs of this profile are still open or in doubt. Let them end, cancel or resolve them first: without the profile they could not be finished.`;

const keyInProfile = fail(
  'invalid_input',
  'apiKey: this text stands in another field of a profile, which is kept in a file. Take it out there first, or use another key.',
  { field: 'apiKey' },
);

const noSuchProfile = fail('not_found', 'There is no such profile.');
const botName = (id: string): string => `${id}:bot`;

/** What has been learnt of services, kept between runs; nothing in it is secret. */
export function dialectMemory(settings: SettingsStore): {
  remember(profileId: string, memory: DialectMemory): void;
  recall(profileId: string): DialectMemory;
} {
  const read = () => storedDialects.safeParse(settings.read('dialects') ?? {}).data ?? {};
  return {
    recall: (profileId) => read()[profileId] ?? {},
    remember: (profileId, memory) => settings.write('dialects', { ...read(), [profileId]: { ...memory } }),
  };
}

/** What the sandbox bills in play money, but for the entries that the user has set. */
const withPlayPrices = (own: readonly Price[]): Price[] => [
  ...own,
  ...SANDBOX_PRICES.filter((price) => !own.some((entry) => entry.kind === price.kind && entry.model === price.model)),
];

/** A profile of its own for the built-in sandbox. */
export function sandboxProfile(at: {
  baseUrl: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
}): Profile {
  const input: ProfileInput = { id: SANDBOX_PROFILE_ID, name: 'Sandbox', prices: withPlayPrices([]), ...at };
  return { ...profileSchema.parse(input), id: SANDBOX_PROFILE_ID, name: 'Sandbox' };
}
