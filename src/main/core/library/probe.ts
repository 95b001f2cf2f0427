import { fileTypeFromFile } from 'file-type';
import { imageSizeFromFile } from 'image-size/fromFile';
import { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';

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

const IMAGES: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
};
const VIDEOS: Record<string, string> = {
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
};

/** Other container formats may refer to further files and addresses, so only these are opened. */
const FORMATS = [MP4, QTFF, WEBM, MATROSKA];

/** Identifies a file by its content, never by its name or by what a server claims; `null` if Dailies does not keep such files. */
export async function probeFile(file: string): Promise<Probe | null> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type) return null;
  const mime = type.mime === 'video/x-m4v' ? 'video/mp4' : type.mime;
  const image = IMAGES[mime];
  if (image) return probeImage(file, mime, image);
  const video = VIDEOS[mime];
  return video ? probeVideo(file, mime, video) : null;
}

/** The largest edge that JPEG and GIF can state. A file that states more, or a clip of days, is not believed. */
const MAX_EDGE = 65_535;
const MAX_SECONDS = 24 * 60 * 60;

const isEdge = (pixels: number): boolean => pixels > 0 && pixels <= MAX_EDGE;

async function probeImage(file: string, mime: string, extension: string): Promise<Probe | null> {
  const size = await imageSizeFromFile(file).catch(() => undefined);
  return size && isEdge(size.width) && isEdge(size.height)
    ? { mime, extension, width: size.width, height: size.height }
    : null;
}

async function probeVideo(file: string, mime: string, extension: string): Promise<Probe | null> {
  const input = new Input({ source: new FilePathSource(file), formats: FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return null;
    const seconds = await input.computeDuration();
    const audio = (await input.getPrimaryAudioTrack()) !== null;
    const { displayWidth: width, displayHeight: height } = track;
    return {
      mime,
      extension,
      ...(isEdge(width) && isEdge(height) ? { width, height } : { width: 0, height: 0 }),
      ...(seconds <= MAX_SECONDS ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
      audio,
    };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}
