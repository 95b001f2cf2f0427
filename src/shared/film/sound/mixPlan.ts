import type { Shot } from '../../board/board.ts';
import type { SoundMeasures } from '../measures.ts';
import type { Cue, ShotSpan } from '../subtitles/filmSubtitles.ts';
import { dbOfGain, gainOfDb, isAudible, ownGain } from './levels.ts';
import type { Duck, Track } from './track.ts';

/** The mix of a film: sources, times and gains, for playback and exports. */

/** Linear gain at a time. Interpolated linearly between keys, constant before the first and after the last. */
export interface GainKey {
  /** Seconds of the film. */
  at: number;
  gain: number;
}

export interface MixSource {
  from: 'shot' | 'track';
  shotId?: string;
  assetId: string;
  /** Seconds of the film. */
  start: number;
  end: number;
  /** The second of the file that plays at `start`. */
  fileStart: number;
  /** In time order, at least one. */
  keys: GainKey[];
}

export interface MixPlan {
  /** Length of the film in seconds. */
  seconds: number;
  /** The audible sources. */
  sources: MixSource[];
  /**
   * The gain of the whole mix, at most 1, that keeps the sum of the sources within full scale (0 dBFS). Sources are as loud as `peaks` says,
   * else at full scale.
   */
  headroom: number;
  /** The highest sum, linear, and its second in the film. */
  highest: number;
  loudestAt: number;
}

/** A shot with its clip. */
export interface MixSpan extends ShotSpan {
  assetId?: string;
  /** Undefined if not known. */
  hasSound?: boolean;
}

export interface MixInput {
  shots: readonly Shot[];
  /** The shots in order, without skipped ones. */
  plan: readonly MixSpan[];
  track?: Track | undefined;
  /** Length of the track's file in seconds, if known. */
  trackSeconds?: number | undefined;
  cues: readonly Cue[];
  /** Highest amplitude of each file, by asset (1 is full scale). */
  peaks?: ReadonlyMap<string, number>;
  /** Levelling by shot; default: none. */
  levelling?: ReadonlyMap<string, ShotLevelling>;
}

export interface ShotLevelling {
  /** Decibels that bring the shot to the film's loudness. */
  gainDb: number;
  /** LUFS of its first and last 400 ms before levelling; null for silence. */
  first: number | null;
  last: number | null;
}

/** Highest amplitude of each file, from its measures. */
export const peaksOf = (sounds: ReadonlyMap<string, Pick<SoundMeasures, 'truePeakDb'>>): Map<string, number> =>
  new Map([...sounds].map(([id, { truePeakDb }]) => [id, truePeakDb === null ? 0 : gainOfDb(truePeakDb)]));

export function mixPlan(input: MixInput): MixPlan {
  const last = input.plan.at(-1);
  const seconds = last ? last.start + last.seconds : 0;
  const shots = shotSources(input);
  const track = trackSource(input, seconds);
  const sources = track ? [...shots, track] : shots;
  return { seconds, sources, ...headroomOf(sources, input.peaks) };
}

function shotSources({ shots, plan, levelling }: MixInput): MixSource[] {
  const byId = new Map(shots.map((shot) => [shot.id, shot]));
  const heard = plan.map((span) => heardShot(span, byId.get(span.shotId), levelling));
  return heard.flatMap((one, index) => {
    if (!one) return [];
    const { span, assetId, gain } = one;
    const before = heard[index - 1];
    const line = {
      gain,
      step: one.isLevelled && before ? stepBetween(before, one) : 0,
      fadesIn: index > 0 && !before,
      fadesOut: index < heard.length - 1 && !heard[index + 1],
    };
    const end = span.start + span.seconds;
    const keys = shotKeys(span.start, end, line);
    return [
      { from: 'shot' as const, shotId: span.shotId, assetId, start: span.start, end, fileStart: span.from ?? 0, keys },
    ];
  });
}

