import { createHash } from 'node:crypto';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { CheckedFile, FolderImport, ImportError } from '../../../shared/library/importCalls.ts';
import { type FoundProvenance, isProvenance } from '../../../shared/library/provenance.ts';
import { type ImportedOrigin, readSidecar, type Sidecar, sha256Schema } from '../../../shared/library/sidecar.ts';
import { formatBytes } from '../../../shared/text/bytes.ts';
import { shortened } from '../../../shared/text/shortened.ts';
import { en } from '../../../shared/text/texts.ts';
import { copyWithProvenance } from '../exports/index.ts';
import {
  type AssetRow,
  FileTimeout,
  ForeignFiles,
  type ForeignFilesDeps,
  hashOfHandle,
  type Library,
  MAX_FILE_BYTES,
  probeInProcess,
  refusedOnTimeout,
  sizeOf,
  soundInPieces,
  unsupportedMedia,
  type Verifier,
  withTimeout,
} from '../library/index.ts';
import type { MediaUpload } from '../ports.ts';
import { severalAtOnce } from '../timeSlicing.ts';
import { type FolderFile, filesOfFolder, openRegular, sidecarText } from './folderFiles.ts';

interface ImportsDeps extends Omit<ForeignFilesDeps, 'inUse' | 'bin'> {
  library: Pick<Library, 'location' | 'open' | 'found' | 'inUse' | 'bin' | 'upload'>;
  secretIn(value: unknown): string | undefined;
  /** The result of the last library check: files that it found damaged may be imported again. */
  verifier: Pick<Verifier, 'isContentDamaged' | 'storedAnew'>;
  freeBytes(): number;
}

type ImportCall = 'library.importFolder' | 'library.checkImport' | 'library.describe' | 'library.found';

interface Given {
  sha256: string;
  sidecar: Sidecar | undefined;
}

interface Checked {
  from: FolderFile;
  sha256: string;
  bytes: number;
  isKnown: boolean;
}

/** Imports of files with their sidecars. A sidecar is history: it makes no job and is in no sum of money. */
export class Imports {
  private readonly deps: ImportsDeps;
  private readonly foreign: ForeignFiles;
  private readonly closing = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(deps: ImportsDeps) {
    this.deps = deps;
    this.foreign = new ForeignFiles({ ...deps, inUse: deps.library.inUse, bin: deps.library.bin });
  }

  handlers(): Pick<Handlers, ImportCall> {
    return {
      'library.importFolder': ({ path }) =>
        this.oneByOne(() => refusedOnTimeout('path', () => this.importFolder(path))),
      'library.checkImport': async (input) => ok(await this.check(input)),
      'library.describe': (input) => this.describe(input),
      'library.found': ({ id }) => this.found(id),
    };
  }

  /** Concurrent imports of one folder would read everything twice. */
  private oneByOne<T>(run: () => Promise<T>): Promise<T> {
    const mine = this.running.then(run);
    this.running = mine.catch(() => undefined);
    return mine;
  }

  /** Ends an import in the middle of a file, which may have gigabytes; nothing partial remains. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  /** Checks everything first. After a crash the next try recognizes what was imported. */
  private async importFolder(folder: string): Promise<Result<FolderImport>> {
    const read = await filesOfFolder(folder);
    if (!read.ok) return read;
    const { errors } = read.data;
    const checked: Checked[] = [];
    await severalAtOnce(AT_ONCE, read.data.files, async (from) => {
      const one = await this.checkFile(from);
      if (one.ok) checked.push(one.data);
      else errors.push({ file: from.file, message: one.error.message });
      return !this.isClosed;
    });
    if (this.isClosed) return closed;
    const coming = new Map(checked.filter(({ isKnown }) => !isKnown).map(({ sha256, bytes }) => [sha256, bytes]));
    const needed = [...coming.values()].reduce((sum, bytes) => sum + bytes, 0);
    await this.deps.library.location.look();
    const free = this.deps.freeBytes();
    if (needed > free)
      return fail(
        'disk_full',
        en`It needs ${formatBytes(needed)}, and the disk has ${formatBytes(free)} free. Nothing was brought in.`,
      );
    return this.bringIn(checked, errors);
  }

  private async bringIn(checked: readonly Checked[], errors: ImportError[]): Promise<Result<FolderImport>> {
    const counts = { imported: 0, known: 0 };
    let isFull = false;
    await severalAtOnce(AT_ONCE, checked, async (one) => {
      const taken = one.isKnown ? await this.addWords(one) : await this.copyIn(one);
      if (taken.ok) counts[taken.data] += 1;
      else if (taken.error.code === 'disk_full') isFull = true;
      else errors.push({ file: one.from.file, message: taken.error.message });
      return !isFull && !this.isClosed;
    });
    if (isFull)
      return fail(
        'disk_full',
        en`The disk is full; ${counts.imported} came in. Make room and bring in the folder again.`,
      );
    if (this.isClosed) return closed;
    return ok({ ...counts, errors: errors.toSorted((a, b) => (a.file < b.file ? -1 : 1)) });
  }

