import { z } from 'zod';

/** The subtitles of a shot, with times of the shot, so that they move with it. No speech is recognized. */

const MAX_MS = 3_600_000;
const milliseconds = z.int().min(0).max(MAX_MS);

export const MAX_SUBTITLES = 100;

export const subtitleSchema = z
  .strictObject({
    /** Unique within its shot. */
    id: z.string().min(1).max(100),
    /** From the start of the shot. */
    startMs: milliseconds,
    endMs: milliseconds,
    text: z.string().max(1_000),
  })
  .refine(({ startMs, endMs }) => endMs > startMs, { path: ['endMs'], message: 'must be after the start' });
export type Subtitle = z.infer<typeof subtitleSchema>;

export const subtitlesSchema = z
  .array(subtitleSchema)
  .max(MAX_SUBTITLES)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have different ids');

/** The shortest subtitle when they are spread by length. */
const LEAST_MS = 1_200;
const NEW_MS = 2_000;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Characters to read; a line break counts as one, like a space. */
export const countCharacters = (text: string): number => [...graphemes.segment(text)].length;

/** Characters per second. */
export const readingSpeed = ({ text, startMs, endMs }: Omit<Subtitle, 'id'>): number =>
  (countCharacters(text) * 1_000) / (endMs - startMs);

export const inTimeOrder = (subtitles: readonly Subtitle[]): Subtitle[] =>
  subtitles.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);

export interface SubtitleFacts {
  characters: number;
  /** Characters of each line. */
  lines: number[];
  seconds: number;
  perSecond: number;
  /** Until the next one starts; negative if they overlap. */
  gapMs: number | undefined;
  /** `cut`: only a part of it is in the shot; `outside`: it is not shown. */
  fit: 'whole' | 'cut' | 'outside';
}

/**
 * The facts of one subtitle in a shot that plays from `fromMs` to `shotMs` of its own time. A shorter take changes no subtitle: whatever
 * does not fit is reported, and fits again in a longer take.
 */
export function factsOfSubtitle(
  subtitle: Subtitle,
  all: readonly Subtitle[],
  shotMs: number,
  fromMs = 0,
): SubtitleFacts {
  const next = followingSubtitle(subtitle, all);
  const isOutside = subtitle.startMs >= shotMs || subtitle.endMs <= fromMs;
  const isCut = subtitle.endMs > shotMs || subtitle.startMs < fromMs;
  return {
    characters: countCharacters(subtitle.text),
    lines: subtitle.text.split('\n').map(countCharacters),
    seconds: (subtitle.endMs - subtitle.startMs) / 1_000,
    perSecond: readingSpeed(subtitle),
    gapMs: next && next.startMs - subtitle.endMs,
    fit: isOutside ? 'outside' : isCut ? 'cut' : 'whole',
  };
}

function followingSubtitle({ id }: Subtitle, all: readonly Subtitle[]): Subtitle | undefined {
  const sorted = inTimeOrder(all);
  return sorted[sorted.findIndex((one) => one.id === id) + 1];
}

/** The subtitles that are shown in a shot of this length, cut at its end. */
export const shownInShot = (subtitles: readonly Subtitle[], shotMs: number): Subtitle[] =>
  inTimeOrder(subtitles)
    .filter(({ startMs }) => startMs < shotMs)
    .map((subtitle) => (subtitle.endMs > shotMs ? { ...subtitle, endMs: shotMs } : subtitle));

/** The latest end before the next one starts or the shot ends. */
function latestEnd(subtitle: Subtitle, all: readonly Subtitle[], shotMs: number): number {
  const next = followingSubtitle(subtitle, all);
  return Math.min(next && next.startMs > subtitle.startMs ? next.startMs : shotMs, shotMs);
}

