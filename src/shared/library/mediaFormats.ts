import { MEDIA_CLASSES, type MediaClass } from './mediaRef.ts';

/** The types that Dailies displays, with their extensions in the library. */
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
    'video/matroska': 'mkv',
  },
  audio: {
    'audio/wav': 'wav',
    'audio/mpeg': 'mp3',
    'audio/ogg': 'ogg',
    'audio/flac': 'flac',
    'audio/mp4': 'm4a',
    'audio/quicktime': 'mov',
    'audio/webm': 'webm',
    'audio/matroska': 'mka',
  },
};

/** Types that Dailies cannot display. They are not imported; as results of jobs they are stored without a preview. */
export const KEPT_FORMATS: Record<MediaClass, Readonly<Record<string, string>>> = {
  image: {
    'image/bmp': 'bmp',
    'image/heic': 'heic',
    'image/heic-sequence': 'heics',
    'image/heif': 'heif',
    'image/heif-sequence': 'heifs',
    'image/jp2': 'jp2',
    'image/jxl': 'jxl',
    'image/svg+xml': 'svg',
    'image/tiff': 'tiff',
    'image/vnd.adobe.photoshop': 'psd',
    'image/x-adobe-dng': 'dng',
    'image/x-icon': 'ico',
  },
  video: {
    'video/3gpp': '3gp',
    'video/3gpp2': '3g2',
    'video/mp1s': 'mpg',
    'video/mp2p': 'mpg',
    'video/mp2t': 'ts',
    'video/mpeg': 'mpg',
    'video/ogg': 'ogv',
    'video/vnd.avi': 'avi',
    'video/x-flv': 'flv',
    'video/x-ms-asf': 'wmv',
  },
  audio: {
    'audio/aac': 'aac',
    'audio/aiff': 'aiff',
    'audio/amr': 'amr',
    'audio/vnd.dolby.dd-raw': 'ac3',
    'audio/x-ms-asf': 'wma',
  },
};

const EXTENSIONS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...Object.values(FORMATS),
  ...Object.values(KEPT_FORMATS),
);

/** How a type is displayed; undefined if it cannot be. */
export const displayedAs = (mime: string): MediaClass | undefined =>
  MEDIA_CLASSES.find((name) => FORMATS[name][mime] !== undefined);

/** Whether the beginning of a file or answer is SVG. */
export const isSvgStart = (text: string): boolean =>
  /^<(svg[\s>/]|\?xml|!--|!doctype svg)/i.test(text.trimStart()) && /<svg[\s>/]/i.test(text);

/** Undefined for types that are not stored. */
export const knownExtension = (mime: string): string | undefined => EXTENSIONS[mime];

export const extensionOf = (mime: string): string => knownExtension(mime) ?? 'bin';
