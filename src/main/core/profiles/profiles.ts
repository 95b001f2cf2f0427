import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Settings } from '../../../shared/contract/settings.ts';
import type { FoundSetting } from '../../../shared/gateway/connection.ts';
import {
  type KeyPlace,
  type Profile,
  type ProfileView,
  SANDBOX_PROFILE_ID,
  type UnreadableProfile,
} from '../../../shared/gateway/profile.ts';
import type { Nano } from '../../../shared/money/money.ts';
import type { Price } from '../../../shared/money/price.ts';
import { en } from '../../../shared/text/texts.ts';
import type { OpenedClient, OpenGateway } from '../gateway/index.ts';
import type { Ids, KeyStore, SettingsStore } from '../ports.ts';
import { Clients, movesFrom } from './clients.ts';
import {
  isInProfile,
  keychainHas,
  keyInProfile,
  noSuchProfile,
  type ProfilePatch,
  patchedProfile,
  refusedHeaders,
  stillAt,
  stillNeeded,
} from './patch.ts';
import {
  changeSecrets,
  isSecretOf,
  LeftoverSecrets,
  placeOf,
  type SecretChanges,
  SecretReader,
  secretChanges,
  secretsToSend,
} from './profileSecrets.ts';
import { ownSandbox, withoutOpenPrices } from './sandbox.ts';
import { StatedModels } from './statedModels.ts';
import {
  type Rejected,
  readProfiles,
  readSettings,
  type StoredProfiles,
  secretsNamedOf,
  storedForm,
  unusedSecrets,
  withEntryOf,
} from './stored.ts';

/** The user's gateways and settings. Secrets are only in the key store; clients are made once per profile and dropped when it changes. */

export interface ProfilesDeps {
  keys: KeyStore;
  settings: SettingsStore;
  ids: Ids;
  openGateway: OpenGateway;
  /** The built-in sandbox, with its address in this run. */
  sandbox?: Profile;
  hide(secret: string): void;
  /** Discards findings about a gateway's dialect. */
  forgetFound?(profileId: string): void;
  /** The API formats that were found. */
  spoken?(profile: Profile): Profile['spoken'];
  jobs: JobCounts;
  /** The settings file could not be written; {@link Profiles.retryWrite} must be called later. */
  onUnwritten?(): void;
  /** The file is complete again. */
  onWritten?(): void;
}

interface JobCounts {
  /** Its queued, running and unconfirmed jobs. */
  openJobs(profileId: string): number;
  /** Its jobs that the gateway has accepted: only that gateway can be polled for them and has their results. */
  jobsAtService(profileId: string): number;
}

export interface ProfileList {
  profiles: ProfileView[];
  activeId: string;
  keyStore: 'keychain' | 'memory';
  /** Entries of the settings file that are no valid profiles. */
  unreadable: UnreadableProfile[];
  /** How a damaged settings file was repaired at this start. */
  repairNotice?: string;
}

export class Profiles {
  private readonly deps: ProfilesDeps;
  private readonly clients: Clients;
  /** The latest reading of each gateway's list of models. */
  readonly statedModels: StatedModels;
  private readonly secrets: SecretReader;
  private entries: StoredProfiles;
  private settings: Settings;
  private rejectedSettings: Record<string, unknown>;
  private isUnwritten = false;
  private readonly leftSecrets: LeftoverSecrets;

  constructor(deps: ProfilesDeps) {
    this.deps = deps;
    this.leftSecrets = new LeftoverSecrets(deps);
    this.secrets = new SecretReader({ ...deps, isChanging: (name) => this.entries.changing.includes(name) });
    this.clients = new Clients({
      openGateway: deps.openGateway,
      profile: (id) => this.get(id),
      secrets: async (profile) => secretsToSend(await this.secrets.of(profile), !this.isBuiltin(profile.id)),
    });
    this.statedModels = new StatedModels(deps.settings);
    const read = readProfiles(deps.settings.read('profiles'));
    const profiles = read.profiles.map((saved) => (this.isBuiltin(saved.id) ? withoutOpenPrices(saved) : saved));
    this.entries = { ...read, profiles };
    const { settings, rejected } = readSettings(deps.settings.read('settings'));
    this.settings = settings;
    this.rejectedSettings = rejected;
  }

