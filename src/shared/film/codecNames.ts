/**
 * Codecs as containers name them (RFC 6381, or the sample entry), by prefix: their common name, and whether every browser decodes them here.
 */
const CODECS: readonly (readonly [prefix: string, name: string, isDecoded: boolean])[] = [
  ['avc', 'H.264', true],
  ['vp8', 'VP8', true],
  ['vp08', 'VP8', true],
  ['vp9', 'VP9', true],
  ['vp09', 'VP9', true],
  ['av1', 'AV1', true],
  ['av01', 'AV1', true],
  ['hvc1', 'H.265 (HEVC)', false],
  ['hev1', 'H.265 (HEVC)', false],
  ['hevc', 'H.265 (HEVC)', false],
  ['dvh', 'Dolby Vision', false],
  ['ap', 'ProRes', false],
  ['prores', 'ProRes', false],
  ['mp4v', 'MPEG-4 Part 2', false],
  ['V_MPEG4/ISO', 'MPEG-4 Part 2', false],
  ['xvid', 'MPEG-4 Part 2', false],
  ['jpeg', 'Motion JPEG', false],
  ['mjp', 'Motion JPEG', false],
  ['s263', 'H.263', false],
  ['AVd', 'DNxHD', false],
  ['mp4a', 'AAC', true],
  ['aac', 'AAC', true],
  ['mp3', 'MP3', true],
  ['opus', 'Opus', true],
  ['vorbis', 'Vorbis', true],
  ['flac', 'FLAC', true],
  ['pcm-', 'PCM', true],
  ['ulaw', 'µ-law', true],
  ['alaw', 'A-law', true],
  ['alac', 'ALAC', false],
  ['ac-3', 'Dolby Digital (AC-3)', false],
  ['ac3', 'Dolby Digital (AC-3)', false],
  ['ec-3', 'Dolby Digital Plus (E-AC-3)', false],
  ['eac3', 'Dolby Digital Plus (E-AC-3)', false],
  ['dts', 'DTS', false],
];

const known = (codec: string) => CODECS.find(([prefix]) => codec.toLowerCase().startsWith(prefix.toLowerCase()));

/** `hev1.1.6.L60.90` → `H.265 (HEVC)`; unknown codecs are returned as they are. */
export const codecWord = (codec: string): string => known(codec)?.[1] ?? (codec === 'unknown' ? UNKNOWN : codec);

const UNKNOWN = 'a format that is not known here';

export const isDecodedEverywhere = (codec: string): boolean => known(codec)?.[2] ?? false;

/** The codec of a track; the container's own word if it is unknown. */
export async function codecIn(track: {
  getCodecParameterString(): Promise<string | null>;
  getInternalCodecId(): Promise<unknown>;
}): Promise<string> {
  const id = (await track.getCodecParameterString()) ?? (await track.getInternalCodecId());
  return typeof id === 'string' && /^[\w/. +-]{1,40}$/.test(id) ? id : 'unknown';
}
