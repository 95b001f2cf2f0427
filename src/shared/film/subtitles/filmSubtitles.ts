import type { Shot } from '../../board/board.ts';
import { shownInShot } from './subtitle.ts';
import { plainText } from './subtitleText.ts';

/** A subtitle with times of the whole film. */
export interface Cue {
  startMs: number;
  endMs: number;
  text: string;
}

/** The place of a shot in the film, in seconds: the length of its active take, or its planned length. */
export interface ShotSpan {
  shotId: string;
  start: number;
  seconds: number;
  /** The second of the shot at which a trimmed take begins; subtitles have times of the shot. */
  from?: number;
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000);

/**
 * The subtitles of a film in order, for the shots of `plan` (without skipped ones). Each time is rounded once, so that errors do not add up.
 * Words that continue over a link are one subtitle.
 */
export function subtitlesOf(shots: readonly Shot[], plan: readonly ShotSpan[]): Cue[] {
  const byId = new Map(shots.map((shot) => [shot.id, shot]));
  const cues: Cue[] = [];
  for (const { shotId, start, seconds, from = 0 } of plan) {
    const [joint, end] = [toMs(start), toMs(start + seconds)];
    for (const subtitle of shownInShot(byId.get(shotId)?.subtitles ?? [], toMs(from + seconds))) {
      const text = plainText(subtitle.text);
      if (text === '') continue;
      const startMs = Math.max(joint, toMs(start - from + subtitle.startMs / 1_000));
      const endMs = Math.min(end, toMs(start - from + subtitle.endMs / 1_000));
      const open = startMs === joint && cues.find((cue) => cue.endMs === joint && cue.text === text);
      if (open) open.endMs = endMs;
      else if (endMs > startMs) cues.push({ startMs, endMs, text });
    }
  }
  return cues.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

export interface PlacedCues {
  /** With times of each shot. */
  byShot: Map<string, Cue[]>;
  /** Subtitles after the end of the film. */
  leftOut: Cue[];
}

/** Distributes subtitles of a film to its shots; one that spans two shots is divided. */
export function placeCues(cues: readonly Cue[], plan: readonly ShotSpan[]): PlacedCues {
  const placed: PlacedCues = { byShot: new Map(), leftOut: [] };
  for (const cue of cues) {
    const parts = plan.flatMap((span) => partIn(cue, span));
    for (const { shotId, part } of parts) {
      placed.byShot.set(shotId, [...(placed.byShot.get(shotId) ?? []), part]);
    }
    if (parts.length === 0) placed.leftOut.push(cue);
  }
  return placed;
}

function partIn(cue: Cue, { shotId, start, seconds, from = 0 }: ShotSpan): { shotId: string; part: Cue }[] {
  const startMs = Math.max(cue.startMs, toMs(start));
  const endMs = Math.min(cue.endMs, toMs(start + seconds));
  const zero = toMs(start - from);
  return endMs > startMs ? [{ shotId, part: { text: cue.text, startMs: startMs - zero, endMs: endMs - zero } }] : [];
}
