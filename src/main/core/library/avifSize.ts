import { type FileHandle, open } from 'node:fs/promises';
import type { PictureSize } from '../../../shared/library/mediaRef.ts';
import { type Box, boxesIn, MAX_BOXES, readBytes, wholeFile } from './mp4Boxes.ts';

/** Which properties an item has takes some bytes each; a picture of a thousand tiles has some kilobytes of them. */
const MAX_ASSOCIATION_BYTES = 256 * 1024;

/**
 * The size in which an AVIF is shown: that of its primary item, cropped and turned by its own properties (ISO/IEC 23008-12, 6.5.3 `ispe`,
 * 6.5.10 `irot`; 14496-12, 12.1.4 `clap`), as Chromium's decoder does. A mirror (`imir`) leaves the sides as they are, and an Exif is read by
 * no browser. Undefined where there is no such item, as in an animation, which is shown by its track.
 */
export async function avifSize(file: string): Promise<PictureSize | undefined> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const has = await primaryProperties(handle, size);
    const extent = has('ispe');
    if (!extent) return undefined;
    const sides = await readBytes(handle, extent.start + 4, 8);
    const shown = await cropped(handle, has('clap'), { width: sides.readUInt32BE(0), height: sides.readUInt32BE(4) });
    const turn = has('irot');
    const quarters = turn ? (await readBytes(handle, turn.start, 1)).readUInt8(0) & 3 : 0;
    return quarters % 2 === 1 ? { width: shown.height, height: shown.width } : shown;
  } finally {
    await handle.close();
  }
}

/** The properties of the primary item by their types. */
async function primaryProperties(handle: FileHandle, bytes: number): Promise<(type: string) => Box | undefined> {
  const budget = { left: MAX_BOXES };
  const inside = (box: Box | undefined): Promise<Box[]> | Box[] => (box ? boxesIn(handle, box, budget) : []);
  const top = await inside(wholeFile(bytes));
  const brand = named(top, 'ftyp');
  const isAnimation = brand && (await readBytes(handle, brand.start, 4)).toString('latin1') === 'avis';
  const meta = isAnimation ? undefined : named(top, 'meta');
  // Version and flags come before what is in it.
  const items = await inside(meta && { ...meta, start: meta.start + 4 });
  const primary = named(items, 'pitm');
  const groups = await inside(named(items, 'iprp'));
  const properties = await inside(named(groups, 'ipco'));
  const item = primary && (await numberOf(handle, primary));
  const own: (Box | undefined)[] = [];
  for (const list of groups.filter(({ type }) => type === 'ipma'))
    if (item !== undefined) own.push(...(await placesOf(handle, list, item)).map((place) => properties[place - 1]));
  return (type) => own.find((property) => property?.type === type);
}

const named = (boxes: readonly Box[], name: string): Box | undefined => boxes.find(({ type }) => type === name);

/** Of `pitm` (ISO/IEC 14496-12, 8.11.4). */
async function numberOf(handle: FileHandle, { start }: Box): Promise<number> {
  const isLong = (await readBytes(handle, start, 1)).readUInt8(0) > 0;
  const number = await readBytes(handle, start + 4, isLong ? 4 : 2);
  return isLong ? number.readUInt32BE(0) : number.readUInt16BE(0);
}

/** At which places of `ipco`, counted from 1, the properties of an item stand (`ipma`: ISO/IEC 23008-12, 9.3). */
async function placesOf(handle: FileHandle, { start, end }: Box, item: number): Promise<number[]> {
  if (end - start > MAX_ASSOCIATION_BYTES) return [];
  const list = await readBytes(handle, start, end - start);
  const [idBytes, placeBytes] = [list.readUInt8(0) > 0 ? 4 : 2, (list.readUInt8(3) & 1) === 1 ? 2 : 1];
  let at = 8;
  for (let left = list.readUInt32BE(4); left > 0 && at + idBytes < list.length; left--) {
    const id = list.readUIntBE(at, idBytes);
    const from = at + idBytes + 1;
    at = from + list.readUInt8(from - 1) * placeBytes;
    if (id !== item || at > list.length) continue;
    // The highest bit says that the property is essential.
    const [count, mask] = [(at - from) / placeBytes, placeBytes === 2 ? 0x7fff : 0x7f];
    return Array.from({ length: count }, (_, one) => list.readUIntBE(from + one * placeBytes, placeBytes) & mask);
  }
  return [];
}

/** Chromium follows a crop that begins at the top left corner, and shows the whole picture where it begins elsewhere. */
async function cropped(handle: FileHandle, clap: Box | undefined, whole: PictureSize): Promise<PictureSize> {
  if (!clap) return whole;
  const numbers = await readBytes(handle, clap.start, 32);
  /** Numerator and denominator of the length, then of how far its middle is from that of the whole. */
  const along = (length: number, at: number): number | undefined => {
    const [part, parts] = [numbers.readUInt32BE(at), numbers.readUInt32BE(at + 4)];
    const [offset, offsets] = [numbers.readInt32BE(at + 16), numbers.readUInt32BE(at + 20)];
    const kept = part / parts;
    const isInside = Number.isInteger(kept) && kept > 0 && kept <= length;
    return isInside && offsets > 0 && 2 * offset === (kept - length) * offsets ? kept : undefined;
  };
  const [width, height] = [along(whole.width, 0), along(whole.height, 8)];
  return width === undefined || height === undefined ? whole : { width, height };
}