interface HeardShot {
  span: MixSpan;
  assetId: string;
  gain: number;
  isLevelled: boolean;
  levelling: ShotLevelling | undefined;
}

function heardShot(span: MixSpan, shot: Shot | undefined, levelling: MixInput['levelling']): HeardShot | undefined {
  const own = ownGain(shot?.ownSound);
  if (span.assetId === undefined || span.hasSound === false || own === 0 || span.seconds <= 0) return undefined;
  const known = levelling?.get(span.shotId);
  const gain = own * gainOfDb(known?.gainDb ?? 0);
  return { span, assetId: span.assetId, gain, isLevelled: shot?.isLevelled === true, levelling: known };
}

/** In LU: whispers are not raised to shouts. */
const MOST_STEP = 20;

/** How much louder a shot begins than the one before it ends, in LU; 0 if either is silent or not measured. */
function stepBetween(before: HeardShot, after: HeardShot): number {
  const from = before.levelling?.last;
  const to = after.levelling?.first;
  if (!isAudible(from) || !isAudible(to)) return 0;
  const step = to + dbOfGain(after.gain) - from - dbOfGain(before.gain);
  return Math.max(-MOST_STEP, Math.min(MOST_STEP, step));
}

/** In seconds: avoids a click where sound starts or ends next to silence. */
const SILENCE_FADE = 0.02;
/** In seconds: the ramp of a levelled shot to its own loudness. */
export const LEVELLED_SECONDS = 0.5;

function shotKeys(
  start: number,
  end: number,
  { gain, step, fadesIn, fadesOut }: { gain: number; step: number; fadesIn: boolean; fadesOut: boolean },
): GainKey[] {
  const fade = Math.min(SILENCE_FADE, (end - start) / 2);
  const fades = [
    ...(fadesIn
      ? [
          { at: start, gain: 0 },
          { at: start + fade, gain: 1 },
        ]
      : []),
    ...(fadesOut
      ? [
          { at: end - fade, gain: 1 },
          { at: end, gain: 0 },
        ]
      : []),
  ];
  const level =
    step === 0
      ? [{ at: start, gain: 1 }]
      : [
          { at: start, gain: gainOfDb(-step) },
          { at: Math.min(end, start + LEVELLED_SECONDS), gain: 1 },
        ];
  const times = new Set([start, ...[...fades, ...level].map(({ at }) => at)]);
  return [...times]
    .sort((a, b) => a - b)
    .map((at) => ({ at, gain: gain * (fades.length > 0 ? gainAt(fades, at) : 1) * gainAt(level, at) }));
}

function trackSource(input: MixInput, filmSeconds: number): MixSource | undefined {
  const { track } = input;
  if (!track || track.isMuted) return undefined;
  const end = trackEnd(track, filmSeconds, input.trackSeconds);
  if (end <= 0) return undefined;
  return {
    from: 'track',
    assetId: track.assetId,
    start: 0,
    end,
    fileStart: track.in,
    keys: trackKeys(track, end, duckSpans(input)),
  };
}

/** The track's end in the film: that of the film, its out point or its file, whichever comes first. */
export function trackEnd(track: Track, filmSeconds: number, fileSeconds = Number.POSITIVE_INFINITY): number {
  return Math.max(0, Math.min(filmSeconds, Math.min(track.out ?? fileSeconds, fileSeconds) - track.in));
}

export interface TimeSpan {
  start: number;
  end: number;
}

/** The spans in which the track is ducked; spans too close for it to recover are joined. */
export function duckSpans({ track, cues, plan, shots }: MixInput): TimeSpan[] {
  const duck = track?.duck;
  if (!duck) return [];
  const spans =
    duck.under === 'words'
      ? cues.map(({ startMs, endMs }) => ({ start: startMs / 1_000, end: endMs / 1_000 }))
      : shotSources({ shots, plan, cues }).map(({ start, end }) => ({ start, end }));
  const { before, after } = rampsOf(duck);
  return joinedSpans(spans, before + after);
}

