/** Position and length of the sound in a WAV file (Multimedia Programming Interface 1.0: RIFF; EBU Tech 3306: RF64). */
export interface WavLayout {
  dataAt: number;
  dataBytes: number;
  seconds: number;
  /** The stated end of the file; more bytes may follow. */
  end: number;
  /** The start of the file with sizes filled in that a program left at zero (to the end of the file). */
  head: Uint8Array<ArrayBuffer>;
  isRepaired: boolean;
}

/** The sound begins within this number of bytes, after texts and peaks. */
export const WAV_HEAD_BYTES = 64 * 1024;

const PCM = 1;
const FLOAT = 3;
const OPEN = 0xffff_ffff;
const idAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));

interface Found {
  bytesPerSecond: number;
  isPlain: boolean;
  rate: number;
  frames: number;
  longSize?: number;
}

/** `start`: the beginning of a file of `size` bytes. Undefined if it is no WAV file, or its sound does not begin there. */
export function wavLayout(start: Uint8Array, size: number): WavLayout | undefined {
  const head = new Uint8Array(start);
  const view = new DataView(head.buffer);
  if (head.length < 12 || !['RIFF', 'RF64'].includes(idAt(view, 0)) || idAt(view, 8) !== 'WAVE') return undefined;
  const found: Found = { bytesPerSecond: 0, isPlain: true, rate: 0, frames: 0 };
  for (let at = 12; at + 8 <= head.length; ) {
    const length = view.getUint32(at + 4, true);
    if (idAt(view, at) === 'data') return layoutOf(head, view, { at, length, size, found });
    readChunk(view, at, length, found);
    at += 8 + length + (length & 1);
  }
  return undefined;
}

function readChunk(view: DataView, at: number, length: number, found: Found): void {
  const has = (bytes: number): boolean => length >= bytes && at + 8 + bytes <= view.byteLength;
  const id = idAt(view, at);
  if (id === 'fmt ' && has(14)) {
    const tag = view.getUint16(at + 8, true);
    const meant = tag === 0xfffe && has(26) ? view.getUint16(at + 32, true) : tag;
    found.isPlain = meant === PCM || meant === FLOAT;
    found.rate = view.getUint32(at + 12, true);
    found.bytesPerSecond = view.getUint32(at + 16, true);
  } else if (id === 'fact' && has(4)) found.frames = view.getUint32(at + 8, true);
  else if (id === 'ds64' && has(16)) found.longSize = Number(view.getBigUint64(at + 16, true));
}

function layoutOf(
  head: Uint8Array<ArrayBuffer>,
  view: DataView,
  { at, length, size, found }: { at: number; length: number; size: number; found: Found },
): WavLayout | undefined {
  const { bytesPerSecond, isPlain, rate, frames, longSize } = found;
  if (bytesPerSecond === 0) return undefined;
  const dataAt = at + 8;
  const left = Math.max(0, size - dataAt);
  const stated = length === OPEN ? (longSize ?? left) : length;
  const dataBytes = stated === 0 ? left : Math.min(stated, left);
  const riffSize = view.getUint32(4, true);
  const isRepaired = riffSize === 0 || length === 0;
  if (riffSize === 0) view.setUint32(4, Math.min(size - 8, OPEN), true);
  if (length === 0) view.setUint32(at + 4, Math.min(dataBytes, OPEN), true);
  // The rate of compressed sound does not follow from its bytes; the file states its length.
  const seconds = !isPlain && frames > 0 && rate > 0 ? frames / rate : dataBytes / bytesPerSecond;
  const end = riffSize === 0 || riffSize === OPEN ? size : Math.min(size, riffSize + 8);
  return { dataAt, dataBytes, seconds, end, head, isRepaired };
}

/** The file with sizes that were left at zero filled in, so that every reader understands it. */
export async function wholeWav(file: Blob): Promise<Blob> {
  const start = new Uint8Array(await file.slice(0, WAV_HEAD_BYTES).arrayBuffer());
  const layout = wavLayout(start, file.size);
  return layout?.isRepaired ? new Blob([layout.head, file.slice(layout.head.length)], { type: file.type }) : file;
}

/** The bytes after the stated end are no chunk, or are another file: recordings written one after the other. */
export function hasSoundBehindEnd(tail: Uint8Array): boolean {
  if (tail.length < MIN_TAIL_BYTES) return false;
  const id = String.fromCharCode(...tail.subarray(0, 4));
  return id === 'RIFF' || !(/^[A-Za-z0-9_ ]{4}$/.test(id) || tail.every((byte) => byte === 0));
}

/** Programs pad files with less than this. */
export const MIN_TAIL_BYTES = 1_024;
