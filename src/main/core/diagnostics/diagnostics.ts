import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { DIALECT } from '../../../shared/gateway/dialect.ts';
import type { Profile, ProfileView } from '../../../shared/gateway/profile.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { jobTable } from '../jobs/index.ts';
import { assetCounts, type Library, spaceOf } from '../library/index.ts';
import type { Clock, Logger, StudioOptions } from '../ports.ts';
import { HIDDEN } from '../secrets/index.ts';
import { backupDir, databaseFile, newestVersion, type Store, sql } from '../store/index.ts';

interface DiagnosticsDeps {
  store: Store;
  clock: Clock;
  log: Logger;
  options: StudioOptions;
  library: Library;
  profiles: {
    list(): Promise<{ profiles: readonly (Profile & Pick<ProfileView, 'key'>)[]; activeId: string }>;
    /** Resolves when every key has been read and {@link DiagnosticsDeps.scrub} knows it. */
    secretsKnown(): Promise<unknown>;
  };
  /** The result of the last database check. */
  checked(): string | undefined;
  /** The text without known secrets. */
  scrub(text: string): string;
}

const LOG_LINES = 200;
const sqliteVersion = sql('diagnostics.sqlite', 'SELECT sqlite_version() AS version');

/** A report about this studio as text, without secrets. */
export class Diagnostics {
  private readonly deps: DiagnosticsDeps;
  private readonly startedAt: number;

  constructor(deps: DiagnosticsDeps) {
    this.deps = deps;
    this.startedAt = deps.clock.now();
  }

  async read(): Promise<string> {
    const { log, profiles, options } = this.deps;
    await profiles.secretsKnown();
    const { parts, freeBytes, jobs, assets, ms } = await this.counted();
    const sections: [title: string, lines: string[]][] = [
      ['Dailies', this.versions()],
      ['Host', (await options.hostFacts?.().catch(() => ['not known'])) ?? ['says nothing of itself']],
      ['Data', this.data()],
      ['Library', [...this.libraryLines(freeBytes), ...parts]],
      ['Jobs by state', jobs],
      ['Files by state', assets],
      ['Gateways', await this.gateways()],
      ['Timings', [`counting all of it: ${ms} ms`, `memory: ${formatBytes(process.memoryUsage().rss)}`]],
      [`The last ${LOG_LINES} lines of the log`, log.tail?.(LOG_LINES) ?? ['not kept']],
    ];
    const text = sections.map(([title, lines]) => [`## ${title}`, ...lines].join('\n')).join('\n\n');
    return this.clean(`${text}\n`);
  }

  /** Known secrets first, since addresses are shortened afterwards. The home folder's path contains the user's name. */
  private clean(text: string): string {
    const bare = withBareAddresses(this.deps.scrub(text)).replaceAll(TOKEN, HIDDEN);
    const home = os.homedir();
    return home.length > 1 ? bare.replaceAll(home, '~') : bare;
  }

  private versions(): string[] {
    const { options, store, clock } = this.deps;
    const { version } = store.read.one<{ version: string }>(sqliteVersion) ?? {};
    const { node, electron } = process.versions;
    return [
      `version: ${options.version}`,
      `runs in: ${options.host}`,
      `system: ${os.type()} ${os.release()} ${os.arch()}, ${os.availableParallelism()} processors, ${formatBytes(os.totalmem())} memory`,
      `node: ${node}${electron === undefined ? '' : `, electron: ${electron}`}, sqlite: ${version}`,
      `now: ${new Date(clock.now()).toISOString()}, started ${Math.round((clock.now() - this.startedAt) / 1_000)} s ago`,
    ];
  }

  private data(): string[] {
    const { dataDir } = this.deps.options;
    const file = databaseFile(dataDir);
    const backups = namesIn(backupDir(dataDir)).map((name) => bytesOf(path.join(backupDir(dataDir), name)));
    return [
      `folder: ${dataDir}`,
      `database: ${formatBytes(bytesOf(file))}, journal: ${formatBytes(bytesOf(`${file}-wal`))}, schema: ${newestVersion()}`,
      `check of the database: ${this.deps.checked() ?? 'not yet in this run'}`,
      `backups: ${backups.length}, ${formatBytes(backups.reduce((sum, bytes) => sum + bytes, 0))}`,
    ];
  }

  private libraryLines(freeBytes: number): string[] {
    const { location } = this.deps.library;
    return [
      `folder: ${location.folder}${location.home === location.usual ? '' : ' (moved)'}`,
      `state: ${location.fault() ?? 'there'}`,
      `free on its disk: ${formatBytes(freeBytes)}`,
    ];
  }

  private async counted() {
    const { store, library } = this.deps;
    await library.location.look();
    const began = performance.now();
    const space = await store.readInThread(spaceOf);
    const jobs = await store.readInThread(jobTable.countsByState);
    const assets = await store.readInThread(assetCounts);
    return {
      parts: space.map(({ part, files, bytes }) => `${part}: ${files} files, ${formatBytes(bytes)}`),
      freeBytes: library.room.freeBytes(),
      jobs: jobs.map(({ state, reason, n }) => `${state}${reason === null ? '' : ` (${reason})`}: ${n}`),
      assets: assets.map(({ state, n, bytes }) => `${state}: ${n}, ${formatBytes(bytes)}`),
      ms: Math.round(performance.now() - began),
    };
  }

  private async gateways(): Promise<string[]> {
    const { profiles, activeId } = await this.deps.profiles.list();
    return profiles.flatMap((profile) => [
      `### ${profile.id === activeId ? 'active: ' : ''}${profile.name}`,
      `address: ${profile.baseUrl}`,
      `key: ${keyWord(profile.key)}`,
      ...factsOf(profile),
      `models: ${profile.models.map(({ id, kind }) => `${id} (${kind})`).join(', ')}`,
    ]);
  }
}

const keyWord = (key: ProfileView['key']): string => (key === null ? 'none' : key === 'unreadable' ? key : 'set');

/** Settings by name; for those that may hold a secret only that they are set. */
function factsOf(profile: Profile): string[] {
  const dialect = Object.keys(DIALECT).map((name) => [name, profile[name as keyof typeof DIALECT]] as const);
  const limits = Object.entries(profile.limits);
  const headers = Object.keys(profile.extraHeaders).map((name) => `${name}: ${HIDDEN}`);
  return [
    ...[...dialect, ...limits].map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
    `further headers: ${headers.length === 0 ? 'none' : headers.join(', ')}`,
  ];
}

/** Anything like a key, also unknown ones: of a removed profile, in a log line. */
const TOKEN = /\b(?:sk|pk|key|ghp|xox[abp]|AKIA|Bearer)[-_ ][A-Za-z0-9_-]{12,200}/g;

const bytesOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
const namesIn = (folder: string): string[] => (fs.existsSync(folder) ? fs.readdirSync(folder) : []);
