import type { z } from 'zod';
import { MAX_SHOTS, type Shot, shotSchema } from '../../../shared/board/board.ts';
import {
  BUNDLE_ENTRIES,
  BUNDLE_FORM,
  BUNDLE_LIMITS,
  type BundleAsset,
  type BundleFilm,
  type BundleJob,
  type BundleManifest,
  bundleAssetSchema,
  bundleFilmSchema,
  bundleJobSchema,
  bundleManifestSchema,
  CHAT_ENTRY,
  MEDIA_ENTRY,
} from '../../../shared/bundle/document.ts';
import { type RefNames, renamedFilm, renamedRequest, renamedShot } from '../../../shared/bundle/refs.ts';
import { type ChatFile, readChatFile } from '../../../shared/chat/chatFile.ts';
import { parseInput } from '../../../shared/contract/result.ts';
import { kindOf, makesFiles } from '../../../shared/kinds/index.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { en, formatCount } from '../../../shared/text/texts.ts';
import { MAX_FILE_BYTES } from '../library/index.ts';
import { inTurns } from '../timeSlicing.ts';
import { bundleError, isOfBundle, type ZipEntry, type ZipFile } from './readZip.ts';

/** A bundle as read: its documents are complete and consistent. Media bytes are not read yet. */
export interface Bundle {
  manifest: BundleManifest;
  film: BundleFilm;
  shots: Shot[];
  jobs: BundleJob[];
  assets: BundleAsset[];
  chats: ChatFile[];
  media: ReadonlyMap<string, ZipEntry>;
}

/** Reads all but the media. */
export async function readBundle(zip: ZipFile): Promise<Bundle> {
  const manifest = await readManifest(zip);
  for (const name of zip.entries.keys())
    if (!isOfBundle(name)) throw bundleError(name, 'is no entry that a bundle has.');
  checkSum(zip);
  const { film: filmName, shots: shotsName, jobs: jobsName, assets: assetsName } = BUNDLE_ENTRIES;
  const film = checked(filmName, bundleFilmSchema, await jsonOf(zip, entryOf(zip, filmName), BUNDLE_LIMITS.film));
  const allOf = <S extends z.ZodType>(name: string, lines: { schema: S; count: number }) =>
    allLines(linesOf(zip, entryOf(zip, name), lines));
  const shots = await allOf(shotsName, { schema: shotSchema, count: MAX_SHOTS });
  const jobs = await allOf(jobsName, { schema: bundleJobSchema, count: BUNDLE_LIMITS.jobs });
  const assets = await allOf(assetsName, { schema: bundleAssetSchema, count: BUNDLE_LIMITS.assets });
  const chats = await readChats(zip);
  const media = mediaOf(zip);
  const bundle = { manifest, film, shots, jobs, assets, chats, media };
  checkCounts(bundle);
  await checkWhole(bundle);
  return bundle;
}

/** All texts of a bundle are in memory at the same time. */
function checkSum(zip: ZipFile): void {
  const documents = [...zip.entries.values()].filter(({ name }) => !MEDIA_ENTRY.test(name));
  const bytes = documents.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > BUNDLE_LIMITS.documents)
    throw bundleError(
      '',
      `Unpacked its documents would have ${formatBytes(bytes)}; at most ${formatBytes(BUNDLE_LIMITS.documents)}.`,
    );
}

function entryOf(zip: ZipFile, name: string): ZipEntry {
  const entry = zip.entries.get(name);
  if (!entry) throw bundleError(name, 'is missing.');
  return entry;
}

async function readManifest(zip: ZipFile): Promise<BundleManifest> {
  const name = BUNDLE_ENTRIES.manifest;
  const value = await jsonOf(zip, entryOf(zip, name), BUNDLE_LIMITS.manifest);
  const { form } = (typeof value === 'object' && value !== null ? value : {}) as { form?: unknown };
  if (typeof form === 'number' && form > BUNDLE_FORM)
    throw bundleError(name, 'the bundle was made by a newer Dailies; bring this one up to date to open it.');
  return checked(name, bundleManifestSchema, value);
}

async function allLines<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** In reading order. */
export const chatEntriesOf = (zip: ZipFile): ZipEntry[] =>
  [...zip.entries.values()].filter(({ name }) => CHAT_ENTRY.test(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));

