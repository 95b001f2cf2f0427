import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Board, contentOf, takesOf, wideOf } from '../../../shared/board/board.ts';
import {
  BUNDLE_ENTRIES,
  BUNDLE_LIMITS,
  type BundleAsset,
  type BundleJob,
  bundleAssetSchema,
  bundleFilmSchema,
  bundleJobSchema,
} from '../../../shared/bundle/document.ts';
import { type RefNames, renamedFilm, renamedRequest, renamedShot } from '../../../shared/bundle/refs.ts';
import { type ChatFile, chatFileText, readChatFile } from '../../../shared/chat/chatFile.ts';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';
import { bareAddressesIn } from '../../../shared/gateway/bareAddress.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../../shared/jobs/job.ts';
import type { JobElsewhere } from '../../../shared/jobs/jobElsewhere.ts';
import { kindOf, makesFiles, shortRequest } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { extensionOf } from '../../../shared/library/mediaFormats.ts';
import type { ImportedOrigin } from '../../../shared/library/sidecar.ts';
import { priceSchema } from '../../../shared/money/price.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { counted, en, formatCount, t } from '../../../shared/text/texts.ts';
import { endedJobsOf, priceOfJob } from '../jobs/index.ts';
import { assetsMadeFrom, assetsOfProject, contentHere, sizeOf } from '../library/index.ts';
import type { MediaFile } from '../ports.ts';
import type { ReadDb, Store } from '../store/index.ts';
import { checkWhole } from './readBundle.ts';
import { BundleError } from './readZip.ts';

export interface GatherDeps {
  store: Store;
  getJob(id: string): Result<Job>;
  getAsset(id: string): Result<Asset>;
  openAsset(id: string): Result<MediaFile>;
  elsewhere(assetId: string): ImportedOrigin | undefined;
  gatewayName(profileId: string): string | undefined;
  secretIn(value: unknown): string | undefined;
  chatsOf(db: ReadDb, projectId: string): Iterable<ChatFile>;
}

/** A text entry, generated while it is written. */
export interface BundleText {
  name: string;
  pieces: Iterable<string>;
}

/** The input of a bundle. */
interface Gathered {
  /** In writing order. */
  texts: BundleText[];
  counts: { shots: number; jobs: number; assets: number; chats: number };
  media: { name: string; file: MediaFile }[];
  /** Open jobs and what could not be written, one sentence each. */
  leftOut: string[];
}

/** Everything that a film names or that was made for its project, without secrets. */
export async function collectBundle(deps: GatherDeps, board: Board): Promise<Result<Gathered>> {
  const { store } = deps;
  const allChats = [...deps.chatsOf(store.read, board.projectId)].map((one) => bareAddressesIn(one));
  const conversationFiles = importableChats(allChats);
  const found = await collectNamed(deps, board, conversationFiles);
  if (found.jobs.size > BUNDLE_LIMITS.jobs) return tooMany('takes', BUNDLE_LIMITS.jobs);
  if (found.assets.size > BUNDLE_LIMITS.assets) return tooMany('files', BUNDLE_LIMITS.assets);
  if (conversationFiles.length > BUNDLE_LIMITS.chats) return tooMany('chats', BUNDLE_LIMITS.chats);
  const { jobs, assets, media, names, faults } = await consistentLines(deps, found);
  const content = contentOf(board);
  const shots = content.shots.map((shot) => bareAddressesIn(renamedShot(shot, names)));
  const film = bundleFilmSchema.parse(bareAddressesIn(renamedFilm(wideOf(content), names)));
  const why =
    (await faultOfAll({ film, shots, jobs, assets, media })) ?? faultOfLength([film, ...shots, ...jobs, ...assets]);
  if (why !== undefined) return cannotOpen(why);
  const texts = [
    { name: BUNDLE_ENTRIES.film, pieces: linesOf([film]) },
    { name: BUNDLE_ENTRIES.shots, pieces: linesOf(shots) },
    { name: BUNDLE_ENTRIES.jobs, pieces: linesOf(jobs) },
    { name: BUNDLE_ENTRIES.assets, pieces: linesOf(assets) },
    ...conversationFiles.map((chat, at) => ({ name: chatName(at), pieces: [chatFileText(chat)] })),
  ];
  if ([film, shots, conversationFiles, ...jobs, ...assets].some((one) => deps.secretIn(one) !== undefined))
    return hasKey;
  const counts = { shots: shots.length, jobs: jobs.length, assets: assets.length, chats: conversationFiles.length };
  const stays = { open: found.open, faults, chats: allChats.length - conversationFiles.length };
  const given = [...media.values()].map(({ name, file }) => ({ name, file }));
  return ok({ texts, counts, media: given, leftOut: leftOutWords(stays, assets) });
}

