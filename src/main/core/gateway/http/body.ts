import { type Duplex, pipeline, Readable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createInflate,
  createInflateRaw,
  createUnzip,
  createZstdDecompress,
} from 'node:zlib';
import { BrokenBody, connectionFailure, type Failure } from './failure.ts';

/**
 * Undoes a content coding that nobody asked for; some proxies compress anyway, and some only say so. A body that ends before its
 * closing mark is handed out as far as it goes: whether it is whole shows in what it says.
 */
export async function* decoded(
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  host: string,
  most = MOST_UNPACKED,
): AsyncGenerator<Uint8Array> {
  const codings = (coding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (codings.length > MOST_CODINGS) throw new BrokenBody(unreadable(`${host} packed its answer too many times.`));
  let bytes: AsyncIterable<Uint8Array> = body;
  for (const name of codings.reverse()) bytes = unpacked(bytes, { coding: name, host, most });
  yield* bytes;
}

/** One is usual, and a proxy may add another. */
const MOST_CODINGS = 3;
/** A small answer may unpack to no end. Results are asked for as they are; what comes packed all the same is no longer than this. */
const MOST_UNPACKED = 1024 ** 3;

const unreadable = (message: string): Failure => ({ kind: 'network', message, sent: true });

interface Packed {
  coding: string;
  host: string;
  most: number;
}

async function* unpacked(body: AsyncIterable<Uint8Array>, packed: Packed): AsyncGenerator<Uint8Array> {
  const source = body[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    if (first.done) return;
    const whole = resumed(first.value, source);
    const unpack = unpackerFor(packed.coding, first.value);
    yield* unpack ? translated(whole, unpack, packed) : whole;
  } finally {
    await source.return?.();
  }
}

async function* resumed(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let step = await rest.next(); !step.done; step = await rest.next()) yield step.value;
}

/** By the name of the coding, unless the first bytes show that it was not applied. */
function unpackerFor(coding: string, first: Uint8Array): Duplex | undefined {
  const [one, two] = first;
  if (coding === 'gzip' || coding === 'x-gzip') return one === 0x1f ? createUnzip(LENIENT) : undefined;
  if (coding === 'deflate') {
    if (one === undefined || looksLikeText(one)) return undefined;
    const wrapped = (one & 0x0f) === 8 && (two === undefined || (one * 256 + two) % 31 === 0);
    return wrapped ? createInflate(LENIENT) : createInflateRaw(LENIENT);
  }
  if (coding === 'zstd') return one === 0x28 ? createZstdDecompress() : undefined;
  if (coding !== 'br') return undefined;
  return one === undefined || looksLikeText(one)
    ? undefined
    : createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
}

const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

/** An answer that says it is compressed and begins like JSON, a page or an event is none of these. */
const looksLikeText = (byte: number): boolean => '{[<:de'.includes(String.fromCharCode(byte));

async function* translated(
  body: AsyncIterable<Uint8Array>,
  unpack: Duplex,
  { host, most }: Packed,
): AsyncGenerator<Uint8Array> {
  let broken: unknown;
  pipeline(Readable.from(body), unpack, (error) => {
    broken = error;
  });
  let length = 0;
  try {
    for await (const piece of unpack as AsyncIterable<Uint8Array>) {
      length += piece.length;
      if (length > most) throw new BrokenBody(unreadable(`The answer of ${host} unpacks to no end.`));
      yield piece;
    }
  } catch (error) {
    const cause = broken ?? error;
    throw cause instanceof BrokenBody ? cause : new BrokenBody(connectionFailure(cause, host, true));
  }
}
