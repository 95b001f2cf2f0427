import { type Random, randomOf } from '../random.ts';
import type { Sound } from './encode.ts';
import type { Mood } from './mood.ts';

const RATE = 48_000;
/** AAC encodes blocks of this many samples. */
const BLOCK = 1024;

/** The loudness of each part of an ambience, 0 to 1. */
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

/** The sound of a place: noise shaped into rain, swell and wind; tones as engines and tubes; a bell or horn now and then. */
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

const TAU = 2 * Math.PI;

/** A sine wave. Rotating a vector by one step per sample costs a fraction of `Math.sin`. */
function toneOf(frequency: number, frames: number, phase = 0): Float32Array {
  const tone = new Float32Array(frames);
  const step = (TAU * frequency) / RATE;
  const [turnSine, turnCosine] = [Math.sin(step), Math.cos(step)];
  let [sine, cosine] = [Math.sin(phase), Math.cos(phase)];
  for (let at = 0; at < frames; at += 1) {
    tone[at] = sine;
    const turned = sine * turnCosine + cosine * turnSine;
    cosine = cosine * turnCosine - sine * turnSine;
    sine = turned;
  }
  return tone;
}

function addNoises(channel: Float32Array, mix: Ambience, random: Random): void {
  let [low, lower, band, last] = [0, 0, 0, 0];
  const swellPhase = random() * 6.28;
  const [gusts, lulls] = [toneOf(0.7 / TAU, channel.length, swellPhase), toneOf(0.23 / TAU, channel.length, 1)];
  const swells = toneOf(0.85 / TAU, channel.length, swellPhase);
  for (let at = 0; at < channel.length; at += 1) {
    const white = random() * 2 - 1;
    low += (white - low) * 0.09;
    lower += (low - lower) * 0.02;
    const gust = 0.55 + 0.45 * (gusts[at] ?? 0) * (lulls[at] ?? 0);
    band += (white - band) * (0.012 + 0.02 * gust);
    const high = white - last;
    last = white;
    const swell = 0.5 + 0.5 * (swells[at] ?? 0);
    const patter = random() < 0.0011 ? random() * 0.5 : 0;
    channel[at] =
      mix.rain * (high * 0.045 + low * 0.1 + patter * (white > 0 ? 1 : -1) * 0.5) +
      mix.sea * (lower * 1.5 + low * 0.34 * swell * swell) +
      mix.wind * band * gust * 0.9;
  }
}

function addTones(channel: Float32Array, mix: Ambience, side: 0 | 1): void {
  if (mix.engine > 0) {
    const beat = toneOf(1.9, channel.length).map((sine) => 0.8 + 0.2 * sine);
    for (const [frequency, level] of [
      [47, 0.5],
      [70.5 + side * 0.15, 0.28],
      [94.2, 0.16],
    ] as const)
      addTone(channel, frequency, level * mix.engine * 0.16, beat);
  }
  if (mix.hum > 0) {
    for (const [frequency, level] of [
      [100, 0.4],
      [300, 0.12],
      [1200, 0.012],
    ] as const)
      addTone(channel, frequency, level * mix.hum * 0.07);
  }
}

function addTone(channel: Float32Array, frequency: number, level: number, beat?: Float32Array): void {
  const tone = toneOf(frequency, channel.length);
  for (let at = 0; at < channel.length; at += 1)
    channel[at] = (channel[at] ?? 0) + (tone[at] ?? 0) * level * (beat?.[at] ?? 1);
}

/** One note with its partials at a random time in the first half, slightly off centre. `attack` in seconds. */
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
  const tones = partials.map((frequency) => toneOf(frequency, end - start));
  for (let at = start; at < end; at += 1) {
    const time = (at - start) / RATE;
    const envelope =
      Math.min(1, time / attack) * Math.exp(-time * (3.2 / length)) * Math.min(1, (end - at) / (0.1 * RATE));
    const tone = tones.reduce((sum, partial, index) => sum + (partial[at - start] ?? 0) / (index + 1.6), 0);
    samples[at] = (samples[at] ?? 0) + tone * envelope * level * (1 - pan);
    samples[frames + at] = (samples[frames + at] ?? 0) + tone * envelope * level * pan;
  }
}

/** Short fades, so that joined clips do not click, and a soft limiter. */
function soften(samples: Float32Array, frames: number): void {
  const fade = 0.03 * RATE;
  for (let at = 0; at < samples.length; at += 1) {
    const place = at % frames;
    const edge = Math.min(1, place / fade, (frames - place) / fade);
    samples[at] = Math.tanh((samples[at] ?? 0) * 1.25) * edge;
  }
}