function joinedSpans(spans: readonly TimeSpan[], nearest: number): TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && span.start - last.end <= nearest) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

/** The track's gain: level, fades and ducks together. */
function trackKeys(track: Track, end: number, ducks: readonly TimeSpan[]): GainKey[] {
  const [fadeIn, fadeOut] = fadesWithin(track, end);
  const duck = duckKeys(track.duck, ducks);
  const fade = [
    { at: 0, gain: fadeIn > 0 ? 0 : 1 },
    { at: fadeIn, gain: 1 },
    { at: end - fadeOut, gain: 1 },
    { at: end, gain: fadeOut > 0 ? 0 : 1 },
  ];
  const times = new Set([...fade, ...duck].map(({ at }) => at).filter((at) => at >= 0 && at <= end));
  const level = gainOfDb(track.level);
  return [...times].sort((a, b) => a - b).map((at) => ({ at, gain: level * gainAt(fade, at) * gainAt(duck, at) }));
}

/** Fades longer than the track are shortened in proportion. */
export function fadesWithin({ fadeIn, fadeOut }: Pick<Track, 'fadeIn' | 'fadeOut'>, length: number): [number, number] {
  const share = Math.min(1, length / Math.max(fadeIn + fadeOut, Number.MIN_VALUE));
  return [fadeIn * share, fadeOut * share];
}

function duckKeys(duck: Duck | undefined, spans: readonly TimeSpan[]): GainKey[] {
  if (!duck || spans.length === 0) return [{ at: 0, gain: 1 }];
  const low = gainOfDb(-duck.by);
  const { before, after } = rampsOf(duck);
  return spans.flatMap(({ start, end }) => [
    { at: start - before, gain: 1 },
    { at: start, gain: low },
    { at: end, gain: low },
    { at: end + after, gain: 1 },
  ]);
}

/** A sudden change of gain is heard as a click. */
const SHORTEST_RAMP = 0.01;

const rampsOf = ({ before, after }: Duck): { before: number; after: number } => ({
  before: Math.max(before, SHORTEST_RAMP),
  after: Math.max(after, SHORTEST_RAMP),
});

export function gainAt(keys: readonly GainKey[], at: number): number {
  const next = keys.findIndex((key) => key.at > at);
  const after = keys[next < 0 ? keys.length : next];
  const before = next < 0 ? keys.at(-1) : keys[next - 1];
  if (!before) return after?.gain ?? 1;
  if (!after) return before.gain;
  return before.gain + ((after.gain - before.gain) * (at - before.at)) / (after.at - before.at);
}

export const sourceGain = ({ start, end, keys }: MixSource, at: number): number =>
  at < start || at >= end ? 0 : gainAt(keys, at);

/** A sum of straight lines is highest at one of their ends. */
function headroomOf(
  sources: readonly MixSource[],
  peaks: ReadonlyMap<string, number> = new Map(),
): Pick<MixPlan, 'headroom' | 'highest' | 'loudestAt'> {
  const times = new Set(sources.flatMap(({ start, end, keys }) => [start, end, ...keys.map(({ at }) => at)]));
  const highest = (at: number, plays: (source: MixSource) => boolean) =>
    sources.filter(plays).reduce((sum, { assetId, keys }) => sum + gainAt(keys, at) * (peaks.get(assetId) ?? 1), 0);
  let most = 0;
  let loudestAt = 0;
  for (const at of times) {
    // At a link one shot has ended when the next begins.
    const sum = Math.max(
      highest(at, ({ start, end }) => at >= start && at < end),
      highest(at, ({ start, end }) => at > start && at <= end),
    );
    if (sum > most) loudestAt = at;
    most = Math.max(most, sum);
  }
  return { headroom: 1 / Math.max(1, most), highest: most, loudestAt };
}