async function readChats(zip: ZipFile): Promise<ChatFile[]> {
  const entries = chatEntriesOf(zip);
  if (entries.length > BUNDLE_LIMITS.chats) throw bundleError('', `It has more than ${BUNDLE_LIMITS.chats} chats.`);
  const chats: ChatFile[] = [];
  for (const entry of entries) {
    const read = readChatFile(await textOf(zip, entry, BUNDLE_LIMITS.chat));
    if (!read.ok) throw bundleError(entry.name, read.error.message);
    chats.push(read.data);
  }
  return chats;
}

function mediaOf(zip: ZipFile): ReadonlyMap<string, ZipEntry> {
  const media = new Map<string, ZipEntry>();
  for (const entry of zip.entries.values()) {
    const [, sha256] = MEDIA_ENTRY.exec(entry.name) ?? [];
    if (sha256 === undefined) continue;
    if (media.has(sha256)) throw bundleError(entry.name, 'has the hash of another entry.');
    if (!entry.isStored) throw bundleError(entry.name, 'is packed; media in a bundle are stored as they are.');
    if (entry.bytes === 0) throw bundleError(entry.name, 'is empty.');
    if (entry.bytes > MAX_FILE_BYTES) throw bundleError(entry.name, 'is larger than a file of the library may be.');
    media.set(sha256, entry);
  }
  return media;
}

function checkCounts({ manifest, shots, jobs, assets, chats }: Bundle): void {
  const counts = { shots: shots.length, jobs: jobs.length, assets: assets.length, chats: chats.length };
  for (const [field, count] of Object.entries(counts))
    if (manifest[field as keyof typeof counts] !== count)
      throw bundleError(
        BUNDLE_ENTRIES.manifest,
        `${field}: says ${manifest[field as keyof typeof counts]}, and there are ${count}.`,
      );
}

type Media = ReadonlyMap<string, Pick<ZipEntry, 'name' | 'bytes'>>;

/**
 * Checks rules that no schema can express: each name is unique in the bundle, and everything in it is referred to. Bundles are also checked
 * before they are written.
 */
export async function checkWhole({
  film,
  shots,
  jobs,
  assets,
  media,
}: Pick<Bundle, 'film' | 'shots' | 'jobs' | 'assets'> & { media: Media }): Promise<void> {
  checkOnce(BUNDLE_ENTRIES.shots, shots);
  checkOnce(BUNDLE_ENTRIES.jobs, jobs);
  checkOnce(BUNDLE_ENTRIES.assets, assets);
  checkAssets(assets, { jobs: new Set(jobs.map(({ id }) => id)), media });
  const names = namesIn(jobs, assets);
  for await (const [at, shot] of inTurns(shots))
    checkNames(`${BUNDLE_ENTRIES.shots}, line ${at + 1}`, names, () => renamedShot(shot, names));
  checkNames(BUNDLE_ENTRIES.film, names, () => renamedFilm(film, names));
  const makers = new Set(assets.map(({ jobId }) => jobId));
  for await (const [at, { id, request }] of inTurns(jobs)) {
    const name = `${BUNDLE_ENTRIES.jobs}, line ${at + 1}`;
    if (!makesFiles(kindOf(request)) && !makers.has(id)) throw bundleError(name, 'is an answer without a file.');
    checkNames(name, names, () => renamedRequest(request, names));
  }
}

function checkOnce(name: string, all: readonly { id: string }[]): void {
  const known = new Set<string>();
  for (const [at, { id }] of all.entries()) {
    if (known.has(id)) throw bundleError(`${name}, line ${at + 1}`, 'id: stands there twice.');
    known.add(id);
  }
}

function checkAssets(
  assets: readonly BundleAsset[],
  { jobs, media }: { jobs: ReadonlySet<string>; media: Media },
): void {
  const before = new Set<string>();
  const named = new Set<string>();
  const outputs = new Set<string>();
  for (const [at, asset] of assets.entries()) {
    const rule = ruleOfAsset(asset, { jobs, media, before, outputs });
    if (rule !== undefined) throw bundleError(`${BUNDLE_ENTRIES.assets}, line ${at + 1}`, rule);
    before.add(asset.id);
    if (asset.sha256) named.add(asset.sha256);
  }
  for (const [sha256, { name }] of media)
    if (!named.has(sha256)) throw bundleError(name, 'is named by no asset of the bundle.');
}

