import type { AudioSample } from 'mediabunny';
import { CHANNEL_LAYOUTS, type ChannelLayout, layoutOf } from '../../shared/film/sound/layout.ts';

/** Left and right, equally long, full scale is 1. */
export type Stereo = readonly [Float32Array, Float32Array];

/** Decoded sound as stereo. `codec` is the track's codec. */
export function stereoOf(sample: AudioSample, codec: string | null): Stereo {
  return folded(channelsOf(sample), layoutOf(sample.numberOfChannels, codec));
}

/** One array for each channel, all of one length. */
export function channelsOf(sample: AudioSample): Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const plane = new Float32Array(sample.numberOfFrames);
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    return plane;
  });
}

/** One array for each channel, all of one length. */
export function folded(channels: readonly Float32Array[], layout: ChannelLayout): Stereo {
  const [left, right] = CHANNEL_LAYOUTS[layout];
  return [sumOf(channels, left), sumOf(channels, right)];
}

function sumOf(channels: readonly Float32Array[], gains: readonly number[]): Float32Array {
  const sum = new Float32Array(channels[0]?.length ?? 0);
  for (const [index, gain] of gains.entries()) {
    const channel = channels[index];
    if (!channel || gain === 0) continue;
    for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + gain * (channel[at] ?? 0);
  }
  return sum;
}