  /** The sandbox first, with the user's prices and limits and its address in this run. */
  all(): Profile[] {
    const { sandbox } = this.deps;
    const kept = this.saved.find(({ id }) => id === sandbox?.id);
    const current = sandbox && kept ? ownSandbox(sandbox, kept) : sandbox;
    const others = this.saved.filter(({ id }) => id !== sandbox?.id);
    return [...(current ? [current] : []), ...others].map((profile) => this.withStated(profile));
  }

  private withStated(profile: Profile): Profile {
    const models = this.statedModels.of(profile)?.models;
    const spoken = this.deps.spoken?.(profile);
    return models || spoken ? { ...profile, ...(models && { stated: models }), ...(spoken && { spoken }) } : profile;
  }

  /** Replaces a profile's models, with the facts that the user set. */
  writeModels(id: string, models: Profile['models']): void {
    const profile = this.get(id);
    if (!profile) return;
    this.write({
      ...this.entries,
      profiles: [...this.saved.filter((other) => other.id !== id), { ...profile, models }],
    });
  }

  get(id: string): Profile | undefined {
    return this.all().find((profile) => profile.id === id);
  }

  active(): Profile {
    const profile = this.get(this.settings.activeProfileId) ?? this.all()[0];
    if (!profile) throw new Error('there is no profile at all');
    return profile;
  }

  async list(): Promise<ProfileList> {
    const profiles = await Promise.all(this.all().map((profile) => this.view(profile)));
    const unreadable = this.rejected.map(({ told }) => told);
    const { repairNotice } = this.deps.settings;
    return {
      profiles,
      activeId: this.active().id,
      keyStore: await this.deps.keys.place(),
      unreadable,
      ...(repairNotice === undefined ? {} : { repairNotice }),
    };
  }

  /** Afterwards log and secret guard know all secrets that the keychain gives. */
  secretsKnown(): Promise<unknown> {
    return this.secrets.known(this.all());
  }

  private async view(profile: Profile): Promise<ProfileView> {
    const { key, bot, headers } = await this.secrets.of(profile);
    const missingHeaders = Object.keys(headers).filter((name) => headers[name] === null);
    const hasBotToken = bot !== null && bot !== 'unreadable';
    return { ...profile, key: placeOf(key), hasBotToken, missingHeaders, builtin: this.isBuiltin(profile.id) };
  }

  private isBuiltin(id: string): boolean {
    return this.deps.sandbox?.id === id;
  }

  /**
   * Creates or changes a profile; omitted fields stay. Prices change through the price book; a new profile starts with the given ones.
   * Entering the invalid field again repairs an unreadable entry.
   */
  async save(input: ProfilePatch): Promise<Result<ProfileView>> {
    const id = input.id ?? this.deps.ids.id('profile');
    return this.clients.change(id, () => this.saveAs(id, input));
  }

  private async saveAs(id: string, input: ProfilePatch): Promise<Result<ProfileView>> {
    const known = this.get(id);
    const damaged = this.rejected.find(({ told }) => told.id === id)?.raw as object | undefined;
    const patched = patchedProfile(known ?? damaged ?? {}, input);
    if (!patched.ok) return patched;
    const name = patched.data.name ?? new URL(patched.data.baseUrl).host;
    const profile: Profile = { ...patched.data, id, name, prices: known?.prices ?? patched.data.prices };
    const given = Object.entries(input.extraHeaders ?? {});
    const refusal = refusedHeaders(profile, given, known, this.saved);
    if (refusal) return refusal;
    const moves = this.isBuiltin(id) ? undefined : movesFrom(known ?? damaged, profile);
    const left = moves && this.leavesBehind(id, moves.from);
    if (left) return left;
    for (const secret of [input.botToken, ...given.map(([, value]) => value)]) if (secret) this.deps.hide(secret);
    const others = this.rejected.filter(({ told }) => told.id !== id);
    const saved = [...this.saved.filter((other) => other.id !== id), profile];
    const changes = secretChanges(secretsNamedOf(id, this.entries), profile, input, moves !== undefined);
    const changed = await this.writeWithSecrets(id, saved, others, changes, moves !== undefined);
    return changed.ok ? ok(await this.view(this.get(id) ?? profile)) : changed;
  }

