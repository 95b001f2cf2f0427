import { pipeline, Readable, type TransformOptions } from 'node:stream';
import { crc32, createInflate, type ZlibOptions } from 'node:zlib';
import { MASK_EDGE } from '../../../../shared/kinds/edit.ts';
import { type OpenFile, PNG_SIGNATURE, readBytes } from './containers.ts';

/**
 * The rows of a PNG, one after the other (PNG 3rd edition). Of an untrusted file only the pixels are decompressed, `height × (rowBytes +
 * 1)` bytes and hardly more, however much the stream would inflate to, with one row in memory at a time. Decompression uses zlib's own
 * threads, so the event loop stays free between chunks.
 */
export interface PngHead {
  width: number;
  height: number;
  /** Bits per sample. */
  depth: number;
  channels: number;
  hasAlpha: boolean;
  interlaced: boolean;
  /** Red, green and blue of each entry, one after the other. */
  palette?: Uint8Array;
  /** `tRNS`: transparency by palette entry or by colour. */
  transparent?: Uint8Array;
}

export interface Png {
  head: PngHead;
  /** Each row's packed samples and its number of pixels. Rows of an interlaced picture come pass by pass. */
  rows: AsyncGenerator<{ samples: Uint8Array; pixels: number }>;
}

/** Reads up to the pixels. Throws if the file is not a valid PNG. */
export async function openPng(bytes: OpenFile): Promise<Png> {
  const chunks = chunksOf(bytes);
  const found = new Map<string, Buffer>();
  for (;;) {
    const { type, length } = await chunks.next();
    if (type === 'IDAT') break;
    if (found.size === 0 && type !== 'IHDR') throw new Error('no header');
    if (type === 'IEND') throw new Error('no pixels');
    const most = MAX_CHUNK_BYTES[type];
    if (most === undefined) continue;
    if (length > most || found.has(type)) throw new Error(`bad ${type}`);
    found.set(type, await chunks.readAll());
  }
  const head = headOf(found);
  return { head, rows: rowsOf(head, chunks) };
}

/** The chunks that describe the pixels, with their greatest lengths (PNG 11.2, 11.3.1.1); all others are skipped. */
const MAX_CHUNK_BYTES: Readonly<Record<string, number>> = { IHDR: 13, PLTE: 768, tRNS: 256 };

/** Colour types by number, with their allowed depths (PNG table 11.1). */
const COLOURS = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16], hasAlpha: false }],
  [2, { channels: 3, depths: [8, 16], hasAlpha: false }],
  [3, { channels: 1, depths: [1, 2, 4, 8], hasAlpha: false }],
  [4, { channels: 2, depths: [8, 16], hasAlpha: true }],
  [6, { channels: 4, depths: [8, 16], hasAlpha: true }],
]);

function headOf(found: ReadonlyMap<string, Buffer>): PngHead {
  const header = found.get('IHDR');
  if (header?.length !== 13) throw new Error('bad header');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, type = -1, packing, filters, interlace = 0] = header.subarray(8);
  const colour = COLOURS.get(type);
  const isKnown = packing === 0 && filters === 0 && interlace <= 1 && colour?.depths.includes(depth);
  if (!colour || !isKnown || width === 0 || height === 0) throw new Error('bad header');
  if (width > MASK_EDGE || height > MASK_EDGE)
    throw new Error(`A PNG must be at most ${MASK_EDGE} pixels wide and high; this one is ${width} × ${height}.`);
  const palette = type === 3 ? found.get('PLTE') : undefined;
  if (type === 3 && !palette) throw new Error('no palette');
  const transparent = found.get('tRNS');
  return {
    width,
    height,
    depth,
    channels: colour.channels,
    hasAlpha: colour.hasAlpha,
    interlaced: interlace === 1,
    ...(palette ? { palette } : {}),
    ...(transparent ? { transparent } : {}),
  };
}

interface Chunks {
  /** The header of the next chunk; the rest of the current one is skipped. */
  next(): Promise<{ type: string; length: number }>;
  /** The whole data of this chunk. */
  readAll(): Promise<Buffer>;
  /** The data of this `IDAT` and of those that follow it. */
  pixels(): AsyncGenerator<Buffer>;
}

const READ_BYTES = 64 * 1024;

