import { type AudioCodec, canEncodeVideo, QUALITY_HIGH, registerEncoder } from 'mediabunny';
import type { FilmPlan } from '../../../shared/film/filmExport.ts';

let isSoftwareThere = false;

/**
 * Whether H.264 is made by the encoder that is shipped, which is registered where this browser has none. `softwareOnly` has it behave as
 * one without.
 */
export async function needsSoftware({ width, height }: FilmPlan, softwareOnly: boolean): Promise<boolean> {
  const isSoftware =
    softwareOnly || isSoftwareThere || !(await canEncodeVideo('avc', { width, height, quality: QUALITY_HIGH }));
  if (isSoftware && !isSoftwareThere) {
    const { SoftwareH264 } = await import('./softwareH264.ts');
    registerEncoder(SoftwareH264);
    isSoftwareThere = true;
  }
  return isSoftware;
}

/**
 * Samples that the encoder puts before the sound, in one packet (FFmpeg's encoder of AAC-LC, `initial_padding`). The sound is written
 * that much earlier, so that what is heard begins with its picture.
 */
export const AUDIO_RUN_UP = 1_024;

/** The encoder that is shipped, also where this browser has one: how far another one runs up is not known. */
export async function audioCodec(): Promise<AudioCodec> {
  await import('./aacEncoder.ts');
  return 'aac';
}
