import type { MediaClass } from './mediaRef.ts';

/** The files that Dailies keeps: their types, and the extension that each has in the library. */
export const FORMATS: Record<MediaClass, Readonly<Record<string, string>>> = {
  image: {
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/webp': 'webp',
    'image/gif': 'gif',
    'image/avif': 'avif',
  },
  video: {
    'video/mp4': 'mp4',
    'video/quicktime': 'mov',
    'video/webm': 'webm',
    'video/x-matroska': 'mkv',
  },
  audio: {
    'audio/wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg',
    'audio/flac': 'flac',
    'audio/mp4': 'm4a',
  },
};

const EXTENSIONS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(FORMATS));

/** Undefined for a type that is not kept. */
export const knownExtension = (mime: string): string | undefined => EXTENSIONS[mime];

export const extensionOf = (mime: string): string => knownExtension(mime) ?? 'bin';
