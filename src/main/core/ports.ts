import type { Readable } from 'node:stream';
import type { KeyPlace, Profile } from '../../shared/gateway/profile.ts';
import type { PowerSource } from '../../shared/jobs/night.ts';

/** The ports of a host: small interfaces, one per need. */

/** All time comes from here, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

export interface Ids {
  /** A unique id with a readable prefix, such as `job_…`; sorts by creation time. */
  id(prefix: string): string;
  /** 128 random bits as hex. */
  secret(): string;
}

/** Stores secrets outside of files. `name`: a profile id, `<profile id>:bot` for its bot token, or `<profile id>:header:<name>`. */
export interface KeyStore {
  place(): Promise<Exclude<KeyPlace, 'environment'>>;
  /** Null if there is none. Rejects while it cannot be known: the keychain is locked, or does not answer. */
  get(name: string): Promise<{ value: string; place: KeyPlace } | null>;
  /** Returns where it was stored: in the system's keychain or, without one, in memory. */
  set(name: string, value: string): Promise<Exclude<KeyPlace, 'environment'>>;
  /** Rejects if the keychain fails to delete it: then it still exists. */
  forget(name: string): Promise<void>;
}

/** Settings and profiles, in the host's one settings file (electron-store, or conf in the browser host). */
type SettingsKey = 'settings' | 'profiles' | 'dialects' | 'models' | 'secretsToForget';

export interface SettingsStore {
  read(key: SettingsKey): unknown;
  /** Throws if it cannot be written, such as on a full disk: then nothing has changed. */
  write(key: SettingsKey, value: unknown): void;
  /** How the file was repaired, as one sentence for the user. */
  repairNotice?: string;
}

export interface Notifier {
  /** `jobId` or `place`: what a click shows. */
  notify(message: { title: string; body: string; jobId?: string; place?: 'night' }): void;
}

export interface Opener {
  /** Opens an http(s) address in the user's browser. */
  openExternal(url: string): Promise<void>;
  /** Shows a file in its folder. Rejects without a display. */
  reveal?(file: string): Promise<void>;
  /** Asks the user for a folder; null if none was chosen. Absent in a host without such a dialog. */
  chooseFolder?(): Promise<string | null>;
}

/** Opening at login, if the system supports it for this copy. */
export interface LoginItem {
  isOn(): boolean;
  /** Throws if the system refuses. */
  set(open: boolean): void;
}

/** Updates, if the host has an update server. */
export interface Updater {
  /** Asks the server: a newer version, or null. Rejects if it cannot be reached. */
  check(): Promise<string | null>;
  /** Downloads the version found last and verifies its checksum. */
  download(): Promise<void>;
  /** Shuts down in order, installs and starts the new version. */
  quitAndInstall(): void;
  /** The last check, also of an earlier run. */
  checkedAt(): number | undefined;
  noteCheck(now: number): void;
  /** The newer version that an earlier run of this version found. */
  found(): string | undefined;
  /** Null: there is none any more. */
  noteFound(version: string | null): void;
  /** The system replaces the program whenever it ends, whatever is running or switched off then. */
  readonly installsAtAnyEnd?: boolean;
}

/** Controls the machine's sleep, if the host can. */
export interface Power {
  /** Keeps the machine from sleeping, or allows it again. Called on changes. */
  hold(awake: boolean): void;
  source?(): PowerSource;
  onSourceChange?(listener: () => void): void;
}

/**
 * The proxy for an address, such as `http://proxy.example:3128` (`http`, `https`, `socks5`); undefined for a direct connection. For an
 * unusable proxy, one sentence about it; nothing is sent then.
 */
export type ProxySetting = string | undefined | { unusable: string };

/** How this machine reaches other hosts; may change while the program runs. */
export interface Network {
  /** Not called for this machine. */
  proxyFor(url: URL): Promise<ProxySetting>;
  /** PEM certificates of authorities to trust besides Node's own. */
  authorities(): readonly string[];
  /** Calls back when the authorities have changed; the returned function unsubscribes. */
  onChange(listener: () => void): () => void;
}

export interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
  /** Removes this value from every later line, in any field. */
  hide(secret: string): void;
  /** The last lines, oldest first; absent without a log. */
  tail?(lines: number): string[];
}

export interface Ports {
  clock: Clock;
  ids: Ids;
  /** Free bytes on the disk of a folder; by default from the file system. */
  freeBytes?(folder: string): number;
  /** 0 ≤ x < 1, for jitter and for seeds. */
  random(): number;
  keys: KeyStore;
  settings: SettingsStore;
  notifier: Notifier;
  opener: Opener;
  power?: Power;
  /** Absent: connections are direct, and only Node's authorities are trusted. */
  network?: Network;
  updater?: Updater;
  loginItem?: LoginItem;
  /** Releases unused memory to the system; called while idle. */
  releaseMemory?(): void;
  log: Logger;
}

export interface StudioOptions {
  dataDir: string;
  host: 'electron' | 'browser';
  version: string;
  /** The sample film's folder; absent: there is none. */
  sampleDir?: string;
  /** The built-in sandbox as a profile, with its address in this run. */
  sandbox?: Profile;
  /** Progress of a migration: finished steps, of all. */
  onMigration?: (step: { done: number; of: number }) => void;
  /** The host's lines for the diagnostics: no secret, no address with a query. */
  hostFacts?: () => Promise<string[]>;
  /** The full path of an installed program's launcher, to type in a terminal. */
  launcher?: string;
  /** Whether to make a backup each day; off for short-lived studios. */
  dailyBackups?: boolean;
  /** Closes this studio, calls `whileClosed` (which may replace its files), and opens a new one on the same folder. */
  relaunch?: (whileClosed: () => void) => void;
}

export interface MediaFile {
  path: string;
  mime: string;
  bytes: number;
  /** The strong entity tag: the content's hash. */
  sha256: string;
  name: string;
  /** The bytes with upright pixels, for a picture whose rotation browsers ignore. */
  upright?(): Promise<Buffer | undefined>;
}

export interface MediaUpload {
  name: string;
  body: Readable;
  /** The media task that this file is the result of. */
  taskId?: string;
  /** The role, `source` by default; only {@link UPLOAD_ROLES} are accepted. */
  role?: string;
  /** The asset that a picture was made from, such as an edit that it corrects. */
  parentId?: string;
  /** The hash of the bytes as the caller read them: an existing file of the user's with this hash is reused. */
  sha256?: string;
}
