import { type Duplex, pipeline, Readable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createUnzip,
  createZstdDecompress,
} from 'node:zlib';
import { createParser } from 'eventsource-parser';
import { BrokenBody, connectionFailure, type Failure } from './failure.ts';

/**
 * Decodes a content coding that was not requested: some proxies compress anyway, and some only claim to. A body without its end mark is
 * returned as far as it goes; its content shows whether it is complete.
 */
export async function* decodeBody(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  host: string,
  most = MAX_DECOMPRESSED_BYTES,
): AsyncGenerator<Uint8Array> {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > MAX_CODINGS) throw new BrokenBody(unreadable(`${host} packed its answer too many times.`));
  let bytes: AsyncIterable<Uint8Array> = body;
  for (const name of codings.reverse()) bytes = decompress(bytes, { coding: name, host, most });
  yield* bytes;
}

/** One is usual; a proxy may add another. */
const MAX_CODINGS = 3;
/** A small answer may decompress without end. Results are requested uncompressed, so a compressed one may be at most this long. */
const MAX_DECOMPRESSED_BYTES = 1024 ** 3;

const unreadable = (message: string): Failure => ({ kind: 'network', message, sent: true });

interface Compressed {
  coding: string;
  host: string;
  most: number;
}

async function* decompress(body: AsyncIterable<Uint8Array>, compressed: Compressed): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    if (first.done) return;
    const whole = prepended(first.value, source);
    const decompressor = decompressorFor(compressed.coding, first.value);
    yield* decompressor ? throughDecompressor(whole, decompressor, compressed) : whole;
  } finally {
    await source.return?.();
  }
}

/** A body whose first piece was taken from it. */
export async function* prepended(
  first: Uint8Array | undefined,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first) yield first;
    for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** The decompressor for a coding, unless the first bytes show that the coding was not applied. */
function decompressorFor(coding: string, first: Uint8Array): Duplex | undefined {
  const [one, two] = first;
  if (coding === 'gzip' || coding === 'x-gzip') return one === 0x1f ? createUnzip(ALLOW_TRUNCATED) : undefined;
  if (coding === 'deflate') return inflaterFor(one, two);
  if (coding === 'zstd') return one === 0x28 ? createZstdDecompress() : undefined;
  if (coding !== 'br') return undefined;
  return one === undefined || looksLikeText(one)
    ? undefined
    : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
}

/** Services send both: with the header of zlib (RFC 1950), and without. */
function inflaterFor(one: number | undefined, two: number | undefined): Duplex | undefined {
  if (one === undefined || looksLikeText(one)) return undefined;
  const wrapped = (one & 0x0f) === 8 && (two === undefined || (one * 256 + two) % 31 === 0);
  return wrapped ? createInflate(ALLOW_TRUNCATED) : createInflateRaw(ALLOW_TRUNCATED);
}

const ALLOW_TRUNCATED = { finishFlush: constants.Z_SYNC_FLUSH };

/** An answer that claims to be compressed but begins like JSON, a page or an event is plain text. */
const looksLikeText = (byte: number): boolean => '{[<:de'.includes(String.fromCharCode(byte));

async function* throughDecompressor(
  body: AsyncIterable<Uint8Array>,
  decompressor: Duplex,
  { host, most }: Compressed,
): AsyncGenerator<Uint8Array> {
  let broken: unknown;
  pipeline(Readable.from(body), decompressor, (error) => {
    broken = error;
  });
  let length = 0;
  try {
    for await (const piece of decompressor as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > most) throw new BrokenBody(unreadable(`The answer of ${host} unpacks to no end.`));
      yield piece;
    }
  } catch (error) {
    const cause = broken ?? error;
    throw cause instanceof BrokenBody ? cause : new BrokenBody(connectionFailure(cause, host, true));
  }
}

export interface ServerEvent {
  name?: string;
  data: string;
  /** The event came without its closing blank line, so it counts only if it can be parsed. */
  tail: boolean;
}

/** Parses server-sent events from bytes in any pieces. `limit` bounds one event, in characters. */
export function createEventReader(limit: number, onEvent: (event: ServerEvent) => void) {
  const decoder = new TextDecoder();
  let tail = false;
  let broken = false;
  // No `onError`: the parser would build an error for every line that is no field, and a web page has many.
  const parser = createParser({
    maxBufferSize: limit,
    onEvent: ({ event, data }) => onEvent({ name: event, data, tail }),
  });
  const feedText = (text: string): boolean => {
    if (broken) return false;
    parser.feed(text);
    try {
      // The parser throws on the first call after an event that was too long.
      parser.feed('');
    } catch {
      broken = true;
    }
    return !broken;
  };
  return {
    /** `false` once one event is larger than the limit: nothing more can be read. */
    feed: (bytes: Uint8Array): boolean => feedText(decoder.decode(bytes, { stream: true })),
    end(): void {
      feedText(decoder.decode());
      tail = true;
      feedText('\n\n');
    },
  };
}
