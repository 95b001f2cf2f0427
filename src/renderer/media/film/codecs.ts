import { type AudioCodec, canEncodeAudio, canEncodeVideo, QUALITY_HIGH, registerEncoder } from 'mediabunny';
import type { FilmPlan } from '../../../shared/filmExport.ts';
import { FILM_SAMPLE_RATE } from './mixer.ts';

export const AUDIO_BITRATE = 192_000;

/** What a film is encoded with in this browser. */
export interface Codecs {
  /** Whether H.264 is made by the encoder that is shipped, since this browser has none. */
  isSoftware: boolean;
  audio: AudioCodec;
}

let isSoftwareThere = false;
let isAacThere = false;

/** Registers what this browser lacks. `softwareOnly` has it behave as one without an H.264 encoder. */
export async function chooseCodecs({ width, height }: FilmPlan, softwareOnly: boolean): Promise<Codecs> {
  const isSoftware =
    softwareOnly || isSoftwareThere || !(await canEncodeVideo('avc', { width, height, quality: QUALITY_HIGH }));
  if (isSoftware && !isSoftwareThere) {
    const { SoftwareH264 } = await import('./softwareH264.ts');
    registerEncoder(SoftwareH264);
    isSoftwareThere = true;
  }
  return { isSoftware, audio: await audioCodec() };
}

const SOUND = { numberOfChannels: 2, sampleRate: FILM_SAMPLE_RATE, bitrate: AUDIO_BITRATE };

async function audioCodec(): Promise<AudioCodec> {
  if (isAacThere || (await canEncodeAudio('aac', SOUND))) return 'aac';
  const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
  registerAacEncoder();
  isAacThere = true;
  return 'aac';
}