/** The chats that can be imported again. */
function importableChats(chats: readonly ChatFile[]): ChatFile[] {
  let left: number = BUNDLE_LIMITS.documents / 2;
  return chats.filter((chat) => {
    const text = chatFileText(chat);
    const bytes = Buffer.byteLength(text);
    if (bytes > Math.min(left, BUNDLE_LIMITS.chat) || !readChatFile(text).ok) return false;
    left -= bytes;
    return true;
  });
}

/** Why these lines are too long; chats have the other half of the limit. */
function faultOfLength(lines: readonly unknown[]): string | undefined {
  let bytes = 0;
  for (const line of linesOf(lines)) bytes += Buffer.byteLength(line);
  const most = BUNDLE_LIMITS.documents / 2;
  return bytes > most ? t`The project has ${formatBytes(bytes)} of text; at most ${formatBytes(most)}.` : undefined;
}

/** Why the bundle could not be opened again, if so. */
async function faultOfAll(gathered: Parameters<typeof checkWhole>[0]): Promise<string | undefined> {
  try {
    await checkWhole(gathered);
    return undefined;
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
}

const cannotOpen = (why: string): Result<never> =>
  fail('wrong_state', en`As a bundle this film could not be opened: ${why} Nothing was written.`);

const tooMany = (what: string, most: number): Result<never> =>
  fail(
    'too_large',
    en`A bundle has at most ${formatCount(most)} ${what}, and this film has more. Nothing was written.`,
  );

const chatName = (at: number): string => `chats/${String(at + 1).padStart(4, '0')}.json`;

function* linesOf(values: readonly unknown[]): Generator<string> {
  for (const one of values) yield `${JSON.stringify(one)}\n`;
}

const hasKey = fail('invalid_input', en`A text of the film contains one of your API keys. Nothing was written.`, {
  isSecret: true,
});

interface Named {
  jobs: Map<string, Job>;
  assets: Map<string, Asset>;
  /** The number of open jobs. */
  open: number;
}

const PER_TURN = 20;

/** Everything that the board, the chats and the project refer to, and the files and jobs that those were made from. */
async function collectNamed(deps: GatherDeps, board: Board, chats: readonly ChatFile[]): Promise<Named> {
  const { read } = deps.store;
  const found: Named = { jobs: new Map(), assets: new Map(), open: 0 };
  const open = [
    ...assetsOfProject(read, board.projectId),
    ...picturesOf(read, chats),
    ...namedInDocument(contentOf(board)),
    ...board.shots.flatMap(takesOf),
    ...endedJobsOf(read, board.projectId),
  ];
  const seen = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...namedBy(deps, id, found));
    if (seen.size % PER_TURN === 0) await nextTurn();
  }
  return found;
}

const picturesOf = (read: ReadDb, chats: readonly ChatFile[]): string[] =>
  chats
    .flatMap(({ messages }) => messages.flatMap(({ pictures = [] }) => pictures))
    .flatMap(({ sha256 }) => contentHere(read, sha256)?.id ?? []);

/** Adds the job or asset with this id, and returns the ids that it refers to. */
function namedBy(deps: GatherDeps, id: string, found: Named): string[] {
  const job = deps.getJob(id);
  if (job.ok) return namedByJob(job.data, found);
  const asset = deps.getAsset(id);
  if (!asset.ok || asset.data.role === 'thumbnail') return [];
  found.assets.set(id, asset.data);
  const { jobId, parentId } = asset.data;
  return [jobId, parentId].flatMap((one) => one ?? []).concat(assetsMadeFrom(deps.store.read, id));
}

const MAX_QUESTION = 8_000;