  /** Adds a sidecar's description to an existing file without one. */
  private async addWords({ from, sha256 }: Checked): Promise<Result<'known'>> {
    const held = this.foreign.existingAsset(sha256);
    const sidecar = await this.sidecarOf(from);
    if (held && sidecar.ok && sidecar.data) this.foreign.describe(held.id, sidecar.data);
    return ok('known');
  }

  private async copyIn({ from, sha256 }: Checked): Promise<Result<'imported' | 'known'>> {
    const sidecar = await this.sidecarOf(from);
    if (!sidecar.ok) return sidecar;
    const name = from.file.split('/').at(-1) ?? '';
    const isLost = await this.isLost(sha256);
    const incoming = { name, sha256, sidecar: sidecar.data, isLost };
    const taken = await this.foreign.bringIn(from.path, incoming, this.closing.signal);
    if (!taken.ok) return taken;
    this.deps.verifier.storedAnew(sha256);
    return ok(taken.data.isNew || isLost ? 'imported' : 'known');
  }

  /** An upload of a page. If it states a hash, an existing file is reused, and a lost one is replaced. */
  async upload(file: MediaUpload): Promise<Result<Asset>> {
    const { name, body, sha256 } = file;
    if (sha256 === undefined) return this.deps.library.upload(file);
    const isAlone = (file.role ?? 'source') === 'source' && file.taskId === undefined && file.parentId === undefined;
    if (!isAlone || !sha256Schema.safeParse(sha256).success) {
      body.destroy();
      return fail('invalid_input', en`sha256: must be the checksum of a file of the user’s, in hexadecimal.`, {
        field: 'sha256',
      });
    }
    const taken = await this.foreign.importBytes(body, { name, sha256, isLost: await this.isLost(sha256) });
    if (!taken.ok) return taken;
    this.deps.verifier.storedAnew(sha256);
    return ok(taken.data.asset);
  }

  private async isLost(sha256: string): Promise<boolean> {
    const held = this.foreign.existingAsset(sha256);
    return held !== undefined && !(await this.isWhole(held));
  }

  private async checkFile(from: FolderFile): Promise<Result<Checked>> {
    const read = await hashOf(from.path, this.closing.signal);
    if (!read.ok) return read;
    const sidecar = await this.sidecarOf(from);
    if (!sidecar.ok) return sidecar;
    const { sha256, bytes } = read.data;
    const refusal = this.mismatch({ sha256, sidecar: sidecar.data });
    if (refusal) return refusal;
    if (await this.heldAs({ sha256, sidecar: sidecar.data })) return ok({ from, sha256, bytes, isKnown: true });
    const probe = await probeInProcess(from.path);
    if (!probe) return unsupportedMedia;
    if (probe.isInPieces) return soundInPieces;
    return otherType(sidecar.data, probe.mime) ?? ok({ from, sha256, bytes, isKnown: false });
  }

  private async sidecarOf({ sidecar }: FolderFile): Promise<Result<Sidecar | undefined>> {
    if (sidecar === undefined) return ok(undefined);
    const text = await sidecarText(sidecar);
    return text === undefined ? cannotRead : readSidecar(text);
  }

  /** Refuses a sidecar for other bytes, or with a key in it. */
  private mismatch({ sha256, sidecar }: Given): Result<never> | undefined {
    if (sidecar && sidecar.sha256 !== sha256) return otherBytes;
    return sidecar && this.deps.secretIn(sidecar) !== undefined ? hasKey : undefined;
  }

  /** The asset with these bytes, or the one that a copy with our metadata was made from. */
  private async heldAs({ sha256, sidecar }: Given): Promise<{ id: string; name: string } | undefined> {
    const { foreign } = this;
    const { library } = this.deps;
    const held = foreign.existingAsset(sha256);
    if (held) return (await this.isWhole(held)) ? held : undefined;
    const original = sidecar?.made.sha256 === undefined ? undefined : foreign.existingAsset(sidecar.made.sha256);
    const file = original && library.open(original.id);
    if (!file?.ok || !isProvenance(sidecar?.provenance)) return undefined;
    // A sidecar can be wrong: the copy is made again and compared.
    const copy = await copyWithProvenance(file.data, sidecar.provenance);
    return copy && (await hashOfCopy(copy, this.closing.signal)) === sha256 ? original : undefined;
  }

