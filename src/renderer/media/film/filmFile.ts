import { Mp4OutputFormat, Output, StreamTarget, type StreamTargetChunk } from 'mediabunny';
import { FILM_PIECE_BYTES, type FilmProvenance, PROVENANCE_KEY } from '../../../shared/film/filmTask.ts';
import type { WritePiece } from './filmDesk.ts';

/** The metadata in a film's file. */
export interface FilmSays {
  title: string;
  provenance?: FilmProvenance | undefined;
}

/** The output file of a film, written piece by piece: only one or two pieces are in memory. */
export interface FilmFile {
  output: Output;
  /** Writes the index and the boxes after it. */
  finish(): Promise<void>;
}

/** The index goes to the front, into reserved space: every track must state the most packets it will have (`maximumPacketCount`). */
export function openFilmFile(write: WritePiece, { title, provenance }: FilmSays): FilmFile {
  let end = 0;
  let index: { data: Uint8Array; at: number } | undefined;
  const writable = new WritableStream<StreamTargetChunk>({
    async write({ data, position }) {
      end = Math.max(end, position + data.byteLength);
      await inPieces(data, position);
    },
  });
  const inPieces = async (data: Uint8Array, position: number): Promise<void> => {
    for (let from = 0; from < data.byteLength; from += FILM_PIECE_BYTES)
      await write(position + from, new Uint8Array(data.subarray(from, from + FILM_PIECE_BYTES)));
  };
  const output = new Output({
    format: new Mp4OutputFormat({
      fastStart: 'reserve',
      metadataFormat: 'mdta',
      onMoov: (data, at) => {
        index = { data, at };
      },
    }),
    target: new StreamTarget(writable, { chunked: true, chunkSize: FILM_PIECE_BYTES }),
  });
  output.setMetadataTags({ title, ...(provenance ? { raw: { [PROVENANCE_KEY]: provenance.json } } : {}) });
  return {
    output,
    async finish() {
      await output.finalize();
      if (index) await inPieces(withVersionedMeta(index.data), index.at);
      if (provenance) await write(end, xmpBox(provenance.xmp));
    },
  };
}

/** The identifier of an XMP packet in ISO base media files (XMP Specification Part 3, 1.3.5). */
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';

function xmpBox(xmp: string): Uint8Array<ArrayBuffer> {
  const packet = new TextEncoder().encode(xmp);
  const box = new Uint8Array(24 + packet.byteLength);
  new DataView(box.buffer).setUint32(0, box.byteLength);
  box.set(new TextEncoder().encode('uuid'), 4);
  box.set(
    Array.from({ length: 16 }, (_, index) => Number.parseInt(XMP_UUID.slice(index * 2, index * 2 + 2), 16)),
    8,
  );
  box.set(packet, 24);
  return box;
}

/** Bytes of a version and flags (ISO/IEC 14496-12, 4.2). */
const VERSION_BYTES = 4;

/**
 * The index of an MP4 with a version field in its metadata (8.11.1), without which ExifTool and MediaInfo cannot read it; the free space
 * after it shrinks accordingly. Unchanged without metadata or space.
 */
function withVersionedMeta(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = view.getUint32(0);
  const user = boxIn(view, { from: 8, to: size }, 'udta');
  const meta =
    user === undefined ? undefined : boxIn(view, { from: user + 8, to: user + view.getUint32(user) }, 'meta');
  const room = size + 8 > view.byteLength ? 0 : view.getUint32(size);
  if (user === undefined || meta === undefined || room < 8 + VERSION_BYTES) return bytes;
  const moved = new Uint8Array(size + VERSION_BYTES + 8);
  moved.set(bytes.subarray(0, meta + 8));
  moved.set(bytes.subarray(meta + 8, size + 8), meta + 8 + VERSION_BYTES);
  const written = new DataView(moved.buffer);
  for (const at of [0, user, meta]) written.setUint32(at, view.getUint32(at) + VERSION_BYTES);
  written.setUint32(size + VERSION_BYTES, room - VERSION_BYTES);
  return moved;
}

/** The offset of a box of that type. */
function boxIn(view: DataView, { from, to }: { from: number; to: number }, type: string): number | undefined {
  for (let at = from; at + 8 <= to; at += view.getUint32(at)) {
    if (view.getUint32(at) < 8) return undefined;
    const name = String.fromCharCode(...[4, 5, 6, 7].map((byte) => view.getUint8(at + byte)));
    if (name === type) return at;
  }
  return undefined;
}
