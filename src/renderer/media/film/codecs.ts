import { type AudioCodec, canEncodeVideo, QUALITY_HIGH, registerEncoder } from 'mediabunny';
import type { FilmPlan } from '../../../shared/film/filmExport.ts';

let isSoftwareThere = false;

/** Whether our software encoder makes H.264; it is registered if the browser has none. `softwareOnly` simulates such a browser. */
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
 * Samples of priming that the encoder adds before the sound, in one packet (FFmpeg's AAC-LC encoder, `initial_padding`). The sound is
 * written that much earlier, so that it begins with its picture.
 */
export const AUDIO_RUN_UP = 1_024;

/** Always our own encoder: the priming of a browser's encoder is unknown. */
export async function audioCodec(): Promise<AudioCodec> {
  await import('./aacEncoder.ts');
  return 'aac';
}
