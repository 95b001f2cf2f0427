import type { Input } from 'mediabunny';
import { type EditLists, editListsOf, startOf } from '../../../../shared/film/mp4EditList.ts';
import { type OpenFile, readBytes, readUpTo, withOpenFile } from './containers.ts';

/**
 * Facts about an MP4 or MOV that the media library does not read: the start timecode, and whether it has a C2PA manifest. Boxes are read by
 * their headers, and only a few bytes of their content (ISO/IEC 14496-12, 4.2; QuickTime File Format, "Timecode Media").
 */
export interface Mp4Extras {
  /** The first frame by its timecode track, counting from midnight. */
  startFrame?: number;
  dropFrame?: boolean;
  /** Frames a second that the timecode counts: 30 for 29.97. */
  timecodeBase?: number;
  /** Its exact rate, as the file writes it. */
  timecodeRate?: { num: number; den: number };
  hasC2pa: boolean;
}

export interface Box {
  type: string;
  /** Of its size field. */
  head: number;
  /** Whether the size field says 0: it ends where the file does. */
  isOpen: boolean;
  /** Of its content. */
  start: number;
  end: number;
}

/** A file has some tens of boxes at each level; a hostile one ends here. */
export const MAX_BOXES = 2_000;
/** `uuid` of C2PA's box (C2PA Technical Specification 2.4, A.5.1.1; the same in `bmff_io.rs` of c2pa-rs). */
const C2PA_UUID = 'd8fec3d61b0e483c92975828877ec481';

export async function readMp4Extras(bytes: OpenFile): Promise<Mp4Extras> {
  const budget = { left: MAX_BOXES };
  const top = await boxesIn(bytes, wholeFile(bytes), budget);
  let hasC2pa = false;
  for (const box of top) hasC2pa ||= await isC2pa(bytes, box);
  const movie = top.find(({ type }) => type === 'moov');
  return { ...(movie ? await timecodeOf(bytes, movie, budget) : {}), hasC2pa };
}

export const wholeFile = ({ size }: OpenFile): Box => ({ type: '', head: 0, isOpen: false, start: 0, end: size });

export const isC2pa = (bytes: OpenFile, one: Box): Promise<boolean> => isOfUser(bytes, one, C2PA_UUID);
export const isXmp = (bytes: OpenFile, one: Box): Promise<boolean> => isOfUser(bytes, one, XMP_UUID);

const isOfUser = async (bytes: OpenFile, { type, start, end }: Box, user: string): Promise<boolean> =>
  type === 'uuid' && end - start >= 16 && (await readBytes(bytes, start, 16)).toString('hex') === user;

async function timecodeOf(bytes: OpenFile, movie: Box, budget: { left: number }): Promise<Omit<Mp4Extras, 'hasC2pa'>> {
  for (const track of (await boxesIn(bytes, movie, budget)).filter(({ type }) => type === 'trak')) {
    const media = await childOf(bytes, track, ['mdia'], budget);
    const kind = media && (await childOf(bytes, media, ['hdlr'], budget));
    if (!media || !kind || kind.end - kind.start < 12) continue;
    if ((await readBytes(bytes, kind.start + 8, 4)).toString('latin1') !== 'tmcd') continue;
    const table = await childOf(bytes, media, ['minf', 'stbl'], budget);
    const found = table && (await timecodeStart(bytes, table, budget));
    if (found) return found;
  }
  return {};
}

async function timecodeStart(
  bytes: OpenFile,
  table: Box,
  budget: { left: number },
): Promise<Omit<Mp4Extras, 'hasC2pa'> | undefined> {
  const boxes = await boxesIn(bytes, table, budget);
  const descriptions = boxes.find(({ type }) => type === 'stsd');
  const offsets = boxes.find(({ type }) => type === 'stco' || type === 'co64');
  if (
    !descriptions ||
    !offsets ||
    descriptions.end - descriptions.start < 42 ||
    offsets.end - offsets.start < (offsets.type === 'stco' ? 12 : 16)
  )
    return undefined;
  // Version, flags, count; then size, type, six reserved bytes, an index, four reserved bytes; flags, scale, duration, frames.
  const description = await readBytes(bytes, descriptions.start + 8, 34);
  const offset = await readBytes(bytes, offsets.start, Math.min(16, offsets.end - offsets.start));
  if (description.toString('latin1', 4, 8) !== 'tmcd' || offset.readUInt32BE(4) === 0) return undefined;
  const at = offsets.type === 'stco' ? offset.readUInt32BE(8) : Number(offset.readBigUInt64BE(8));
  const sample = await readBytes(bytes, at, 4);
  return {
    startFrame: sample.readUInt32BE(0),
    dropFrame: (description.readUInt32BE(20) & 1) === 1,
    timecodeBase: description[32] ?? 0,
    timecodeRate: { num: description.readUInt32BE(24), den: description.readUInt32BE(28) },
  };
}

async function childOf(
  bytes: OpenFile,
  parent: Box,
  path: readonly string[],
  budget: { left: number },
): Promise<Box | undefined> {
  let box: Box | undefined = parent;
  for (const name of path) box = box && (await boxesIn(bytes, box, budget)).find(({ type }) => type === name);
  return box;
}

export async function boxesIn(bytes: OpenFile, { start, end }: Box, budget: { left: number }): Promise<Box[]> {
  const boxes: Box[] = [];
  for (let at = start; at + 8 <= end && budget.left > 0; budget.left -= 1) {
    const head = await readBytes(bytes, at, Math.min(16, end - at));
    const short = head.readUInt32BE(0);
    const isLong = short === 1 && head.length === 16;
    const size = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short;
    const header = isLong ? 16 : 8;
    if (size < header || at + size > end) break;
    boxes.push({
      type: head.toString('latin1', 4, 8),
      head: at,
      isOpen: short === 0,
      start: at + header,
      end: at + size,
    });
    at += size;
  }
  return boxes;
}

/** `uuid` of an XMP packet in an MP4 (XMP part 3, "MPEG-4"). */
export const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';

/** In bytes, of one packet. */
const MAX_XMP = 1024 * 1024;

/** The first XMP packet of an MP4 or MOV, as untrusted text; undefined if it has none, or one too long to be words. */
export const readXmpBox = (file: string): Promise<string | undefined> =>
  withOpenFile(file, async (bytes) => {
    for (const box of await boxesIn(bytes, wholeFile(bytes), { left: MAX_BOXES })) {
      if (box.end - box.start > MAX_XMP || !(await isXmp(bytes, box))) continue;
      return (await readBytes(bytes, box.start, box.end - box.start)).toString('utf8', 16);
    }
    return undefined;
  });

export const editListsIn = (file: string): Promise<EditLists> =>
  withOpenFile(file, (bytes) => editListsOf((at, length) => readUpTo(bytes, at, length), bytes.size));

/** In seconds. Padding that an encoder adds at the end of a sound is no longer. */
const PADDING = 0.1;

/** How long a clip plays, in seconds, without the parts before and after its edit lists. */
export async function shownSeconds(input: Input, edits: EditLists): Promise<number> {
  const duration = await input.computeDuration();
  if (edits.size === 0) return duration;
  const tracks = await input.getTracks();
  const start = startOf(edits, tracks);
  const whole = duration - start;
  const shown = await Promise.all(
    tracks.map(async (track) =>
      Math.min(await track.computeDuration(), edits.get(track.id)?.to ?? Number.POSITIVE_INFINITY),
    ),
  );
  const seconds = Math.max(...shown) - start;
  return seconds < whole - PADDING ? seconds : whole;
}
