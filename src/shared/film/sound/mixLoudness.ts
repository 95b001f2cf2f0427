import { MOMENTARY_STEP_S } from '../measures.ts';
import type { ClipPart } from '../trim.ts';
import { type MixPlan, sourceGain } from './mixPlan.ts';

/** The loudness of a mix over time, from the measures of its sources. Independent sounds add up in power. */
export interface MixLoudness {
  /** LUFS of 400 ms around every 100 ms; null for silence. */
  points: (number | null)[];
  /** Integrated loudness (ITU-R BS.1770-4) in LUFS; null for silence. */
  lufs: number | null;
}

/** LUFS of 400 ms every 100 ms from the start; null for silence. */
type Momentary = readonly (number | null)[];

/** Half a window of momentary loudness, in seconds: a value belongs to the middle of its window. */
const HALF_WINDOW = 0.2;
const ABSOLUTE_GATE = 10 ** (-70 / 10);

/** Undefined while a source has not been measured. */
export function mixLoudness(
  { seconds, sources }: Pick<MixPlan, 'seconds' | 'sources'>,
  momentaryOf: ReadonlyMap<string, Momentary>,
): MixLoudness | undefined {
  if (sources.some(({ assetId }) => !momentaryOf.has(assetId))) return undefined;
  const powers = Array.from({ length: Math.floor(seconds / MOMENTARY_STEP_S) }, (_, index) => {
    const at = index * MOMENTARY_STEP_S;
    return sources.reduce((sum, source) => {
      const gain = sourceGain(source, at);
      const momentary = momentaryOf.get(source.assetId) ?? [];
      return gain === 0 ? sum : sum + gain ** 2 * powerAt(momentary, at - source.start + source.fileStart);
    }, 0);
  });
  return { points: powers.map(lufsOf), lufs: integrated(powers) };
}

/** At a second of the file; constant before the middle of the first and after that of the last window. */
function powerAt(momentary: Momentary, second: number): number {
  const index = Math.round((second - HALF_WINDOW) / MOMENTARY_STEP_S);
  if (index > momentary.length + HALF_WINDOW / MOMENTARY_STEP_S) return 0;
  const lufs = momentary[Math.max(0, Math.min(momentary.length - 1, index))] ?? null;
  return powerOf(lufs);
}

/** The measures of the audible part of a sound. */
export function partOfSound<Sound extends { momentary: Momentary; lufs: number | null }>(
  sound: Sound | undefined,
  { from, seconds }: ClipPart,
): Sound | undefined {
  if (!sound || from === undefined) return sound;
  const first = Math.round(from / MOMENTARY_STEP_S);
  const windows = Math.max(1, Math.round((seconds - 2 * HALF_WINDOW) / MOMENTARY_STEP_S) + 1);
  const momentary = sound.momentary.slice(Math.min(first, Math.max(0, sound.momentary.length - 1)), first + windows);
  return { ...sound, momentary, lufs: integrated(momentary.map(powerOf)) };
}

const powerOf = (lufs: number | null): number => (lufs === null ? 0 : 10 ** (lufs / 10));

const lufsOf = (power: number): number | null => (power > ABSOLUTE_GATE ? 10 * Math.log10(power) : null);

function integrated(powers: readonly number[]): number | null {
  const loud = powers.filter((power) => power > ABSOLUTE_GATE);
  const gate = mean(loud) / 10;
  return lufsOf(mean(loud.filter((power) => power > gate)));
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
