import { fileTypeFromFile } from 'file-type';
import { imageSizeFromFile } from 'image-size/fromFile';
import { FilePathSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';

/** What a file turns out to be. Only headers and containers are read here: pixels from the network are decoded in the media page. */
export interface Probe {
  mime: string;
  /** In pixels; 0 where it is not known. */
  width: number;
  height: number;
  /** Of a clip, where it says a length that can be. */
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

/** Only these are looked into: some other forms name further files and addresses. */
const FORMATS = [MP4, QTFF, WEBM, MATROSKA];

/** By content, never by name or by what a server claims; `null` when it is no picture or video that Dailies keeps. */
export async function probeFile(file: string): Promise<Probe | null> {
  const type = await fileTypeFromFile(file).catch(() => undefined);
  if (!type) return null;
  const mime = type.mime === 'video/x-m4v' ? 'video/mp4' : type.mime;
  const image = IMAGES[mime];
  if (image) return probeImage(file, mime, image);
  const video = VIDEOS[mime];
  return video ? probeVideo(file, mime, video) : null;
}

/** The most that JPEG and GIF can say. A file that says more, or a clip of days, is not to be believed. */
const MOST_EDGE = 65_535;
const MOST_SECONDS = 24 * 60 * 60;

const isEdge = (pixels: number): boolean => pixels > 0 && pixels <= MOST_EDGE;

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
      ...(seconds <= MOST_SECONDS ? { seconds: Math.round(seconds * 1000) / 1000 } : {}),
      audio,
    };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}
