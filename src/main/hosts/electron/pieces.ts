import { PassThrough, type Readable } from 'node:stream';
import type { Asset } from '../../../shared/asset.ts';
import { fail, ok, type Result } from '../../../shared/result.ts';
import type { Clock } from '../../core/ports.ts';

/** A page that stops sending for this long has gone. */
const IDLE_MS = 60_000;
const MOST_AT_ONCE = 32;

/** One piece of an upload: its bytes stand at `at` of `of`. */
export interface Piece {
  /** Made by the page, the same for all its pieces. */
  id: string;
  at: number;
  of: number;
}

/** The fields of a piece in the address of a PUT; undefined where it is no piece, or a broken one. */
export function pieceOf(fields: URLSearchParams): Piece | undefined {
  const id = fields.get('upload') ?? '';
  const number = (name: string) => (/^\d{1,15}$/.test(fields.get(name) ?? '') ? Number(fields.get(name)) : -1);
  const [at, of] = [number('at'), number('of')];
  return /^[0-9a-f-]{36}$/.test(id) && at >= 0 && of > at ? { id, at, of } : undefined;
}

interface Open {
  body: PassThrough;
  got: number;
  of: number;
  /** What the library says of it, as early as it says it. */
  result: Promise<Result<Asset>>;
  /** It has said so: the rest is not waited for. */
  isAnswered: boolean;
  cancelIdle(): void;
}

/**
 * Uploads that come in pieces, one after the other. Electron holds the body of a request whole before it is handed over
 * (a Blob given to `protocol.handle`), so a film is sent as many small bodies and read here as one stream.
 */
export class PieceUploads {
  private readonly open = new Map<string, Open>();
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Answers null while there is more to come, then what `begin` made of the whole. `begin` is called with the first piece. */
  async put(
    piece: Piece,
    bytes: Readable,
    begin: (body: Readable) => Promise<Result<Asset>>,
  ): Promise<Result<Asset | null>> {
    const upload = piece.at === 0 ? this.begin(piece, begin) : this.open.get(piece.id);
    if (!upload || upload.got !== piece.at || upload.of !== piece.of) {
      bytes.destroy();
      this.drop(piece.id);
      return fail('invalid_input', 'at: must be where the piece before it ended.', { field: 'at' });
    }
    upload.cancelIdle();
    try {
      await pass(bytes, upload);
    } catch {
      this.drop(piece.id);
      return fail('invalid_input', 'The piece ended before it was whole: send the file again.');
    }
    if (upload.got > upload.of) {
      this.drop(piece.id);
      return fail('invalid_input', 'of: is less than what came.', { field: 'of' });
    }
    if (upload.got < upload.of && !upload.isAnswered) {
      upload.cancelIdle = this.clock.after(IDLE_MS, () => this.drop(piece.id));
      return ok(null);
    }
    this.open.delete(piece.id);
    upload.body.end();
    return upload.result;
  }

  private begin(piece: Piece, begin: (body: Readable) => Promise<Result<Asset>>): Open | undefined {
    if (this.open.has(piece.id) || this.open.size >= MOST_AT_ONCE) return undefined;
    const body = new PassThrough();
    // Whoever reads hears of a cut too; where nobody reads any more, it is no fault.
    body.on('error', () => {});
    const result = begin(body);
    const upload: Open = { body, got: 0, of: piece.of, result, isAnswered: false, cancelIdle: () => {} };
    // Whoever waits for room in the body is let go by its end.
    const answered = () => {
      upload.isAnswered = true;
      body.destroy();
    };
    void result.then(answered, answered);
    this.open.set(piece.id, upload);
    return upload;
  }

  private drop(id: string): void {
    const upload = this.open.get(id);
    this.open.delete(id);
    upload?.cancelIdle();
    upload?.body.destroy(new Error('The upload was cut off.'));
  }
}

async function pass(bytes: Readable, upload: Open): Promise<void> {
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    upload.got += chunk.length;
    if (upload.isAnswered || upload.got > upload.of) return;
    if (!upload.body.write(chunk)) await drained(upload.body);
  }
}

/** Ends when there is room again, or nobody reads any more; it leaves no listener behind. */
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
