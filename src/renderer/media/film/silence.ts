import { hasSilence, type SoundFacts } from '../../../shared/joinable.ts';

/** Frames of sound in one packet of AAC-LC (ISO/IEC 14496-3). */
const AAC_FRAMES = 1_024;

/**
 * One packet of silence in the stream that the other clips have, so that a silent shot can be joined: the shortest raw data blocks of
 * AAC-LC for one and two channels, the same at every rate (as hls.js fills gaps with them). Undefined for other codecs.
 */
export function silentPacket(sound: SoundFacts): { data: Uint8Array; seconds: number } | undefined {
  if (!hasSilence(sound)) return undefined;
  const data = SILENCE[sound.channels];
  return data && { data: Uint8Array.from(data), seconds: AAC_FRAMES / sound.sampleRate };
}

const SILENCE: Readonly<Record<number, readonly number[]>> = {
  1: [0x00, 0xc8, 0x00, 0x80, 0x23, 0x80],
  2: [0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80],
};
