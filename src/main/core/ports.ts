import type { Readable } from 'node:stream';
import type { KeyPlace, Profile } from '../../shared/gateway/profile.ts';
import type { PowerSource } from '../../shared/jobs/night.ts';

/** What a host provides to the studio: small interfaces, one per need. */

/** Time comes from here, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
}

export interface Ids {
  /** A new unique id with a readable prefix, such as `job_…`; sorts by creation time. */
  id(prefix: string): string;
  /** 128 random bits as hex. */
  secret(): string;
}

/** Stores secrets outside every file. `name` is a profile id, `<profile id>:bot` for its bot token, or `<profile id>:header:<name>`. */
export interface KeyStore {
  /** Where a key saved now would be stored. */
  place(): Promise<Exclude<KeyPlace, 'environment'>>;
  /** Null if there is none. Rejects while it cannot be known: the keychain is locked, or does not answer. */
  get(name: string): Promise<{ value: string; place: KeyPlace } | null>;
  /** Returns where it was stored: in the system's keychain or, without one, in memory only. */
  set(name: string, value: string): Promise<Exclude<KeyPlace, 'environment'>>;
  /** Rejects if the keychain fails to delete it: then it is still there. */
  forget(name: string): Promise<void>;
}

/** Settings and profiles, in the host's one settings file (electron-store, or conf in the browser host). */
type SettingsKey = 'settings' | 'profiles' | 'dialects' | 'models' | 'secretsToForget';

export interface SettingsStore {
  read(key: SettingsKey): unknown;
  /** Throws if it cannot be written, such as on a full disk: then nothing has changed. */
  write(key: SettingsKey, value: unknown): void;
  /** What had to be done to open the file, as one sentence for the user. */
  repairNotice?: string;
}

export interface Notifier {
  /** `jobId` or `place`: what is shown when it is clicked. */
  notify(message: { title: string; body: string; jobId?: string; place?: 'night' }): void;
}

export interface Opener {
  /** Opens an http(s) address in the user's browser. */
  openExternal(url: string): Promise<void>;
  /** Shows a file of this machine in its folder. Rejects where there is no display. */
  reveal?(file: string): Promise<void>;
  /** Asks the user for a folder; null if none was chosen. Absent where the host has no such dialog. */
  chooseFolder?(): Promise<string | null>;
}

/** Opening at login, where the system can do that with this copy. */
export interface LoginItem {
  isOn(): boolean;
  /** Throws where the system does not let it be written. */
  set(open: boolean): void;
}

/** Updates of the program, where the host has a server for them. */
export interface Updater {
  /** Asks the server: a newer version, or null. Rejects if it cannot be asked. */
  check(): Promise<string | null>;
  /** Downloads what was found last, and compares it with its checksum. */
  download(): Promise<void>;
  /** Shuts down in order, installs and starts the new version. */
  quitAndInstall(): void;
  /** When the server was asked last, also in an earlier run. */
  checkedAt(): number | undefined;
  noteCheck(now: number): void;
  /** The newer version that an earlier run of this version found. */
  found(): string | undefined;
  /** Null: there is none any more. */
  noteFound(version: string | null): void;
  /** The system has what was downloaded, and replaces the program at any end of it, whatever is under way or switched off by then. */
  readonly installsAtAnyEnd?: boolean;
}

/** Controls the machine's sleep, if the host can. */
export interface Power {
  /** Keeps the machine from sleeping, or allows it again. Called when this changes. */
  hold(awake: boolean): void;
  /** What the machine runs on now. */
  source?(): PowerSource;
  /** Calls back whenever that changes. */
  onSourceChange?(listener: () => void): void;
}

/**
 * The proxy for an address, such as `http://proxy.example:3128` (`http`, `https`, `socks5`); undefined for a direct connection. A proxy that
 * is named and cannot be used is one sentence on it, and nothing is sent.
 */
export type ProxyWay = string | undefined | { unusable: string };

/** How this machine reaches other hosts. What it answers may change while the program runs. */
export interface Network {
  /** Not asked for this machine. */
  proxyFor(url: URL): Promise<ProxyWay>;
  /** Certificates (PEM) of authorities to be trusted besides Node's own. */
  authorities(): readonly string[];
  /** Calls back when the authorities have changed; the returned function ends that. */
  onChange(listener: () => void): () => void;
}

export interface Logger {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
  /** Removes this value from every later line, in whatever field. */
  hide(secret: string): void;
  /** The last lines that were written, oldest first; absent where no log is kept. */
  tail?(lines: number): string[];
}

export interface Ports {
  clock: Clock;
  ids: Ids;
  /** Free bytes on the disk of a folder; without it the file system is asked. */
  freeBytes?(folder: string): number;
  /** 0 ≤ x < 1, for jitter and for seeds. */
  random(): number;
  keys: KeyStore;
  settings: SettingsStore;
  notifier: Notifier;
  opener: Opener;
  power?: Power;
  /** Without it every connection is direct, and Node's own authorities are trusted. */
  network?: Network;
  updater?: Updater;
  loginItem?: LoginItem;
  /** Gives memory that is not in use back to the system; called when nobody waits. */
  releaseMemory?(): void;
  log: Logger;
}

export interface StudioOptions {
  /** The folder that holds the database, the library and the backups. */
  dataDir: string;
  host: 'electron' | 'browser';
  version: string;
  /** Where the sample film is; without it there is none. */
  sampleDir?: string;
  /** The built-in sandbox as a profile, with the address it has in this run. */
  sandbox?: Profile;
  /** While data of an earlier version is brought up to this one: how many steps are done, of how many. */
  onMigration?: (step: { done: number; of: number }) => void;
  /** What the host knows of itself, as lines for the diagnostics: no secret, no address with a query. */
  hostFacts?: () => Promise<string[]>;
  /** What is typed for the command line of an installed program: the full path of its launcher. */
  launcher?: string;
  /** A backup is made each day by itself; a studio that lives only for a moment needs none. */
  dailyBackups?: boolean;
  /** Closes this studio, calls `whileClosed` (which may replace its files), and opens a new one on the same folder. */
  relaunch?: (whileClosed: () => void) => void;
}

/** What a host serves under `mediaUrl(id)`. */
export interface MediaFile {
  path: string;
  mime: string;
  bytes: number;
  /** Strong entity tag: the content's hash. */
  sha256: string;
  name: string;
  /** Of a picture whose turn browsers pass over, though its file states one: its bytes with the pixels upright. */
  upright?(): Promise<Buffer | undefined>;
}

export interface MediaUpload {
  name: string;
  body: Readable;
  /** The media task that this is the result of. */
  taskId?: string;
  /** Its role as the caller names it; `source` by default. Anything but {@link UPLOAD_ROLES} is refused. */
  role?: string;
  /** The asset that a picture was made from, such as the edit that it puts right. */
  parentId?: string;
  /** Of its bytes, as the caller read them: what is here as a file of the user's is not doubled. */
  sha256?: string;
}
