import { fileTypeFromFile } from 'file-type';
import { imageSizeFromFile } from 'image-size/fromFile';
import { FilePathSource, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from 'mediabunny';
import { FORMATS } from '../../../shared/mediaFormats.ts';
import { avifSize } from './avifSize.ts';
import { jpegSize, type StoredSize } from './jpegSize.ts';
import { pngOrientation } from './pngOrientation.ts';
import { editEndsIn, shownSeconds } from './shownLength.ts';

/** What a file is. Only headers and containers are read here: pixels from the network are decoded in the media page. */
export interface Probe {
  mime: string;
  /** In pixels; 0 if unknown. */
  width: number;
  height: number;
  /** Of a clip, if it states a plausible length. */
  seconds?: number;
  /** Of a clip: whether it has sound. */
  audio?: boolean;
  extension: string;
}

/** Other container formats may refer to further files and addresses, so only these are opened. */
export const CONTAINERS = [MP4, QTFF, WEBM, MATROSKA];
const SOUND_CONTAINERS = [WAVE, MP3, OGG, FLAC, MP4];
/** Of clips and of sounds alone. */
export const ALL_CONTAINERS = [...new Set([...CONTAINERS, ...SOUND_CONTAINERS])];

/** Other names of types that are kept. */
const ALIASES: Readonly<Record<string, string>> = {
  'video/x-m4v': 'video/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'audio/vnd.wave': 'audio/wav',
};

/** Identifies a file by its content, never by its name or by what a server claims; `null` if Dailies does not keep such files. */
export async function probeFile(file: string): Promise<Probe | null> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type) return null;
  const detected = type.mime.split(';', 1)[0]?.trim() ?? '';
  const mime = ALIASES[detected] ?? detected;
  const image = FORMATS.image[mime];
  if (image) return probeImage(file, mime, image);
  const video = FORMATS.video[mime];
  if (video) return probeVideo(file, mime, video);
  const sound = FORMATS.audio[mime];
  return sound ? probeSound(file, mime, sound) : null;
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

/** Of the types that can say how they are shown; Chromium does not follow the Exif of a WebP (`WEBPImageDecoder`). */
const SIZES: Readonly<Record<string, (file: string) => Promise<StoredSize | undefined>>> = {
  'image/jpeg': jpegSize,
  'image/png': async (file) => ({
    ...(await imageSizeFromFile(file)),
    orientation: await pngOrientation(file).catch(() => undefined),
  }),
  'image/avif': async (file) => (await avifSize(file).catch(() => undefined)) ?? imageSizeFromFile(file),
};

/** Browsers show a photo as its camera was held (Exif 2.32, 4.6.4: orientation), and what is measured of it is measured there. */
const isOnItsSide = (orientation = 1): boolean => orientation >= 5 && orientation <= 8;

async function probeSound(file: string, mime: string, extension: string): Promise<Probe | null> {
  const input = new Input({ source: new FilePathSource(file), formats: SOUND_CONTAINERS });
  try {
    if (!(await input.getPrimaryAudioTrack())) return null;
    const seconds = await input.computeDuration();
    return { mime, extension, width: 0, height: 0, ...lengthOf(seconds), audio: true };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

const lengthOf = (seconds: number): { seconds?: number } =>
  seconds <= MAX_SECONDS ? { seconds: Math.round(seconds * 1000) / 1000 } : {};

async function probeVideo(file: string, mime: string, extension: string): Promise<Probe | null> {
  const input = new Input({ source: new FilePathSource(file), formats: CONTAINERS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return null;
    const seconds = await shownSeconds(input, await editEndsIn(file));
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
