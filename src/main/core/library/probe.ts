import { readFile } from 'node:fs/promises';
import { decode as decodePng } from 'fast-png';
import { fileTypeFromFile } from 'file-type';
import { imageSizeFromFile } from 'image-size/fromFile';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';

/** What a file turns out to be. Only headers and containers are read here: pixels from the network are decoded in the media page. */
export interface Probe {
  mime: string;
  width: number;
  height: number;
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

async function probeImage(file: string, mime: string, extension: string): Promise<Probe | null> {
  const size = await imageSizeFromFile(file).catch(() => undefined);
  return size && size.width > 0 && size.height > 0 ? { mime, extension, width: size.width, height: size.height } : null;
}

async function probeVideo(file: string, mime: string, extension: string): Promise<Probe | null> {
  const input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return null;
    const seconds = await input.computeDuration();
    const audio = (await input.getPrimaryAudioTrack()) !== null;
    return {
      mime,
      extension,
      width: track.displayWidth,
      height: track.displayHeight,
      seconds: Math.round(seconds * 1000) / 1000,
      audio,
    };
  } catch {
    return null;
  } finally {
    input.dispose();
  }
}

/** More pixels than this are not decoded to look at a mask. */
const MASK_PIXELS = 64_000_000;

export interface MaskFacts {
  pure: boolean;
  whitePixels: number;
}

/** Whether a PNG holds only opaque pure black and pure white (spec 2.6), and how much of it is white; `null` when it cannot be read. */
export async function inspectMask(file: string, pixels: number): Promise<MaskFacts | null> {
  if (pixels > MASK_PIXELS) return null;
  try {
    const image = decodePng(await readFile(file));
    // A colour that counts as transparent (tRNS) is not opaque, whatever colour it is.
    return image.transparency && !image.palette ? { pure: false, whitePixels: 0 } : countMask(image);
  } catch {
    return null;
  }
}

type DecodedPng = ReturnType<typeof decodePng>;

function countMask(image: DecodedPng): MaskFacts {
  const { data, channels, palette } = image;
  const top = 2 ** image.depth - 1;
  const hasAlpha = channels === 2 || channels === 4;
  const colours = hasAlpha ? channels - 1 : channels;
  let whitePixels = 0;
  const pixels = image.width * image.height;
  for (let pixel = 0; pixel < pixels; pixel++) {
    const value = palette ? paletteValue(palette, sampleAt(image, pixel)) : uniformValue(image, pixel, colours, top);
    if (value === undefined) return { pure: false, whitePixels };
    if (hasAlpha && data[pixel * channels + colours] !== top) return { pure: false, whitePixels };
    whitePixels += value;
  }
  return { pure: true, whitePixels };
}

/** One-, two- and four-bit images come packed, each row padded to whole bytes. */
function sampleAt(image: DecodedPng, pixel: number): number {
  const { data, depth, width, channels } = image;
  if (depth >= 8) return data[pixel * channels] ?? 0;
  const bytesPerRow = Math.ceil((width * depth) / 8);
  const packed = data.length === bytesPerRow * image.height && data.length !== width * image.height;
  if (!packed) return data[pixel] ?? 0;
  const x = pixel % width;
  const byte = data[Math.floor(pixel / width) * bytesPerRow + ((x * depth) >> 3)] ?? 0;
  return (byte >> (8 - depth - ((x * depth) & 7))) & (2 ** depth - 1);
}

/** 1 for white, 0 for black, undefined for anything else. */
function uniformValue(image: DecodedPng, pixel: number, colours: number, top: number): 0 | 1 | undefined {
  const first = sampleAt(image, pixel);
  if (first !== 0 && first !== top) return undefined;
  for (let channel = 1; channel < colours; channel++) {
    if (image.data[pixel * image.channels + channel] !== first) return undefined;
  }
  return first === 0 ? 0 : 1;
}

function paletteValue(palette: NonNullable<DecodedPng['palette']>, index: number): 0 | 1 | undefined {
  const entry = palette[index];
  if (!entry || (entry.length > 3 && entry[3] !== 255)) return undefined;
  const [red, green, blue] = entry;
  if (red !== green || green !== blue) return undefined;
  return red === 0 ? 0 : red === 255 ? 1 : undefined;
}
