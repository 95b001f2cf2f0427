import type { Asset } from '../../../shared/asset.ts';
import { bareAddressesIn } from '../../../shared/bareAddress.ts';
import type { CallParsed } from '../../../shared/contract.ts';
import { fileNameOf, uniqueName } from '../../../shared/fileNames.ts';
import type { Export } from '../../../shared/filmExport.ts';
import type { Job, JobInput } from '../../../shared/job.ts';
import { provenanceOf } from '../../../shared/provenance.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import { extensionOf, type Library } from '../library/index.ts';
import type { MediaFile } from '../ports.ts';
import type { ExportSink } from './exportSink.ts';
import type { Exports } from './exports.ts';
import { markedCopy } from './markedCopy.ts';

export interface LibraryExportDeps {
  library: Pick<Library, 'open' | 'get'>;
  exports: Pick<Exports, 'start'>;
  getJob(id: string): Result<Job>;
}

interface Chosen {
  asset: Asset;
  file: MediaFile;
  job: Job | undefined;
}

/** Files of the library as copies or links, each with a sidecar that says all that is known of it. */
export function exportFromLibrary(deps: LibraryExportDeps, asked: CallParsed<'library.export'>): Result<Export> {
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
  return deps.exports.start({ kind: 'files', name, place: asked.folder, bytes }, async (sink) => {
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
    if (asked.media === 'links') await sink.link(name, file);
    else await sink.copy(name, file, await markedCopy(file, provenance));
    await sink.writeText(`${name}.json`, 'application/json', sidecarOf(deps, { asset, job, name }));
    sink.progress((index + 1) / chosen.length);
  }
}

/** A file and its sidecar are named together: no other of them has either name. */
function nameOf(asset: Asset, taken: Set<string>): string {
  for (;;) {
    const name = uniqueName(fileNameOf(withoutExtension(asset), 'file'), extensionOf(asset.mime), taken);
    const sidecar = `${name}.json`.toLowerCase();
    if (taken.has(sidecar)) continue;
    taken.add(sidecar);
    return name;
  }
}

function withoutExtension({ name, mime }: Asset): string {
  const end = `.${extensionOf(mime)}`;
  return name.toLowerCase().endsWith(end) ? name.slice(0, -end.length) : name;
}

/** Everything known of a file: what it is, the job that made it with request, attempts and money, and what that was made from. No address opens anything by itself. */
function sidecarOf(
  deps: LibraryExportDeps,
  { asset, job, name }: { asset: Asset; job: Job | undefined; name: string },
): string {
  const { outputs: _outputs, ...order } = job ?? { outputs: [] };
  const provenance = provenanceOf(asset, job);
  const sidecar = {
    dailies: 1,
    file: name,
    asset,
    ...(job ? { job: order } : {}),
    ...(provenance ? { provenance } : {}),
    ancestry: ancestryOf(deps, asset, job),
  };
  return `${JSON.stringify(bareAddressesIn(sidecar), null, 2)}\n`;
}

/** A chain of extensions is long; more than this says no more. */
const MAX_ANCESTORS = 200;

interface Ancestor {
  field: string;
  jobId?: string;
  assetId?: string;
  sha256?: string;
  uri?: string;
  prompt?: string;
  model?: string;
}

/** What it was made from, nearest first. */
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
    const source = input.assetId === undefined ? undefined : deps.library.get(input.assetId);
    const madeBy = jobOf(deps, input.jobId ?? (source?.ok ? source.data.jobId : undefined));
    const provenance = source?.ok ? provenanceOf(source.data, madeBy) : undefined;
    const { field, jobId, assetId, sha256, uri } = input;
    const known = { jobId, assetId, sha256, uri, prompt: provenance?.prompt, model: provenance?.model };
    const given = Object.entries(known).filter(([, value]) => value !== undefined);
    found.push({ field, ...Object.fromEntries(given) });
    open.push(...(madeBy?.inputs ?? []));
  }
  return found;
}

function jobOf({ getJob }: LibraryExportDeps, id: string | undefined): Job | undefined {
  const job = id === undefined ? undefined : getJob(id);
  return job?.ok ? job.data : undefined;
}
