import type { CallParsed } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export } from '../../../shared/film/filmExport.ts';
import { PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import { bareAddressesIn } from '../../../shared/gateway/bareAddress.ts';
import { isPlayMoney } from '../../../shared/gateway/profile.ts';
import type { Job, JobInput } from '../../../shared/jobs/job.ts';
import { sentSeedOf } from '../../../shared/jobs/resultWords.ts';
import { promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { exportedName } from '../../../shared/library/fileNames.ts';
import {
  PARAMETERS_KEY,
  type Provenance,
  parametersOf,
  provenanceOf,
  xmpOf,
} from '../../../shared/library/provenance.ts';
import { type Ancestor, type ImportedOrigin, MAX_ANCESTORS, SIDECAR_ENDING } from '../../../shared/library/sidecar.ts';
import {
  type Library,
  MAX_JPEG_PACKET_BYTES,
  withMp4Metadata,
  withTexts,
  withXmpPacket,
  XMP_KEYWORD,
} from '../library/index.ts';
import type { MediaFile } from '../ports.ts';
import type { ExportSink, SourceFile } from './exportSink.ts';
import type { Exports } from './exports.ts';

interface LibraryExportDeps {
  library: Pick<Library, 'open' | 'get'>;
  exports: Pick<Exports, 'start'>;
  getJob(id: string): Result<Job>;
  /** Undefined for a removed project. */
  projectName(id: string): string | undefined;
  elsewhere(assetId: string): ImportedOrigin | undefined;
}

interface Chosen {
  asset: Asset;
  file: MediaFile;
  job: Job | undefined;
}

/** Library files as copies or links, each with a sidecar of all known facts. */
export async function exportFromLibrary(
  deps: LibraryExportDeps,
  asked: CallParsed<'library.export'>,
): Promise<Result<Export>> {
  const chosen: Chosen[] = [];
  for (const [index, id] of [...new Set(asked.ids)].entries()) {
    const asset = deps.library.get(id);
    const file = deps.library.open(id);
    if (!asset.ok) return fail('not_found', `ids.${index}: there is no such asset.`, { field: `ids.${index}` });
    if (!file.ok) return fail(file.error.code, `ids.${index}: ${file.error.message}`, { field: `ids.${index}` });
    chosen.push({ asset: asset.data, file: file.data, job: jobOf(deps, asset.data.jobId) });
  }
  const name = asked.name ?? (chosen.length === 1 ? (chosen[0]?.asset.name ?? '') : `${chosen.length} files`);
  const bytes = asked.media === 'links' ? 0 : chosen.reduce((sum, { file }) => sum + file.bytes, 0);
  const uses = chosen.map(({ file }) => file.sha256);
  return deps.exports.start({ kind: 'files', name, destination: asked.folder, bytes, uses }, async (sink) => {
    await writeFiles(deps, { sink, chosen, asked });
    return ok({});
  });
}

async function writeFiles(
  deps: LibraryExportDeps,
  { sink, chosen, asked }: { sink: ExportSink; chosen: readonly Chosen[]; asked: CallParsed<'library.export'> },
): Promise<void> {
  const taken = new Set<string>();
  for (const [index, { asset, file, job }] of chosen.entries()) {
    const name = nameOf(asset, taken);
    const provenance = asked.provenance === false ? undefined : provenanceOf(asset, job);
    const written =
      asked.media === 'links'
        ? await sink.link(name, file)
        : await sink.copy(name, file, await copyWithProvenance(file, provenance));
    const sidecar = sidecarOf(deps, { asset, job, file: { name, ...written } });
    await sink.writeText(`${name}${SIDECAR_ENDING}`, 'application/json', sidecar);
    sink.progress((index + 1) / chosen.length);
  }
}

/** A file and its sidecar are named together: neither name may be taken. */
function nameOf(asset: Asset, taken: Set<string>): string {
  for (;;) {
    const name = exportedName(asset, taken);
    const sidecar = `${name}${SIDECAR_ENDING}`.toLowerCase();
    if (taken.has(sidecar)) continue;
    taken.add(sidecar);
    return name;
  }
}

interface Described {
  asset: Asset;
  job: Job | undefined;
  /** As written, metadata included. */
  file: { name: string; bytes: number; sha256: string };
}

/**
 * All known facts about a file: those for an import (`shared/sidecar.ts`), and the asset and its job with attempts and money. Addresses are
 * bare.
 */
function sidecarOf(deps: LibraryExportDeps, { asset, job, file }: Described): string {
  const { outputs: _outputs, ...order } = job ?? { outputs: [] };
  const provenance = provenanceOf(asset, job);
  const sidecar = {
    dailies: 1,
    file: file.name,
    sha256: file.sha256,
    bytes: file.bytes,
    mime: asset.mime,
    name: asset.name,
    role: asset.role,
    ...(asset.verdict ? { verdict: asset.verdict } : {}),
    ...(asset.starred ? { starred: true } : {}),
    ...(asset.tags ? { tags: asset.tags } : {}),
    ...howMade(deps, asset, job),
    asset,
    ...(job ? { job: order } : {}),
    ...(provenance ? { provenance } : {}),
  };
  return `${JSON.stringify(bareAddressesIn(sidecar), null, 2)}\n`;
}

/** From the job of a result, or from what came with an imported file. */
function howMade(
  deps: LibraryExportDeps,
  asset: Asset,
  job: Job | undefined,
): { made: Partial<ImportedOrigin>; ancestry: Ancestor[] } {
  if (!job) {
    const { ancestry = ancestryOf(deps, asset, job), ...made } = deps.elsewhere(asset.id) ?? {};
    return { made: { madeAt: asset.createdAt, sha256: asset.sha256, ...made }, ancestry };
  }
  const seed = sentSeedOf(job);
  const project = job.projectId === undefined ? undefined : deps.projectName(job.projectId);
  const made = {
    kind: job.kind,
    prompt: promptOf(job.request),
    ...(job.model === undefined ? {} : { model: job.model }),
    ...(seed === undefined ? {} : { seed }),
    request: job.request,
    ...(asset.costNano === undefined ? {} : { costNano: asset.costNano }),
    ...(isPlayMoney(job.profileId) ? { play: true as const } : {}),
    madeAt: job.finishedAt ?? asset.createdAt,
    ...(project === undefined ? {} : { project }),
    jobId: job.id,
    assetId: asset.id,
    sha256: asset.sha256,
  };
  return { made, ancestry: ancestryOf(deps, asset, job) };
}

/** The sources of an asset, nearest first. */
function ancestryOf(deps: LibraryExportDeps, asset: Asset, job: Job | undefined): Ancestor[] {
  const found: Ancestor[] = [];
  const seen = new Set([asset.id, job?.id]);
  const open: JobInput[] = [
    ...(job?.inputs ?? []),
    ...(asset.parentId ? [{ field: 'parent', assetId: asset.parentId }] : []),
  ];
  for (let input = open.shift(); input && found.length < MAX_ANCESTORS; input = open.shift()) {
    const key = input.assetId ?? input.jobId ?? input.uri;
    if (seen.has(key)) continue;
    seen.add(key);
    const { ancestor, madeBy } = ancestorOf(deps, input);
    found.push(ancestor);
    open.push(...(madeBy?.inputs ?? []));
  }
  return found;
}

function ancestorOf(
  deps: LibraryExportDeps,
  { field, jobId, assetId, uri, sha256: sent }: JobInput,
): { ancestor: Ancestor; madeBy: Job | undefined } {
  const asset = assetId === undefined ? undefined : deps.library.get(assetId);
  const source = asset?.ok ? asset.data : undefined;
  const madeBy = jobOf(deps, jobId ?? source?.jobId);
  const { prompt, model } = (source && provenanceOf(source, madeBy)) ?? {};
  const known = { jobId, assetId, sha256: sent ?? (source?.sha256 || undefined), uri, prompt, model };
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  return { ancestor: { field, ...Object.fromEntries(given) }, madeBy };
}

function jobOf({ getJob }: LibraryExportDeps, id: string | undefined): Job | undefined {
  const job = id === undefined ? undefined : getJob(id);
  return job?.ok ? job.data : undefined;
}

/**
 * The bytes of a copy with provenance; undefined to keep the file as it is: nothing is known, its format has no place for it, or it is
 * malformed.
 */
export async function copyWithProvenance(
  { path, mime }: SourceFile,
  provenance: Provenance | undefined,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const write = provenance && PROVENANCE_WRITERS[mime];
  return write ? write(path, provenance).catch(() => undefined) : undefined;
}

type ProvenanceWriter = (path: string, provenance: Provenance) => Promise<AsyncIterable<Uint8Array>>;

const PROVENANCE_WRITERS: Readonly<Record<string, ProvenanceWriter>> = {
  'image/png': (path, provenance) =>
    withTexts(path, [
      { keyword: PARAMETERS_KEY, text: parametersOf(provenance) },
      { keyword: PROVENANCE_KEY, text: JSON.stringify(provenance) },
      { keyword: XMP_KEYWORD, text: xmpOf(provenance.sourceType) },
    ]),
  'image/jpeg': (path, provenance) => withXmpPacket(path, 'image/jpeg', packetOf(provenance)),
  'image/webp': (path, provenance) => withXmpPacket(path, 'image/webp', packetOf(provenance)),
  'video/mp4': (path, provenance) =>
    withMp4Metadata(path, xmpOf(provenance.sourceType), { keyword: PROVENANCE_KEY, text: clipText(provenance) }),
};

/** In characters: a longer text of a clip is not read back. */
const MAX_CLIP_TEXT = 200_000;

/** As much of the provenance as can be read back from a clip. */
function clipText(provenance: Provenance): string {
  const { request: _, ...short } = provenance;
  const whole = JSON.stringify(provenance);
  return whole.length <= MAX_CLIP_TEXT ? whole : JSON.stringify(short);
}

/** As much of the provenance as fits into a JPEG segment. */
function packetOf(provenance: Provenance): string {
  const { request: _, ...short } = provenance;
  const packets = [provenance, short].map((one) => xmpOf(one.sourceType, JSON.stringify(one)));
  const fits = packets.find((packet) => Buffer.byteLength(packet) <= MAX_JPEG_PACKET_BYTES);
  return fits ?? xmpOf(provenance.sourceType);
}
