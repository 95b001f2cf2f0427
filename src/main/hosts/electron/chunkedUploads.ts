import { PassThrough, type Readable } from 'node:stream';
import type { UploadedBundle } from '../../../shared/bundle/calls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { Clock } from '../../core/ports.ts';

/** A page that sends nothing for this long is gone. */
const IDLE_MS = 60_000;
const MAX_OPEN_UPLOADS = 32;

type Uploaded = Asset | UploadedBundle;

/** One chunk of an upload: its bytes start at `at` of `of`. */
export interface Chunk {
  /** Chosen by the page, the same for all its chunks. */
  id: string;
  at: number;
  of: number;
}

/** The chunk described by a PUT's address; undefined if there is none or it is invalid. */
export function chunkFrom(fields: URLSearchParams): Chunk | undefined {
  const id = fields.get('upload') ?? '';
  const number = (name: string) => (/^\d{1,15}$/.test(fields.get(name) ?? '') ? Number(fields.get(name)) : -1);
  const [at, of] = [number('at'), number('of')];
  return /^[0-9a-f-]{36}$/.test(id) && at >= 0 && of > at ? { id, at, of } : undefined;
}

interface OpenUpload {
  body: PassThrough;
  got: number;
  of: number;
  /** The library's answer, as soon as it is known. */
  result: Promise<Result<Uploaded>>;
  /** The library has answered: the rest is not awaited. */
  isAnswered: boolean;
  cancelIdle(): void;
}

/**
 * Uploads in consecutive chunks. Electron buffers a whole request body (a Blob given to `protocol.handle`), so a film is sent as many small
 * bodies and read here as one stream.
 */
export class ChunkedUploads {
  private readonly open = new Map<string, OpenUpload>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Returns null while chunks are missing, then the result of `begin`, which is called with the first chunk. */
  async put(
    chunk: Chunk,
    bytes: Readable,
    begin: (body: Readable) => Promise<Result<Uploaded>>,
  ): Promise<Result<Uploaded | null>> {
    const upload = chunk.at === 0 ? this.begin(chunk, begin) : this.open.get(chunk.id);
    if (!upload || upload.got !== chunk.at || upload.of !== chunk.of) {
      bytes.destroy();
      this.drop(chunk.id);
      return fail('invalid_input', 'at: must be where the piece before it ended.', { field: 'at' });
    }
    upload.cancelIdle();
    try {
      await pass(bytes, upload);
    } catch {
      this.drop(chunk.id);
      return fail('invalid_input', 'The piece ended before it was whole: send the file again.');
    }
    if (upload.got > upload.of) {
      this.drop(chunk.id);
      return fail('invalid_input', 'of: is less than what came.', { field: 'of' });
    }
    if (upload.got < upload.of && !upload.isAnswered) {
      upload.cancelIdle = this.clock.after(IDLE_MS, () => this.drop(chunk.id));
      return ok(null);
    }
    this.open.delete(chunk.id);
    upload.body.end();
    return upload.result;
  }

  private begin(chunk: Chunk, begin: (body: Readable) => Promise<Result<Uploaded>>): OpenUpload | undefined {
    if (this.open.has(chunk.id) || this.open.size >= MAX_OPEN_UPLOADS) return undefined;
    const body = new PassThrough();
    // The reader gets the error too; without a reader it is harmless.
    body.on('error', () => {});
    const result = begin(body);
    const upload: OpenUpload = { body, got: 0, of: chunk.of, result, isAnswered: false, cancelIdle: () => {} };
    // Destroying the body releases a writer that waits for it to drain.
    const answered = () => {
      upload.isAnswered = true;
      body.destroy();
    };
    void result.then(answered, answered);
    this.open.set(chunk.id, upload);
    return upload;
  }

  private drop(id: string): void {
    const upload = this.open.get(id);
    this.open.delete(id);
    upload?.cancelIdle();
    upload?.body.destroy(new Error('The upload was cut off.'));
  }
}

async function pass(bytes: Readable, upload: OpenUpload): Promise<void> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    upload.got += chunk.length;
    if (upload.isAnswered || upload.got > upload.of) return;
    if (!upload.body.write(chunk)) await drained(upload.body);
  }
}

/** Resolves when the body has drained or closed; leaves no listeners behind. */
const drained = (body: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    if (body.destroyed) return resolve();
    const done = () => {
      body.off('drain', done);
      body.off('close', done);
      resolve();
    };
    body.on('drain', done);
    body.on('close', done);
  });