  /** Another origin does not know the accepted requests: polling it would be useless, and paid results would be lost. */
  private leavesBehind(id: string, origin: string | undefined): Result<never> | undefined {
    const jobsAtService = origin === undefined ? 0 : this.deps.jobs.jobsAtService(id);
    if (origin === undefined || jobsAtService === 0) return undefined;
    return fail('wrong_state', stillAt(origin, jobsAtService), { field: 'baseUrl' });
  }

  /**
   * Saves profiles and secrets together. The file comes first: if it cannot be written, no secret is lost. If the key store refuses, this
   * profile is restored. The file names the secrets being changed, so that after a crash in between no secret goes to another address; one
   * dropped by a move stays named until it is entered again. Other profiles and prices may change while the key store is busy.
   */
  private async writeWithSecrets(
    id: string,
    profiles: Profile[],
    rejected: Rejected[],
    changes: SecretChanges,
    moves = false,
  ): Promise<Result<null>> {
    const before = this.entries;
    const changing = before.changing.filter((name) => !changes.has(name));
    const marked = [...changes.keys()].filter((name) => profiles.some(({ id }) => isSecretOf(id, name)));
    this.write({ profiles, rejected, changing: [...changing, ...marked] });
    let dropped: string[];
    try {
      dropped = await changeSecrets(this.deps.keys, changes);
    } catch {
      this.write(withEntryOf(id, this.entries, before, changes));
      return keychainHas;
    }
    const isGone = (name: string) =>
      changes.get(name) === null && (dropped.includes(name) || before.changing.includes(name));
    this.unmark(moves ? marked.filter((name) => !isGone(name)) : marked);
    return ok(null);
  }

  private unmark(names: readonly string[]): void {
    const { changing } = this.entries;
    if (names.length > 0) this.write({ ...this.entries, changing: changing.filter((name) => !names.includes(name)) });
  }

  /**
   * Replaces a profile's price book, the sandbox's too. Called by the price book, which has it in the database: it applies even if the file
   * cannot be written.
   */
  writePrices(id: string, prices: Price[]): void {
    const profile = this.get(id);
    if (!profile) return;
    this.writeAnyway({
      ...this.entries,
      profiles: [...this.saved.filter((other) => other.id !== id), { ...profile, prices }],
    });
  }

  /** A gateway made a second job for a repeated key: whatever it documents, requests are no longer repeated. */
  markKeyIgnored(id: string, now: number): void {
    const profile = this.get(id);
    if (profile?.idempotency.kind !== 'documented') return;
    const changed: Profile = { ...profile, idempotency: { kind: 'none', falseSince: now } };
    this.writeAnyway({ ...this.entries, profiles: [...this.saved.filter((other) => other.id !== id), changed] });
  }

  activate(id: string): Result<{ activeId: string }> {
    if (!this.get(id)) return noSuchProfile;
    this.patchSettings({ activeProfileId: id });
    return ok({ activeId: id });
  }

  async remove(id: string): Promise<Result<null>> {
    if (this.isBuiltin(id)) return fail('wrong_state', en`The sandbox cannot be removed.`);
    return this.clients.change(id, async () => {
      const profile = this.get(id);
      const others = this.rejected.filter(({ told }) => told.id !== id);
      if (!profile && others.length === this.rejected.length) return noSuchProfile;
      const open = this.deps.jobs.openJobs(id);
      if (open > 0) return fail('wrong_state', stillNeeded(open));
      const left = this.saved.filter((other) => other.id !== id);
      const secrets = secretsNamedOf(id, this.entries);
      this.leftSecrets.note(secrets);
      const removed = await this.writeWithSecrets(id, left, others, new Map(secrets.map((name) => [name, null])));
      this.leftSecrets.gone(secrets);
      if (!removed.ok) return removed;
      this.statedModels.forget(id);
      if (this.settings.activeProfileId === id) this.patchSettings({ activeProfileId: SANDBOX_PROFILE_ID });
      return ok(null);
    });
  }

