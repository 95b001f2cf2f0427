import type { GainKey } from '../../shared/film/sound/mixPlan.ts';
import { FPS, lastFrameTime, type PlayRange } from './frames.ts';
import { Player } from './player.ts';
import { SoundOutput } from './soundOutput.ts';

/** One clip of several on one clock. */
interface SyncedClip {
  video: HTMLVideoElement;
  /** In seconds; before its start and after its end it stands at its first or last frame. */
  seconds: number;
  /** Where it begins on the clock; 0 if not said. */
  start?: number;
  /** The second of its file at which it begins, where it is trimmed. */
  from?: number;
}

/** How loud each clip is over its own seconds; one that is not named is silent. */
type ClipGains = ReadonlyMap<HTMLVideoElement, readonly GainKey[]>;

/** Half a frame; less is not seen. */
const CLOSE_ENOUGH = 0.5 / FPS;
/** What is further off is not caught up with in a moment: it is sought. */
const TOO_FAR = 0.25;
/** A change of speed that is neither seen nor heard. */
const MOST_CORRECTION = 0.08;

/** How a clip that is `drift` seconds ahead of the clock (or behind it, below 0) gets back to it: by its speed, or by a seek. */
export function correctionOf(drift: number, rate: number): { rate: number } | { seek: true } {
  if (Math.abs(drift) > TOO_FAR) return { seek: true };
  if (Math.abs(drift) < CLOSE_ENOUGH) return { rate };
  const correction = Math.max(-MOST_CORRECTION, Math.min(MOST_CORRECTION, drift));
  return { rate: rate * (1 - correction) };
}

/**
 * Plays clips by one clock: takes at the same time, or the two sides of a link. Each shown frame tells how far its clip is from the clock
 * (`requestVideoFrameCallback`), and its speed brings it back.
 */
export class SyncPlayer extends Player {
  private readonly sound = new SoundOutput();
  private clips: readonly SyncedClip[] = [];
  private gains: ClipGains = new Map();
  private isMuted = false;
  private stopWatching: (() => void)[] = [];
  private key = '';
  protected range: PlayRange = { from: 0, to: 0 };
  /** While it plays: it showed `seconds` at the time `at`, in ms. */
  private clock = { at: 0, seconds: 0 };

  /** Other clips; of the same key, at the place where the ones before were. */
  load(clips: readonly SyncedClip[], key: string, range?: PlayRange): void {
    const wasPlaying = this.current.isPlaying && key === this.key;
    const at = key === this.key ? this.now() : 0;
    this.pause();
    for (const stop of this.stopWatching) stop();
    this.clips = clips;
    this.key = key;
    this.range = range ?? { from: 0, to: Math.max(0, ...clips.map(({ seconds }) => seconds)) };
    this.stopWatching = clips.map((clip) => this.watch(clip));
    this.set({ total: this.range.to - this.range.from });
    this.place(at);
    if (wasPlaying) this.play();
  }

  hear(gains: ClipGains): void {
    this.gains = gains;
    this.mute(this.isMuted);
    this.follow();
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    for (const { video } of this.clips) video.muted = isMuted || !this.gains.has(video);
  }

  override play(rate = 1): void {
    if (this.clips.length === 0) return;
    // Of a link that is looked at, what leads to it is played first.
    if (rate > 0 && !this.current.isPlaying && this.current.seconds === 0) this.place(this.range.from);
    this.clock = { at: performance.now(), seconds: this.now() };
    super.play(rate);
  }

  override pause(): void {
    const at = this.now();
    const wasPlaying = this.current.isPlaying;
    super.pause();
    if (wasPlaying) this.place(at);
  }

  override dispose(): void {
    super.dispose();
    for (const stop of this.stopWatching) stop();
    this.sound.dispose();
  }

  protected get isSeeking(): boolean {
    return this.clips.some(({ video }) => video.seeking);
  }

  protected place(seconds: number): void {
    const { from, to } = this.range;
    const at = Math.min(Math.max(from, seconds), Math.max(from, lastFrameTime(to)));
    this.clock = { at: performance.now(), seconds: at };
    for (const { video, seconds: length, start = 0, from: fileStart = 0 } of this.clips) {
      const inside = fileStart + Math.min(Math.max(0, at - start), lastFrameTime(length));
      if (Math.abs(video.currentTime - inside) > 0.001) video.currentTime = inside;
    }
    this.set({ seconds: at });
  }

  protected start(rate: number): void {
    for (const { video } of this.clips) video.playbackRate = Math.abs(rate);
    if (rate < 0) this.halt();
    this.sound.begin();
    this.sound.whenRunning(this.follow);
  }

  protected halt(): void {
    for (const { video } of this.clips) video.pause();
  }

  protected advance(): void {
    const at = this.now();
    if (at < this.range.to) {
      for (const clip of this.clips) this.run(clip, at);
      this.moveTo(at);
    } else if (this.isLooping) this.place(this.range.from);
    else this.pause();
  }

  /** Lets a clip run while the clock is in it. */
  private run({ video, seconds, start = 0 }: SyncedClip, at: number): void {
    const isDue = at >= start && at - start < lastFrameTime(seconds);
    if (!isDue) video.pause();
    else if (video.paused && !video.ended && !video.error) void video.play().catch(() => undefined);
  }

  private now(time = performance.now()): number {
    const { isPlaying, rate, seconds } = this.current;
    return isPlaying && rate > 0 ? this.clock.seconds + ((time - this.clock.at) / 1_000) * rate : seconds;
  }

  private readonly follow = (): void => {
    for (const { video } of this.clips) {
      const gains = this.gains.get(video);
      if (gains) this.sound.follow(video, gains);
    }
  };

  /** Compares each frame that a clip shows with the clock, at the time at which it is seen. */
  private watch({ video, seconds, start = 0, from = 0 }: SyncedClip): () => void {
    let request = 0;
    const onFrame: VideoFrameRequestCallback = (_, { mediaTime, expectedDisplayTime }) => {
      request = video.requestVideoFrameCallback(onFrame);
      const { isPlaying, rate } = this.current;
      if (!isPlaying || rate < 0 || video.seeking || video.paused) return;
      const due = this.now(expectedDisplayTime) - start;
      if (due >= lastFrameTime(seconds)) return;
      const correction = correctionOf(mediaTime - from - due, rate);
      if ('seek' in correction) video.currentTime = from + due;
      else video.playbackRate = correction.rate;
    };
    request = video.requestVideoFrameCallback(onFrame);
    const heard = new AbortController();
    // A line of gains runs on its own clock, so it begins again with the sound.
    for (const event of ['playing', 'pause', 'seeked']) video.addEventListener(event, this.follow, heard);
    return () => {
      video.cancelVideoFrameCallback(request);
      heard.abort();
    };
  }
}