function ruleOfAsset(
  { id, jobId, parentId, sha256, bytes, role, outputIndex }: BundleAsset,
  parts: {
    jobs: ReadonlySet<string>;
    media: Media;
    before: ReadonlySet<string>;
    outputs: Set<string>;
  },
): string | undefined {
  if (jobId !== undefined && !parts.jobs.has(jobId)) return 'jobId: names a job that is not in the bundle.';
  if (parentId !== undefined && (parentId === id || !parts.before.has(parentId)))
    return 'parentId: must name an asset that stands before it.';
  if (role === 'output' || role === 'grid') {
    if (jobId === undefined || outputIndex === undefined) return en`role: a result needs its job and its number.`;
    const output = `${outputIndex} ${jobId}`;
    if (parts.outputs.has(output)) return 'outputIndex: another result of its job has this number.';
    parts.outputs.add(output);
  }
  if (sha256 === undefined) return undefined;
  const entry = parts.media.get(sha256);
  if (!entry) return 'sha256: its media is not in the bundle.';
  return entry.bytes === bytes ? undefined : en`bytes: its media has another size.`;
}

interface CheckedNames extends RefNames {
  missing: string | undefined;
}

function namesIn(jobs: readonly BundleJob[], assets: readonly BundleAsset[]): CheckedNames {
  const [jobIds, assetIds] = [new Set(jobs.map(({ id }) => id)), new Set(assets.map(({ id }) => id))];
  const find = (ids: ReadonlySet<string>, what: string) => (id: string) => {
    if (ids.has(id)) return id;
    names.missing ??= `names ${what} that is not in the bundle.`;
    return undefined;
  };
  const names: CheckedNames = {
    missing: undefined,
    job: find(jobIds, 'a job'),
    asset: find(assetIds, 'a file'),
    word: (text) => text,
  };
  return names;
}

function checkNames(name: string, names: CheckedNames, rename: () => unknown): void {
  names.missing = undefined;
  rename();
  if (names.missing !== undefined) throw bundleError(name, names.missing);
}

/** The JSON of a bundle: limited before it is parsed, then validated. */

async function jsonOf(zip: ZipFile, entry: ZipEntry, most: number): Promise<unknown> {
  return parsed(entry.name, await textOf(zip, entry, most));
}

async function textOf(zip: ZipFile, entry: ZipEntry, most: number): Promise<string> {
  if (entry.bytes > most) throw bundleError(entry.name, `is larger than ${formatBytes(most)}.`);
  const chunks: Buffer[] = [];
  for await (const chunk of zip.read(entry)) chunks.push(chunk);
  return decode(entry.name, new TextDecoder('utf-8', { fatal: true }), Buffer.concat(chunks));
}

/** One value a line, at most `count`, each validated by the schema. */
async function* linesOf<S extends z.ZodType>(
  zip: ZipFile,
  entry: ZipEntry,
  { schema, count }: { schema: S; count: number },
): AsyncGenerator<z.output<S>> {
  let number = 0;
  for await (const line of rawLines(zip, entry)) {
    number += 1;
    if (number > count) throw bundleError(entry.name, `has more than ${formatCount(count)} lines.`);
    const name = `${entry.name}, line ${number}`;
    yield checked(name, schema, parsed(name, line));
  }
}

async function* rawLines(zip: ZipFile, entry: ZipEntry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const chunk of zip.read(entry)) {
    const [first = '', ...more] = decode(entry.name, decoder, chunk, { stream: true }).split('\n');
    rest += first;
    for (const next of more) {
      yield rest;
      rest = next;
    }
    if (rest.length > BUNDLE_LIMITS.line)
      throw bundleError(entry.name, `has a line of more than ${formatCount(BUNDLE_LIMITS.line)} characters.`);
  }
  if (rest !== '') yield rest;
}

/** The validated value; the error names the entry, the field and its rule. */
function checked<S extends z.ZodType>(name: string, schema: S, value: unknown): z.output<S> {
  const read = parseInput(schema, value);
  if (!read.ok) throw bundleError(name, read.error.message);
  return read.data;
}

function decode(
  name: string,
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  options: { stream?: boolean } = {},
): string {
  try {
    return decoder.decode(bytes, options);
  } catch {
    throw bundleError(name, 'is no UTF-8 text.');
  }
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bundleError(name, 'is no JSON.');
  }
}