  /** At the start: deletes secrets of removed profiles and headers that a crash left. */
  async forgetLeftovers(): Promise<void> {
    const ids = [...this.saved.map(({ id }) => id), ...this.rejected.map(({ told }) => told.id ?? '')];
    await this.leftSecrets.forget((name) => ids.some((id) => isSecretOf(id, name)));
    for (const { id } of this.saved)
      await this.clients.change(id, async () => {
        const unused = unusedSecrets(this.get(id), this.entries);
        for (const name of unused) await this.deps.keys.forget(name);
        this.unmark(unused);
      });
  }

  async setKey(id: string, apiKey: string): Promise<Result<{ stored: KeyPlace }>> {
    return this.clients.change(id, async () => {
      if (!this.get(id)) return noSuchProfile;
      if (isInProfile(this.saved, apiKey)) return keyInProfile;
      this.deps.hide(apiKey);
      const stored = await this.deps.keys.set(id, apiKey);
      if (this.entries.changing.includes(id)) this.unmark([id]);
      return ok({ stored });
    });
  }

  async forgetKey(id: string): Promise<Result<null>> {
    return this.clients.change(id, async () => {
      try {
        await this.deps.keys.forget(id);
        return ok(null);
      } catch {
        return keychainHas;
      }
    });
  }

  /** Discards findings about the gateway's dialect. */
  undoFound(id: string): Promise<Result<{ found: FoundSetting[] }>> {
    return this.clients.change(id, async () => {
      if (!this.get(id)) return noSuchProfile;
      this.deps.forgetFound?.(id);
      return ok({ found: [] });
    });
  }

  /** `allowNoKey`: also without a key, for calls that need none and for the connection test. */
  openClient(id: string, options: { allowNoKey?: boolean } = {}): Promise<OpenedClient> {
    return this.clients.open(id, options);
  }

  /** The balance in nano-dollars; undefined without a key, or without a free query. Never rejects. */
  async balance(id: string): Promise<Nano | undefined> {
    if (this.isBuiltin(id)) return undefined;
    const opened = await this.openClient(id);
    return opened.status === 'ready' ? opened.client.balance() : undefined;
  }

  /** The file is written first: after an error, such as a full disk, memory still matches the file. */
  private write(entries: StoredProfiles): void {
    this.deps.settings.write('profiles', storedForm(entries));
    this.entries = entries;
    if (!this.isUnwritten) return;
    this.isUnwritten = false;
    this.deps.onWritten?.();
  }

  /** Applies in memory even if the file cannot be written. Throws in that case. */
  private writeAnyway(entries: StoredProfiles): void {
    this.entries = entries;
    try {
      this.write(entries);
    } catch (error) {
      this.isUnwritten = true;
      this.deps.onUnwritten?.();
      throw error;
    }
  }

  /** Writes changes that {@link writeAnyway} could not write. */
  retryWrite(): void {
    if (this.isUnwritten) this.writeAnyway(this.entries);
  }

  private get saved(): Profile[] {
    return this.entries.profiles;
  }

  private get rejected(): Rejected[] {
    return this.entries.rejected;
  }

  getSettings(): Settings {
    return this.settings;
  }

  patchSettings(patch: Partial<Settings>): Settings {
    const settings = { ...this.settings, ...patch };
    const left = Object.entries(this.rejectedSettings).filter(([name]) => !Object.hasOwn(patch, name));
    this.deps.settings.write('settings', { ...settings, ...Object.fromEntries(left) });
    this.rejectedSettings = Object.fromEntries(left);
    this.settings = settings;
    return settings;
  }

  close(): Promise<void> {
    return this.clients.close();
  }
}
