import type { GainKey } from '../../shared/film/sound/mixPlan.ts';
import { FPS, lastFrameTime, type PlayRange } from './frames.ts';
import { Player } from './player.ts';
import { SoundOutput } from './soundOutput.ts';

/** One of several clips on one clock. */
interface SyncedClip {
  video: HTMLVideoElement;
  /** Length in seconds; before its start and after its end the first or last frame is shown. */
  seconds: number;
  /** Its start on the clock; default 0. */
  start?: number;
  /** The second of the file at which it begins, if trimmed. */
  from?: number;
}

/** The gain curve of each clip; clips without one are silent. */
type ClipGains = ReadonlyMap<HTMLVideoElement, readonly GainKey[]>;

/** Half a frame; less is invisible. */
const CLOSE_ENOUGH = 0.5 / FPS;
/** A larger drift is corrected by a seek. */
const TOO_FAR = 0.25;
/** The largest change of speed that is neither visible nor audible. */
const MOST_CORRECTION = 0.08;

/** How a clip that is `drift` seconds ahead of the clock (negative: behind) catches up: by its speed, or by a seek. */
export function correctionOf(drift: number, rate: number): { rate: number } | { seek: true } {
  if (Math.abs(drift) > TOO_FAR) return { seek: true };
  if (Math.abs(drift) < CLOSE_ENOUGH) return { rate };
  const correction = Math.max(-MOST_CORRECTION, Math.min(MOST_CORRECTION, drift));
  return { rate: rate * (1 - correction) };
}

/**
 * Plays clips by one clock: takes in sync, or the two sides of a link. Each shown frame tells how far its clip is off the clock
 * (`requestVideoFrameCallback`), and its speed corrects that.
 */
export class SyncPlayer extends Player {
  private readonly sound = new SoundOutput();
  private clips: readonly SyncedClip[] = [];
  private gains: ClipGains = new Map();
  private isMuted = false;
  private stopWatching: (() => void)[] = [];
  private key = '';
  protected range: PlayRange = { from: 0, to: 0 };
  /** While playing: the position `seconds` at the time `at`, in ms. */
  private clock = { at: 0, seconds: 0 };

  /** Loads clips; with an unchanged key at the present position. */
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
    // Around a link, the part before it is played first.
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

  /** Plays a clip while the clock is within it. */
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

  /** Compares each shown frame with the clock at its display time. */
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
    // A gain curve runs on its own clock, so it is restarted with the sound.
    for (const event of ['playing', 'pause', 'seeked']) video.addEventListener(event, this.follow, heard);
    return () => {
      video.cancelVideoFrameCallback(request);
      heard.abort();
    };
  }
}