function chunksOf(bytes: OpenFile): Chunks {
  let at = -1;
  let chunk = { type: '', length: 0 };
  const next = async (): Promise<typeof chunk> => {
    if (at < 0 && !(await readBytes(bytes, 0, 8)).equals(PNG_SIGNATURE)) throw new Error('no PNG');
    at = at < 0 ? 8 : at + 12 + chunk.length;
    const start = await readBytes(bytes, at, 8);
    chunk = { type: start.toString('latin1', 4), length: start.readUInt32BE(0) };
    return chunk;
  };
  async function* body(): AsyncGenerator<Buffer> {
    let sum = crc32(chunk.type);
    for (let done = 0; done < chunk.length; done += READ_BYTES) {
      const piece = await readBytes(bytes, at + 8 + done, Math.min(READ_BYTES, chunk.length - done));
      sum = crc32(piece, sum);
      yield piece;
    }
    if ((await readBytes(bytes, at + 8 + chunk.length, 4)).readUInt32BE(0) !== sum)
      throw new Error(`damaged ${chunk.type}`);
  }
  return {
    next,
    async readAll() {
      const pieces: Buffer[] = [];
      for await (const piece of body()) pieces.push(piece);
      return Buffer.concat(pieces);
    },
    async *pixels() {
      for (; chunk.type === 'IDAT'; await next()) yield* body();
    },
  };
}

/** The passes of an interlaced picture: first column, first row, and their distances (PNG 8.2). */
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function passesOf({ width, height, interlaced }: PngHead): { pixels: number; rows: number }[] {
  if (!interlaced) return [{ pixels: width, rows: height }];
  return ADAM7.map(([x, y, dx, dy]) => ({
    pixels: Math.ceil((width - x) / dx),
    rows: Math.ceil((height - y) / dy),
  })).filter(({ pixels, rows }) => pixels > 0 && rows > 0);
}

async function* rowsOf(head: PngHead, chunks: Chunks): Png['rows'] {
  const bits = head.depth * head.channels;
  const step = Math.max(1, bits >> 3);
  const passes = passesOf(head);
  const rowBytes = (pixels: number): number => Math.ceil((pixels * bits) / 8);
  const bytes = inflated(
    chunks,
    passes.reduce((sum, { pixels, rows }) => sum + rows * (rowBytes(pixels) + 1), 0),
  );
  try {
    for (const { pixels, rows } of passes) {
      let above = new Uint8Array(rowBytes(pixels));
      for (let row = 0; row < rows; row += 1) {
        const samples = await bytes.take(above.length + 1);
        unfilter(samples[0] ?? 0, samples.subarray(1), above, step);
        above = samples.subarray(1);
        yield { samples: above, pixels };
      }
    }
  } finally {
    bytes.close();
  }
}

/** zlib unpacks no smaller pieces. */
const MIN_PIECE_BYTES = 64;

/**
 * The decompressed bytes, as many as are requested. All pieces have the same length and together exactly the expected length, and none is
 * unpacked before the last one is used up, so hardly any byte is unpacked beyond.
 */
function inflated(chunks: Chunks, expectedBytes: number) {
  const pieceBytes = Math.ceil(expectedBytes / Math.ceil(expectedBytes / READ_BYTES));
  const options: ZlibOptions & TransformOptions = {
    chunkSize: Math.max(pieceBytes, MIN_PIECE_BYTES),
    readableHighWaterMark: 0,
  };
  const inflate = createInflate(options);
  // Errors surface when the stream is read.
  pipeline(Readable.from(chunks.pixels()), inflate, () => undefined);
  const pieces = inflate[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  return {
    async take(length: number): Promise<Uint8Array<ArrayBuffer>> {
      const taken = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        if (held.length === 0) {
          const step = await pieces.next();
          if (step.done) throw new Error('too few pixels');
          held = step.value;
        }
        const part = held.subarray(0, length - done);
        taken.set(part, done);
        done += part.length;
        held = held.subarray(part.length);
      }
      return taken;
    },
    close: () => inflate.destroy(),
  };
}

/** Undoes the filter of one row in place (PNG 9.2). */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): void {
  if (filter > 4) throw new Error('bad filter');
  if (filter === 0) return;
  for (let at = 0; at < row.length; at += 1) {
    const left = at < step ? 0 : (row[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, corner);
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  return filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
}

/** Paeth's predictor (PNG 9.4). */
function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}