/** The subtitle long enough to be read at `limit`, as far as there is room; undefined if it cannot be longer. */
export function standLonger(
  subtitle: Subtitle,
  all: readonly Subtitle[],
  { shotMs, limit }: { shotMs: number; limit: number },
): Subtitle | undefined {
  const needed = subtitle.startMs + Math.ceil((countCharacters(subtitle.text) * 1_000) / limit);
  const endMs = Math.min(needed, latestEnd(subtitle, all, shotMs));
  return endMs > subtitle.endMs ? { ...subtitle, endMs } : undefined;
}

/** Two subtitles split at the space nearest the middle, with durations in proportion; undefined for a single word. */
export function splitSubtitle(
  subtitle: Subtitle,
  all: readonly Subtitle[],
  { shotMs, limit, newId }: { shotMs: number; limit: number; newId: string },
): [Subtitle, Subtitle] | undefined {
  const { startMs, endMs, text } = standLonger(subtitle, all, { shotMs, limit }) ?? subtitle;
  const at = middleSpace(text);
  if (at === undefined || endMs - startMs < 2) return undefined;
  const [before, after] = [text.slice(0, at).trim(), text.slice(at).trim()];
  const share = countCharacters(before) / (countCharacters(before) + countCharacters(after));
  const middle = Math.min(endMs - 1, Math.max(startMs + 1, Math.round(startMs + (endMs - startMs) * share)));
  return [
    { ...subtitle, text: before, endMs: middle },
    { id: newId, text: after, startMs: middle, endMs },
  ];
}

/** The index of the white space nearest the middle, with words on both sides. */
function middleSpace(text: string): number | undefined {
  const spaces = [...text].flatMap((character, index) => (character.trim() === '' ? [index] : []));
  const offsets = spaces.map((index) => [...text].slice(0, index).join('').length);
  const parting = offsets.filter((at) => text.slice(0, at).trim() !== '' && text.slice(at).trim() !== '');
  const distance = (at: number) => Math.abs(at - text.length / 2);
  return parting.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** Spreads subtitles over the shot from `fromMs` to `shotMs` by length of text, in order, at least 1.2 s each if the shot is long enough. */
export function spreadByWords(subtitles: readonly Subtitle[], shotMs: number, fromMs = 0): Subtitle[] {
  const sorted = inTimeOrder(subtitles);
  const lengths = lengthsByWords(
    sorted.map(({ text }) => Math.max(1, countCharacters(text))),
    shotMs - fromMs,
  );
  let at = fromMs;
  return sorted.map((subtitle, index) => {
    const startMs = Math.round(at);
    at += lengths[index] ?? 0;
    return { ...subtitle, startMs, endMs: Math.max(startMs + 1, Math.round(at)) };
  });
}

/** Shares of `total` in proportion to the weights, none below the minimum while there is room. */
function lengthsByWords(weights: readonly number[], total: number): number[] {
  if (weights.length * LEAST_MS >= total) return weights.map(() => total / weights.length);
  const short = new Set<number>();
  for (;;) {
    const left = total - short.size * LEAST_MS;
    const weight = weights.reduce((sum, one, index) => sum + (short.has(index) ? 0 : one), 0);
    const lengths = weights.map((one, index) => (short.has(index) ? LEAST_MS : (one / weight) * left));
    const under = lengths.findIndex((length, index) => length < LEAST_MS && !short.has(index));
    if (under < 0) return lengths;
    short.add(under);
  }
}

/** An empty subtitle at a time of the shot, or in the first free place after it; undefined if there is no room. */
export function newSubtitle(
  id: string,
  all: readonly Subtitle[],
  { atMs, shotMs }: { atMs: number; shotMs: number },
): Subtitle | undefined {
  let startMs = Math.max(0, Math.round(atMs));
  for (const one of inTimeOrder(all)) if (one.startMs <= startMs && one.endMs > startMs) startMs = one.endMs;
  const next = inTimeOrder(all).find((one) => one.startMs > startMs);
  const endMs = Math.min(startMs + NEW_MS, next?.startMs ?? shotMs, shotMs);
  return endMs - startMs < MIN_NEW_MS ? undefined : { id, startMs, endMs, text: '' };
}

const MIN_NEW_MS = 100;