function namedByJob(job: Job, found: Named): string[] {
  if (!makesFiles(kindOf(job.kind)) && job.outputs.length === 0) return [];
  if (!isTerminal(job.state)) {
    found.open += 1;
    return [];
  }
  // Of a picture's chat only the last question is exported.
  const request = makesFiles(kindOf(job.kind)) ? job.request : shortRequest(job.request, MAX_QUESTION);
  found.jobs.set(job.id, { ...job, request });
  return [...namedInDocument(request), ...job.outputs.map((one) => one.id)];
}

const namesOf = (known: { jobs: ReadonlyMap<string, unknown>; assets: ReadonlyMap<string, unknown> }): RefNames => ({
  job: (id) => (known.jobs.has(id) ? id : undefined),
  asset: (id) => (known.assets.has(id) ? id : undefined),
  word: (text) => text,
});

type Media = Map<string, { name: string; bytes: number; file: MediaFile }>;

interface ExportedLines {
  jobs: BundleJob[];
  assets: BundleAsset[];
  media: Media;
  names: RefNames;
  faults: number;
}

/** Lines that were left out must not be named by others, so the rest is written again without them until nothing more is left out. */
async function consistentLines(deps: GatherDeps, found: Named): Promise<ExportedLines> {
  const all = await mediaOf(deps, found.assets);
  let known: Pick<Named, 'jobs' | 'assets'> = found;
  for (let faults = 0; ; ) {
    const names = namesOf(known);
    const jobs = await written([...known.jobs.values()], (job) => jobLine(deps, job, names));
    const ordered = inOrder({ jobs: only(known.jobs, jobs.lines), assets: known.assets });
    const assets = await written(ordered, (asset) => assetLine(deps, asset, { media: all, known }));
    faults += jobs.faults + assets.faults;
    if (jobs.lines.length === known.jobs.size && assets.lines.length === known.assets.size) {
      const used = new Set(assets.lines.flatMap(({ sha256 }) => sha256 ?? []));
      const media = new Map([...all].filter(([sha256]) => used.has(sha256)));
      return { jobs: jobs.lines, assets: assets.lines, media, names, faults };
    }
    known = { jobs: only(known.jobs, jobs.lines), assets: only(known.assets, assets.lines) };
  }
}

function only<T>(all: ReadonlyMap<string, T>, lines: readonly { id: string }[]): Map<string, T> {
  const ids = new Set(lines.map(({ id }) => id));
  return new Map([...all].filter(([id]) => ids.has(id)));
}

/** The lines that their own schema accepts; values of earlier versions that it refuses are left out. */
async function written<Item, Line>(
  items: readonly Item[],
  lineOf: (item: Item) => Result<Line>,
): Promise<{ lines: Line[]; faults: number }> {
  const lines: Line[] = [];
  let faults = 0;
  for (const [at, item] of items.entries()) {
    const line = lineOf(item);
    if (line.ok) lines.push(line.data);
    else faults += 1;
    if (at % PER_TURN === 0) await nextTurn();
  }
  return { lines, faults };
}

function jobLine(deps: GatherDeps, job: Job, names: RefNames): Result<BundleJob> {
  const { id, state, createdAt, finishedAt, verdict, error, omitted } = job;
  const known = { finishedAt, verdict, omitted };
  const line = {
    id,
    state,
    request: renamedRequest(job.request, names),
    createdAt,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    ...(error ? { error: { kind: error.kind, message: error.message, retryable: error.retryable } } : {}),
    elsewhere: job.elsewhere ?? elsewhereOf(deps, job),
  };
  return parseInput(bundleJobSchema, bareAddressesIn(line));
}

/** The gateway and the cost of a job, as recorded here. */
function elsewhereOf({ store, gatewayName }: GatherDeps, { id, profileId, money }: Job): JobElsewhere {
  const gateway = gatewayName(profileId);
  const price = priceSchema.safeParse(priceOfJob(store.read, id));
  const isKnown = money.unpriced === undefined;
  return {
    ...(gateway === undefined ? {} : { gateway }),
    ...(isKnown ? { costNano: money.chargedNano, costLowNano: money.chargedLowNano } : {}),
    ...(money.uncertainNano > 0 ? { uncertainNano: money.uncertainNano } : {}),
    ...(price.success ? { price: price.data } : {}),
    ...(money.statedAs === undefined ? {} : { statedAs: money.statedAs }),
    ...(isPlayMoney(profileId) ? { play: true } : {}),
  };
}

