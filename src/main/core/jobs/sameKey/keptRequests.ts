import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Idempotency } from '../../../../shared/idempotencySchema.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import { syncFolder } from '../../dataFolder.ts';
import type { SentRequest } from '../../gateway/index.ts';
import { mayLackRows } from '../../store/index.ts';
import type { EngineDeps } from '../deps.ts';
import { recordAnswer, recordSent } from '../journaled.ts';
import { rowById, saveOmitted } from '../records.ts';
import { saveKeyOfAttempt, saveRefusedSpelling } from './attemptKeys.ts';
import {
  type BodyPlace,
  filesOfSent,
  markMissing,
  removeSent,
  type SentRow,
  saveSent,
  sentRowOf,
  unmarkMissing,
} from './sentTable.ts';

/** A longer body, such as one with pictures, is in a file. */
const MAX_IN_ROW = 256 * 1024;
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const TOO_LONG = t`What was sent is longer than 64 MB and was not kept, so it cannot be sent again to the byte.`;
const SECRET = t`What was sent holds a key of its gateway, which is never written to disk, so it was not kept.`;
const NOT_WRITTEN = t`What was sent could not be written to disk at that time, so it cannot be sent again to the byte.`;
const DAMAGED = t`What was sent is damaged on disk or gone from it, so it cannot be sent again to the byte.`;
const UNREADABLE = t`What was sent cannot be read from disk at present. Dailies tries again when it is started next.`;

/** Of a body that is written nowhere, for it holds a secret, nothing is told. */
const factsOf = ({ body }: SentRequest): BodyPlace =>
  body === undefined
    ? { bytes: 0, sha256: '' }
    : { bytes: Buffer.byteLength(body), sha256: createHash('sha256').update(body).digest('hex') };

const fileName = (jobId: string, sha256: string): string => `${jobId}-${sha256.slice(0, 16)}.json`;

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The request as it was sent, unless its bytes are others now. */
function requestOf(row: SentRow, body: string): Result<SentRequest & { body: string }> {
  const headers = headersOf(row);
  if (!headers || createHash('sha256').update(body).digest('hex') !== row.sha256) return fail('wrong_state', DAMAGED);
  return ok({
    form: row.form,
    baseUrl: row.base_url,
    path: row.path,
    headers,
    ...(row.auth_header === null ? {} : { authHeader: row.auth_header }),
    key: row.key,
    body,
    account: row.account,
  });
}

function headersOf({ headers }: SentRow): Record<string, string> | undefined {
  try {
    return JSON.parse(headers) as Record<string, string>;
  } catch {
    return undefined;
  }
}

/** Keeps the requests of jobs that are being sent or in doubt, to the byte, on disk before the first byte leaves. */
export class KeptRequests {
  private readonly deps: Pick<EngineDeps, 'store' | 'dataDir' | 'log'>;
  private readonly beforeSending: () => void;
  private readonly folder: string;
  /** Jobs that may have a file. */
  private readonly withFile = new Set<string>();

  constructor(deps: Pick<EngineDeps, 'store' | 'dataDir' | 'log'>, beforeSending: () => void) {
    this.deps = deps;
    this.beforeSending = beforeSending;
    this.folder = path.join(deps.dataDir, 'sent');
  }

  /**
   * Never rejects: where it cannot be kept, the request is sent all the same, and cannot be asked for again. A profile whose service is not
   * documented to take the key twice has no use for it: only the facts of what is sent are written.
   */
  async keep(jobId: string, request: SentRequest, idempotency: Idempotency): Promise<void> {
    this.beforeSending();
    await this.noteOmitted(jobId, request);
    try {
      const isKept = idempotency.kind === 'documented';
      const place = isKept ? await this.store(jobId, request) : factsOf(request);
      await this.deps.store.grouped((db) => {
        // It may have been canceled meanwhile: then its doubt is settled by the bill only.
        const row = rowById(db, jobId);
        if (row?.state !== 'sending') return;
        if (isKept) saveSent(db, jobId, request, place);
        else removeSent(db, jobId);
        recordSent(db, row, { ...request, ...place, body: request.body });
        saveKeyOfAttempt(db, jobId, request.key);
      });
    } catch (error) {
      this.deps.log.error({ job: jobId, error: String(error) }, 'a request could not be kept as it is sent');
    }
  }

  /** Holds also for a request that cannot be kept. */
  private async noteOmitted(jobId: string, { omitted }: SentRequest): Promise<void> {
    const { store, log } = this.deps;
    try {
      // Most orders omit nothing, and need no write of their own.
      if (!omitted?.length && rowById(store.read, jobId)?.omitted === null) return;
      await store.grouped((db) => {
        const row = rowById(db, jobId);
        if (row?.state === 'sending') saveOmitted(db, row, omitted);
      });
    } catch (error) {
      log.error({ job: jobId, error: String(error) }, 'what is not sent of an order could not be noted');
    }
  }

