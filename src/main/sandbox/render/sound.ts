import { type Random, randomOf } from '../random.ts';
import type { Sound } from './encode.ts';
import type { Mood } from './mood.ts';

const RATE = 48_000;
/** AAC works in blocks of this many samples. */
const BLOCK = 1024;

/** How loud each part of an ambience is, 0 to 1. */
interface Ambience {
  rain: number;
  sea: number;
  wind: number;
  engine: number;
  hum: number;
  bell: number;
  horn: number;
}

const SILENT: Ambience = { rain: 0, sea: 0, wind: 0, engine: 0, hum: 0, bell: 0, horn: 0 };

const AMBIENCES: Record<string, Partial<Ambience>> = {
  harbour: { sea: 0.25, engine: 0.3, bell: 0.5, rain: 0.2 },
  lamp: { rain: 0.6, hum: 0.25 },
  portrait: { rain: 0.35, hum: 0.2, engine: 0.12 },
  pane: { rain: 0.55, hum: 0.1 },
  sea: { sea: 0.6, wind: 0.25, horn: 0.4 },
  wake: { sea: 0.7, engine: 0.5 },
  storm: { sea: 0.8, wind: 0.8, rain: 0.4 },
  lighthouse: { sea: 0.5, wind: 0.35, horn: 0.3 },
  dawn: { sea: 0.35, bell: 0.25, wind: 0.1 },
  salt: { wind: 0.5 },
  cardeck: { engine: 0.6, hum: 0.5 },
  ridges: { wind: 0.45 },
};

/** The sound of a place: noise shaped into rain, swell and wind, engines and tubes as tones, a bell or a horn now and then. */
export function composeSound(scene: string, mood: Mood, seed: number, seconds: number): Sound {
  const frames = Math.floor((seconds * RATE) / BLOCK - 1) * BLOCK;
  const samples = new Float32Array(frames * 2);
  const mix: Ambience = { ...SILENT, ...AMBIENCES[scene] };
  mix.rain = Math.max(mix.rain * (mood.rain > 0 || scene !== 'harbour' ? 1 : 0), mood.rain * 0.55);
  mix.wind = Math.max(mix.wind, mood.wind * 0.2);
  const random = randomOf(seed ^ 0x51f15e);
  for (const side of [0, 1] as const) {
    const channel = samples.subarray(side * frames, (side + 1) * frames);
    addNoises(channel, mix, randomOf(seed * 2 + side));
    addTones(channel, mix, side);
  }
  if (mix.bell > 0) strike(samples, frames, random, mix.bell * 0.16, [620, 1240.7, 1663, 2570], 2.2);
  if (mix.horn > 0) strike(samples, frames, random, mix.horn * 0.22, [98, 146.8, 196.2], 3.2, 0.7);
  soften(samples, frames);
  return { sampleRate: RATE, samples };
}

function addNoises(channel: Float32Array, mix: Ambience, random: Random): void {
  let [low, lower, band, last] = [0, 0, 0, 0];
  const swellPhase = random() * 6.28;
  for (let at = 0; at < channel.length; at += 1) {
    const time = at / RATE;
    const white = random() * 2 - 1;
    low += (white - low) * 0.09;
    lower += (low - lower) * 0.02;
    const gust = 0.55 + 0.45 * Math.sin(time * 0.7 + swellPhase) * Math.sin(time * 0.23 + 1);
    band += (white - band) * (0.012 + 0.02 * gust);
    const high = white - last;
    last = white;
    const swell = 0.5 + 0.5 * Math.sin(time * 0.85 + swellPhase);
    const patter = random() < 0.0011 ? random() * 0.5 : 0;
    channel[at] =
      mix.rain * (high * 0.045 + low * 0.1 + patter * (white > 0 ? 1 : -1) * 0.5) +
      mix.sea * (lower * 1.5 + low * 0.34 * swell * swell) +
      mix.wind * band * gust * 0.9;
  }
}

function addTones(channel: Float32Array, mix: Ambience, side: 0 | 1): void {
  const tau = 2 * Math.PI;
  for (let at = 0; at < channel.length; at += 1) {
    const time = at / RATE;
    const beat = 0.8 + 0.2 * Math.sin(time * tau * 1.9);
    const engine =
      Math.sin(time * tau * 47) * 0.5 +
      Math.sin(time * tau * (70.5 + side * 0.15)) * 0.28 +
      Math.sin(time * tau * 94.2) * 0.16;
    const hum =
      Math.sin(time * tau * 100) * 0.4 + Math.sin(time * tau * 300) * 0.12 + Math.sin(time * tau * 1200) * 0.012;
    channel[at] = (channel[at] ?? 0) + mix.engine * engine * beat * 0.16 + mix.hum * hum * 0.07;
  }
}

/** One note with its partials, somewhere in the first half, a little to one side. `attack` in seconds. */
function strike(
  samples: Float32Array,
  frames: number,
  random: Random,
  level: number,
  partials: number[],
  length: number,
  attack = 0.004,
): void {
  const start = Math.floor((0.1 + 0.3 * random()) * frames);
  const pan = 0.3 + 0.4 * random();
  const end = Math.min(frames, start + Math.floor(length * RATE));
  for (let at = start; at < end; at += 1) {
    const time = (at - start) / RATE;
    const envelope =
      Math.min(1, time / attack) * Math.exp(-time * (3.2 / length)) * Math.min(1, (end - at) / (0.1 * RATE));
    const tone = partials.reduce(
      (sum, frequency, index) => sum + Math.sin(time * 2 * Math.PI * frequency) / (index + 1.6),
      0,
    );
    samples[at] = (samples[at] ?? 0) + tone * envelope * level * (1 - pan);
    samples[frames + at] = (samples[frames + at] ?? 0) + tone * envelope * level * pan;
  }
}

/** Short fades, so that clips can be joined without a click, and a gentle ceiling. */
function soften(samples: Float32Array, frames: number): void {
  const fade = 0.03 * RATE;
  for (let at = 0; at < samples.length; at += 1) {
    const place = at % frames;
    const edge = Math.min(1, place / fade, (frames - place) / fade);
    samples[at] = Math.tanh((samples[at] ?? 0) * 1.25) * edge;
  }
}