  /** Whether the asset's file exists, as far as that is known without reading it. */
  private async isWhole(held: AssetRow): Promise<boolean> {
    if (held.state !== 'local') return false;
    const file = this.deps.library.open(held.id);
    // A file on a disconnected disk is not lost.
    if (!file.ok) return true;
    return (await sizeOf(file.data.path)) === held.bytes && !this.deps.verifier.isContentDamaged(held.sha256);
  }

  private async check({ files }: CallParsed<'library.checkImport'>): Promise<{ files: CheckedFile[] }> {
    const answers: CheckedFile[] = [];
    for (const { file, sha256, sidecar } of files) answers.push({ file, ...(await this.checkGiven(sha256, sidecar)) });
    return { files: answers };
  }

  private async checkGiven(sha256: string, text: string | undefined): Promise<Omit<CheckedFile, 'file'>> {
    const sidecar = text === undefined ? ok(undefined) : readSidecar(text);
    if (!sidecar.ok) return { state: 'error', message: sidecar.error.message };
    const given = { sha256, sidecar: sidecar.data };
    const refusal = this.mismatch(given);
    if (refusal && !refusal.ok) return { state: 'error', message: refusal.error.message };
    const prompt = sidecar.data?.made.prompt;
    const words = prompt ? { prompt: shortened(prompt, MAX_SHOWN) } : {};
    const held = await this.heldAs(given);
    const row = this.foreign.existingAsset(sha256);
    if (!held) return { state: 'new', ...(row ? { asset: { id: row.id, name: row.name } } : {}), ...words };
    const isBare = row !== undefined && row.elsewhere === null && row.job_id === null && sidecar.data !== undefined;
    return {
      state: 'known',
      asset: { id: held.id, name: held.name },
      ...(isBare ? { undescribed: true } : {}),
      ...words,
    };
  }

  /** For an uploaded file. Repeating it changes nothing. */
  private describe({ id, sidecar: text }: CallParsed<'library.describe'>): Result<Asset> {
    const file = this.deps.library.open(id);
    if (!file.ok) return file;
    const sidecar = readSidecar(text);
    if (!sidecar.ok) return sidecar;
    const { sha256, mime } = file.data;
    const refusal = this.mismatch({ sha256, sidecar: sidecar.data }) ?? otherType(sidecar.data, mime);
    return refusal ?? this.foreign.describe(id, sidecar.data);
  }

  /** The history that came with an imported file. */
  elsewhere(id: string): ImportedOrigin | undefined {
    return this.foreign.elsewhere(id);
  }

  /** How a file was made, according to the file and its sidecar. */
  private async found(id: string): Promise<Result<FoundProvenance>> {
    const found = await this.deps.library.found(id);
    const elsewhere = this.foreign.elsewhere(id);
    return found.ok && elsewhere ? ok({ ...found.data, elsewhere }) : found;
  }
}

/** The prompt in a list, in characters. */
const MAX_SHOWN = 300;

const closed = fail('wrong_state', en`Dailies was closed. Bring in the folder again, and the rest follows.`);
const cannotRead = fail('invalid_input', en`Its sidecar cannot be read, or is too long.`, { field: 'sidecar' });
const otherBytes = fail(
  'invalid_input',
  en`Its bytes are not those that its sidecar names: the file was changed, or the sidecar belongs to another one.`,
  { field: 'sidecar' },
);
const hasKey = fail('invalid_input', en`Its sidecar contains one of your API keys. Nothing of it was saved.`, {
  field: 'sidecar',
  isSecret: true,
});

function otherType(sidecar: Sidecar | undefined, mime: string): Result<never> | undefined {
  if (sidecar?.mime === undefined || sidecar.mime === mime) return undefined;
  return fail('invalid_input', en`Its sidecar calls it ${sidecar.mime.slice(0, 100)}, and it is ${mime}.`, {
    field: 'sidecar',
  });
}

async function hashOf(file: string, signal: AbortSignal): Promise<Result<{ sha256: string; bytes: number }>> {
  const handle = await openRegular(file);
  if (!handle) return fail('not_found', en`It cannot be read.`);
  try {
    const { size } = await handle.stat();
    if (size === 0) return fail('invalid_input', en`The file is empty.`);
    if (size > MAX_FILE_BYTES) return fail('too_large', en`It is larger than ${formatBytes(MAX_FILE_BYTES)}.`);
    const sha256 = await withTimeout(size, signal, () => hashOfHandle(handle, size));
    return ok({ sha256, bytes: size });
  } catch (error) {
    if (error instanceof FileTimeout) throw error;
    return fail('not_found', en`It cannot be read.`);
  } finally {
    // If the disk does not answer now, the file is closed once it does.
    void handle.close().catch(() => undefined);
  }
}

/** The hash of a copy without writing it; undefined if aborted. */
async function hashOfCopy(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string | undefined> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    if (signal.aborted) return undefined;
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** One file is read while another is hashed or examined. */
const AT_ONCE = 4;