  /**
   * What is kept was refused, and the request is about to be sent in another spelling: without this, a kill or a full disk would leave
   * bytes that are not the last ones sent. False if that cannot be written: then nothing more may be sent.
   */
  refused(jobId: string): boolean {
    try {
      this.deps.store.transaction((db) => {
        removeSent(db, jobId);
        saveRefusedSpelling(db, jobId);
        const row = rowById(db, jobId);
        if (row) recordAnswer(db, row, 'otherSpelling');
      });
      return true;
    } catch (error) {
      this.deps.log.error({ job: jobId, error: String(error) }, 'a request is not sent in another spelling');
      return false;
    }
  }

  private async store(jobId: string, request: SentRequest): Promise<BodyPlace> {
    const place = factsOf(request);
    const { body } = request;
    const { bytes } = place;
    if (body === undefined) return { ...place, missing: SECRET };
    if (bytes > MAX_KEPT_BYTES) return { ...place, missing: TOO_LONG };
    if (bytes <= MAX_IN_ROW) return { ...place, body };
    try {
      this.withFile.add(jobId);
      await this.writeFile(fileName(jobId, place.sha256), body);
      return { ...place, inFile: true };
    } catch (error) {
      this.deps.log.error({ job: jobId, error: String(error) }, 'a long request could not be kept as it is sent');
      return { ...place, missing: NOT_WRITTEN };
    }
  }

  /** Under another name until it is complete and on disk. */
  private async writeFile(name: string, body: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const target = path.join(this.folder, name);
    const file = await open(`${target}.part`, 'w', 0o600);
    try {
      await file.writeFile(body);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(`${target}.part`, target);
    syncFolder(this.folder);
  }

  /**
   * The request with its body, whose hash is that of the bytes that were sent. Where it cannot be read, that is written with it, so that the
   * job says so and is not asked for again.
   */
  async read(jobId: string): Promise<Result<SentRequest & { body: string }>> {
    const row = sentRowOf(this.deps.store.read, jobId);
    if (!row) return fail('wrong_state', DAMAGED);
    if (row.missing !== null) return fail('wrong_state', row.missing);
    const body = await this.bodyOf(row);
    const request = body.ok ? requestOf(row, body.data) : body;
    if (!request.ok) this.deps.store.transaction((db) => markMissing(db, row, request.error.message));
    return request;
  }

  private async bodyOf({ job_id: id, sha256, in_file: inFile, body }: SentRow): Promise<Result<string>> {
    if (inFile !== 1) return body === null ? fail('wrong_state', DAMAGED) : ok(body);
    try {
      return ok(await readFile(path.join(this.folder, fileName(id, sha256)), 'utf8'));
    } catch (error) {
      this.deps.log.error({ job: id, error: String(error) }, 'a request cannot be read as it was sent');
      return fail('wrong_state', isGone(error) ? DAMAGED : UNREADABLE);
    }
  }

  /**
   * Removes the files of an earlier run that no job in doubt needs; what a kill left half written, too. Where rows may be missing, one of
   * them may need it, and nothing is removed. Marks what is gone. Returns the ids of the jobs that may have changed by it.
   */
  async start(): Promise<string[]> {
    const { store } = this.deps;
    const names = await readdir(this.folder).catch((error: unknown) => (isGone(error) ? [] : undefined));
    if (!names) return [];
    // What is being sent since the start has written its file, and not its row, or the other way round.
    const earlier = filesOfSent(store.read).filter(({ id }) => !this.withFile.has(id));
    const needed = new Map(earlier.map(({ id, sha256 }) => [fileName(id, sha256), id]));
    const isOfThisRun = (name: string): boolean => [...this.withFile].some((id) => name.startsWith(`${id}-`));
    const keepsAll = mayLackRows(store.read);
    for (const name of names.filter((name) => !isOfThisRun(name))) {
      const jobId = needed.get(name);
      if (jobId !== undefined) this.withFile.add(jobId);
      else if (!keepsAll) await rm(path.join(this.folder, name), { force: true }).catch(this.notRemoved);
      needed.delete(name);
    }
    return store.transaction((db) => {
      const gone = [...needed.values()].flatMap((id) => sentRowOf(db, id) ?? []);
      const marked = gone.filter((row) => markMissing(db, row, DAMAGED) > 0).map(({ job_id: id }) => id);
      return unmarkMissing(db, UNREADABLE) > 0 ? earlier.map(({ id }) => id) : marked;
    });
  }

  /**
   * Removes the files of those of these jobs that are no longer being sent or in doubt. One that cannot be removed, such as while another
   * program reads it, is removed by the next start. Errors never reach the callers, which have an answer to finish.
   */
  changed(ids: readonly string[]): void {
    if (this.withFile.size === 0) return;
    for (const id of ids) {
      const state = this.withFile.has(id) ? rowById(this.deps.store.read, id)?.state : 'sending';
      if (state === 'sending' || state === 'uncertain') continue;
      this.withFile.delete(id);
      try {
        this.removeFilesOf(id);
      } catch (error) {
        this.notRemoved(error);
      }
    }
  }

  private readonly notRemoved = (error: unknown): void =>
    this.deps.log.error({ error: String(error) }, 'a request that is not needed any more could not be removed');

  private removeFilesOf(id: string): void {
    for (const name of fs.readdirSync(this.folder)) {
      if (name.startsWith(`${id}-`)) fs.rmSync(path.join(this.folder, name), { force: true });
    }
  }
}