/** The assets, each after the one it was made from. */
function inOrder({
  jobs,
  assets,
}: {
  jobs: ReadonlyMap<string, unknown>;
  assets: ReadonlyMap<string, Asset>;
}): Asset[] {
  const ordered = new Map<string, Asset>();
  const add = (asset: Asset): void => {
    if (ordered.has(asset.id)) return;
    const way: Asset[] = [];
    let next: Asset | undefined = asset;
    while (next && !ordered.has(next.id) && !way.includes(next)) {
      way.push(next);
      next = next.parentId === undefined ? undefined : assets.get(next.parentId);
    }
    for (const one of way.toReversed()) ordered.set(one.id, one);
  };
  for (const asset of assets.values()) add(asset);
  // A result without its job would have no origin.
  return [...ordered.values()].filter(({ role, jobId }) => !isResult(role) || (jobId !== undefined && jobs.has(jobId)));
}

const isResult = (role: Asset['role']): boolean => role === 'output' || role === 'grid';

/** The files on this disk, by hash. */
async function mediaOf(deps: GatherDeps, assets: ReadonlyMap<string, Asset>): Promise<Media> {
  const byHash: Media = new Map();
  for (const { id, state } of assets.values()) {
    const file = state === 'local' ? deps.openAsset(id) : undefined;
    if (!file?.ok || byHash.has(file.data.sha256)) continue;
    if ((await sizeOf(file.data.path)) !== file.data.bytes) continue;
    const { sha256, mime, bytes } = file.data;
    byHash.set(sha256, { name: `media/${sha256}.${extensionOf(mime)}`, bytes, file: file.data });
  }
  return byHash;
}

interface AssetParts {
  media: ReadonlyMap<string, { file: MediaFile }>;
  known: { jobs: ReadonlyMap<string, unknown>; assets: ReadonlyMap<string, unknown> };
}

function assetLine(deps: GatherDeps, asset: Asset, { media, known }: AssetParts): Result<BundleAsset> {
  const { id, role, name, createdAt, mime, outputIndex, model, verdict, starred, tags } = asset;
  const jobId = asset.jobId !== undefined && known.jobs.has(asset.jobId) ? asset.jobId : undefined;
  const parentId = asset.parentId !== undefined && known.assets.has(asset.parentId) ? asset.parentId : undefined;
  const held = asset.state === 'local' ? media.get(asset.sha256)?.file : undefined;
  const made = deps.elsewhere(id);
  const { ancestry: _, ...said } = made ?? {};
  const parts = {
    ...(held ? { sha256: held.sha256, bytes: held.bytes } : {}),
    jobId,
    outputIndex: isResult(role) ? (outputIndex ?? 0) : undefined,
    parentId,
    outMs: asset.outMs,
    model,
    verdict,
    starred,
    tags,
    made: made ? said : undefined,
  };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return parseInput(
    bundleAssetSchema,
    bareAddressesIn({ id, role, name, createdAt, mime, ...Object.fromEntries(given) }),
  );
}

function leftOutWords(
  { open, faults, chats }: { open: number; faults: number; chats: number },
  lines: readonly BundleAsset[],
): string[] {
  const without = lines.filter(({ sha256 }) => sha256 === undefined).length;
  return [
    ...(open > 0 ? [t`Left out, not finished: ${counted(open, 'take')}.`] : []),
    ...(faults > 0 ? [t`Left out, from an earlier version: ${faults}.`] : []),
    ...(chats > 0 ? [t`Left out, too long: ${counted(chats, 'chat')}.`] : []),
    ...(without > 0 ? [t`Not on this disk: ${counted(without, 'file')}.`] : []),
  ];
}

/** Every text in a document that may be an id; the caller checks which ones are. */
function namedInDocument(document: unknown): Set<string> {
  const names = new Set<string>();
  const open: unknown[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string' && next.length > 0 && next.length <= 200 && !next.includes(' ')) names.add(next);
    if (typeof next === 'object' && next !== null) open.push(...Object.values(next).filter((value) => value !== null));
  }
  return names;
}
