import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Idempotency } from '../../../../shared/idempotencySchema.ts';
import { fail, ok, type Result } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
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
  saveBody,
  saveSent,
  sentRowOf,
} from './sentTable.ts';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const TOO_LONG = t`What was sent is longer than 64 MB and was not kept, so it cannot be sent again to the byte.`;
const SECRET = t`What was sent holds a key of its gateway, which is never written to disk, so it was not kept.`;
const DAMAGED = t`What was sent is damaged on disk or gone from it, so it cannot be sent again to the byte.`;
/** Of a body that is written nowhere, for it holds a secret, nothing is told. */
function placeOf({ body }: SentRequest): BodyPlace {
  if (body === undefined) return { bytes: 0, sha256: '', missing: SECRET };
  const facts = { bytes: Buffer.byteLength(body), sha256: sha256Of(body) };
  return { ...facts, ...(facts.bytes > MAX_KEPT_BYTES ? { missing: TOO_LONG } : { body }) };
}

const sha256Of = (body: string): string => createHash('sha256').update(body).digest('hex');

/** The request as it was sent, unless its bytes are others now. */
function requestOf(row: SentRow): Result<SentRequest & { body: string }> {
  const { body } = row;
  const headers = headersOf(row);
  if (!headers || body === null || sha256Of(body) !== row.sha256) return fail('wrong_state', DAMAGED);
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

  constructor(deps: Pick<EngineDeps, 'store' | 'dataDir' | 'log'>, beforeSending: () => void) {
    this.deps = deps;
    this.beforeSending = beforeSending;
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
      const place = placeOf(request);
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

  /**
   * The request with its body, whose hash is that of the bytes that were sent. Where it cannot be read, that is written with it, so that the
   * job says so and is not asked for again.
   */
  read(jobId: string): Result<SentRequest & { body: string }> {
    const row = sentRowOf(this.deps.store.read, jobId);
    if (!row) return fail('wrong_state', DAMAGED);
    if (row.missing !== null) return fail('wrong_state', row.missing);
    const request = requestOf(row);
    if (!request.ok) this.deps.store.transaction((db) => markMissing(db, row, request.error.message));
    return request;
  }

  /** Earlier versions kept long bodies in files: each goes into its row, and then the folder goes. Returns the ids of their jobs. */
  async start(): Promise<string[]> {
    const { store, dataDir, log } = this.deps;
    const folder = path.join(dataDir, 'sent');
    const left = (error: unknown): void =>
      log.error({ error: String(error) }, 'what an earlier version kept as it was sent stays in its file');
    const files = filesOfSent(store.read);
    for (const { id, sha256 } of files) {
      const body = await readFile(path.join(folder, `${id}-${sha256.slice(0, 16)}.json`), 'utf8').catch(left);
      if (body !== undefined) store.transaction((db) => saveBody(db, { id, sha256, body }));
    }
    // Where rows may be missing, one of them may need it.
    if (filesOfSent(store.read).length === 0 && !mayLackRows(store.read))
      await rm(folder, { recursive: true, force: true }).catch(left);
    return files.map(({ id }) => id);
  }
}
