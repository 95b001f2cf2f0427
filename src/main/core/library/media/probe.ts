import { stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { imageSizeFromFile } from 'image-size/fromFile';
import { FilePathSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import { hasSoundBehindEnd, MIN_TAIL_BYTES, WAV_HEAD_BYTES, wavLayout } from '../../../../shared/film/sound/wav.ts';
import { FORMATS, isSvgStart } from '../../../../shared/library/mediaFormats.ts';
import type { PictureSize } from '../../../../shared/library/mediaRef.ts';
import { type OpenFile, readBytes, readUpTo, withOpenFile } from './containers.ts';
import { jpegSize, orientationOf, type StoredSize } from './exif.ts';
import { type Box, boxesIn, editListsIn, MAX_BOXES, shownSeconds, wholeFile } from './mp4Boxes.ts';

/** A description of a file. Only headers and containers are read here; pixels from the network are decoded in the media page. */
export interface Probe {
  mime: string;
  /** In pixels; 0 if unknown. */
  width: number;
  height: number;
  /** Of a clip, if it states a plausible length. */
  seconds?: number;
  /** Of a clip: whether it has sound. */
  audio?: boolean;
  /** For a sound: more data follows its stated end, so its length is not reliable. */
  isInPieces?: true;
  extension: string;
}

/** Other container formats may refer to further files and addresses, so only these are opened. */
export const CONTAINERS = [MP4, QTFF, WEBM, MATROSKA];
const SOUND_CONTAINERS = [WAVE, MP3, OGG, FLAC, MP4];
/** Of clips and of sounds alone. */
export const ALL_CONTAINERS = [...new Set([...CONTAINERS, ...SOUND_CONTAINERS])];

/** Other names of types that are kept. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
};

/** MIME types for sound alone in a container of clips. */
const SOUND_IN: Readonly<Record<string, string>> = {
  'video/mp4': 'audio/mp4',
  'video/quicktime': 'audio/quicktime',
  'video/webm': 'audio/webm',
  'video/matroska': 'audio/matroska',
};

/** The type of a file by its content, never by its name or a server's claim; `null` if unknown. */
export async function mimeOf(file: string): Promise<string | null> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  const detected = type?.mime.split(';', 1)[0]?.trim().toLowerCase();
  const isText = detected === undefined || detected === 'application/xml';
  const start = isText ? await bytesOf(file, 0, START_BYTES) : new Uint8Array();
  if (isSvgStart(new TextDecoder().decode(start))) return 'image/svg+xml';
  if (isText && wavLayout(start, start.length)) return 'audio/wav';
  return detected === undefined ? null : (ALIASES[detected] ?? detected);
}

/** An SVG picture may begin with remarks of its program. */
const START_BYTES = 4_096;

const bytesOf = (file: string, at: number, length: number): Promise<Uint8Array> =>
  withOpenFile(file, (bytes) => readUpTo(bytes, at, length));

/** Describes a file; `null` if Dailies cannot display it. */
export async function probeFile(file: string): Promise<Probe | null> {
  const mime = await mimeOf(file);
  if (mime === null) return null;
  const image = FORMATS.image[mime];
  if (image) return probeImage(file, mime, image);
  const video = FORMATS.video[mime];
  if (video) return probeVideo(file, mime, video);
  return FORMATS.audio[mime] ? probeSound(file, mime) : null;
}

/** The largest edge that JPEG and GIF can state. A file that states more, or a clip of days, is not believed. */
const MAX_EDGE = 65_535;
const MAX_SECONDS = 24 * 60 * 60;

const isEdge = (pixels: number): boolean => pixels > 0 && pixels <= MAX_EDGE;

async function probeImage(file: string, mime: string, extension: string): Promise<Probe | null> {
  const size = await (SIZES[mime] ?? imageSizeFromFile)(file).catch(() => undefined);
  if (!size || !isEdge(size.width) || !isEdge(size.height)) return null;
  const { width, height } = isOnItsSide(size.orientation) ? { width: size.height, height: size.width } : size;
  return { mime, extension, width, height };
}

/** Readers of the displayed size, for types that can state an orientation or crop. */
const SIZES: Readonly<Record<string, (file: string) => Promise<StoredSize | undefined>>> = {
  'image/jpeg': jpegSize,
  'image/png': (file) => turnedSize(file, 'image/png'),
  // Chromium ignores Exif in a WebP (`WEBPImageDecoder`), so pages get an upright copy.
  'image/webp': (file) => turnedSize(file, 'image/webp'),
  'image/avif': async (file) => (await avifSize(file).catch(() => undefined)) ?? imageSizeFromFile(file),
};

const turnedSize = async (file: string, mime: string): Promise<StoredSize> => ({
  ...(await imageSizeFromFile(file)),
  orientation: await orientationOf(file, mime),
});

/**
 * Whether width and height are swapped: browsers turn photos by their orientation (Exif 2.32, 4.6.4), and all measures use the turned
 * picture.
 */
const isOnItsSide = (orientation = 1): boolean => orientation >= 5 && orientation <= 8;

async function probeSound(file: string, mime: string): Promise<Probe | null> {
  if (mime === 'audio/wav') return probeWav(file);
  const input = new Input({ source: new FilePathSource(file), formats: SOUND_CONTAINERS });
  try {
    return await probeSoundIn(input, mime);
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** Reads the WAV header directly: the media library rejects some codings, and sizes that were never filled in. */
async function probeWav(file: string): Promise<Probe | null> {
  const { size } = await stat(file);
  const layout = wavLayout(await bytesOf(file, 0, WAV_HEAD_BYTES), size);
  if (!layout || layout.dataBytes === 0) return null;
  const probe: Probe = { mime: 'audio/wav', extension: 'wav', width: 0, height: 0, audio: true };
  if (hasSoundBehindEnd(await bytesOf(file, layout.end, MIN_TAIL_BYTES))) return { ...probe, isInPieces: true };
  return { ...probe, ...lengthOf(layout.seconds) };
}

async function probeSoundIn(input: Input, mime = ''): Promise<Probe | null> {
  const extension = FORMATS.audio[mime];
  if (extension === undefined || !(await input.getPrimaryAudioTrack())) return null;
  const seconds = await input.computeDuration();
  return { mime, extension, width: 0, height: 0, ...lengthOf(seconds), audio: true };
}

const lengthOf = (seconds: number): { seconds?: number } =>
  seconds <= MAX_SECONDS ? { seconds: Math.round(seconds * 1000) / 1000 } : {};

async function probeVideo(file: string, mime: string, extension: string): Promise<Probe | null> {
  const input = new Input({ source: new FilePathSource(file), formats: CONTAINERS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return await probeSoundIn(input, SOUND_IN[mime]);
    const seconds = await shownSeconds(input, await editListsIn(file));
    const audio = (await input.getPrimaryAudioTrack()) !== null;
    const { displayWidth: width, displayHeight: height } = track;
    return {
      mime,
      extension,
      ...(isEdge(width) && isEdge(height) ? { width, height } : { width: 0, height: 0 }),
      ...lengthOf(seconds),
      audio,
    };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** An association takes a few bytes per item, so a picture of a thousand tiles has some kilobytes of them. */
const MAX_ASSOCIATION_BYTES = 256 * 1024;

/**
 * The displayed size of an AVIF: that of its primary item, cropped and turned by its own properties (ISO/IEC 23008-12, 6.5.3 `ispe`, 6.5.10
 * `irot`; 14496-12, 12.1.4 `clap`), as in Chromium's decoder. A mirror (`imir`) does not change the size, and browsers ignore Exif.
 * Undefined without such an item, as in an animation, which is displayed by its track.
 */
const avifSize = (file: string): Promise<PictureSize | undefined> =>
  withOpenFile(file, async (bytes) => {
    const has = await primaryProperties(bytes);
    const extent = has('ispe');
    if (!extent) return undefined;
    const sides = await readBytes(bytes, extent.start + 4, 8);
    const shown = await cropped(bytes, has('clap'), { width: sides.readUInt32BE(0), height: sides.readUInt32BE(4) });
    const turn = has('irot');
    const quarters = turn ? (await readBytes(bytes, turn.start, 1)).readUInt8(0) & 3 : 0;
    return quarters % 2 === 1 ? { width: shown.height, height: shown.width } : shown;
  });

/** The properties of the primary item by their types. */
async function primaryProperties(bytes: OpenFile): Promise<(type: string) => Box | undefined> {
  const budget = { left: MAX_BOXES };
  const inside = (box: Box | undefined): Promise<Box[]> | Box[] => (box ? boxesIn(bytes, box, budget) : []);
  const top = await inside(wholeFile(bytes));
  const brand = named(top, 'ftyp');
  const isAnimation = brand && (await readBytes(bytes, brand.start, 4)).toString('latin1') === 'avis';
  const meta = isAnimation ? undefined : named(top, 'meta');
  // The content follows after version and flags.
  const items = await inside(meta && { ...meta, start: meta.start + 4 });
  const primary = named(items, 'pitm');
  const groups = await inside(named(items, 'iprp'));
  const properties = await inside(named(groups, 'ipco'));
  const item = primary && (await numberOf(bytes, primary));
  const own: (Box | undefined)[] = [];
  for (const list of groups.filter(({ type }) => type === 'ipma'))
    if (item !== undefined) own.push(...(await indexesOf(bytes, list, item)).map((index) => properties[index - 1]));
  return (type) => own.find((property) => property?.type === type);
}

const named = (boxes: readonly Box[], name: string): Box | undefined => boxes.find(({ type }) => type === name);

/** The number of the primary item in `pitm` (ISO/IEC 14496-12, 8.11.4). */
async function numberOf(bytes: OpenFile, { start }: Box): Promise<number> {
  const isLong = (await readBytes(bytes, start, 1)).readUInt8(0) > 0;
  const number = await readBytes(bytes, start + 4, isLong ? 4 : 2);
  return isLong ? number.readUInt32BE(0) : number.readUInt16BE(0);
}

/** The indexes in `ipco`, from 1, of an item's properties (`ipma`: ISO/IEC 23008-12, 9.3). */
async function indexesOf(bytes: OpenFile, { start, end }: Box, item: number): Promise<number[]> {
  if (end - start > MAX_ASSOCIATION_BYTES) return [];
  const list = await readBytes(bytes, start, end - start);
  const [idBytes, indexBytes] = [list.readUInt8(0) > 0 ? 4 : 2, (list.readUInt8(3) & 1) === 1 ? 2 : 1];
  let at = 8;
  for (let left = list.readUInt32BE(4); left > 0 && at + idBytes < list.length; left--) {
    const id = list.readUIntBE(at, idBytes);
    const from = at + idBytes + 1;
    at = from + list.readUInt8(from - 1) * indexBytes;
    if (id !== item || at > list.length) continue;
    // The highest bit says that the property is essential.
    const [count, mask] = [(at - from) / indexBytes, indexBytes === 2 ? 0x7fff : 0x7f];
    return Array.from({ length: count }, (_, one) => list.readUIntBE(from + one * indexBytes, indexBytes) & mask);
  }
  return [];
}

/** Chromium applies a crop only if it begins at the top left corner; otherwise it shows the whole picture. */
async function cropped(bytes: OpenFile, clap: Box | undefined, whole: PictureSize): Promise<PictureSize> {
  if (!clap) return whole;
  const numbers = await readBytes(bytes, clap.start, 32);
  /** Each side has the numerator and denominator of its length, then those of the offset between its center and that of the whole. */
  const along = (length: number, at: number): number | undefined => {
    const [part, parts] = [numbers.readUInt32BE(at), numbers.readUInt32BE(at + 4)];
    const [offset, offsets] = [numbers.readInt32BE(at + 16), numbers.readUInt32BE(at + 20)];
    const side = part / parts;
    const isInside = Number.isInteger(side) && side > 0 && side <= length;
    return isInside && offsets > 0 && 2 * offset === (side - length) * offsets ? side : undefined;
  };
  const [width, height] = [along(whole.width, 0), along(whole.height, 8)];
  return width === undefined || height === undefined ? whole : { width, height };
}
