import { type PlayerControls, type PlayerState, shuttledRate } from '../../player/controls.ts';
import { FPS, frameAt, timeOfFrame } from '../../player/frames.ts';
import { SoundOutput } from '../storyboard/player/soundOutput.ts';

/** One clip of several that play at the same time. */
export interface SyncedClip {
  video: HTMLVideoElement;
  /** In seconds; a shorter one stays at its last frame while the others play on. */
  seconds: number;
}

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

const lastFrameOf = (seconds: number): number => Math.max(0, seconds - 0.5 / FPS);

/**
 * Plays clips at the same time by one clock. Each shown frame tells how far its clip is from the clock (`requestVideoFrameCallback`), and
 * its speed brings it back. Time outside is the board's: the clips all begin at `start`.
 */
export class SyncPlayer implements PlayerControls {
  private readonly listeners = new Set<() => void>();
  private readonly sound = new SoundOutput();
  private heard: { video: HTMLVideoElement; factor: number } | undefined;
  private clips: readonly SyncedClip[] = [];
  private stopWatching: (() => void)[] = [];
  private start = 0;
  private shotId: string | undefined;
  private animation = 0;
  /** The clock: it showed `seconds` at the time `at`, in ms. */
  private clock = { at: 0, seconds: 0 };
  private current: PlayerState = { seconds: 0, isPlaying: false, rate: 1, shotId: undefined, error: undefined };
  isLooping = true;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.current;

  /** Other clips, at the place where the ones before were. */
  load(clips: readonly SyncedClip[], shotId: string, start: number): void {
    const inside = shotId === this.shotId ? this.inside() : 0;
    const wasPlaying = this.current.isPlaying && shotId === this.shotId;
    this.pause();
    for (const stop of this.stopWatching) stop();
    this.clips = clips;
    this.shotId = shotId;
    this.start = start;
    this.stopWatching = clips.map((clip) => this.watch(clip));
    this.place(inside);
    if (wasPlaying) this.play(1);
  }

  /** Only the clip that is heard is loud; `factor` (linear, may be above 1) brings it to the common level. */
  listenTo(solo: HTMLVideoElement | undefined, factor: number, isMuted: boolean): void {
    for (const { video } of this.clips) video.muted = isMuted || video !== solo;
    this.heard = solo && { video: solo, factor };
    this.setGain();
  }

  /** Until sound may begin an element can only be lowered. */
  private readonly setGain = (): void => {
    if (!this.heard) return;
    const { video, factor } = this.heard;
    const led = this.sound.lead(video);
    if (led) led.gain.setValueAtTime(factor, led.now);
    else video.volume = Math.min(1, factor);
  };

  seek(seconds: number): void {
    this.place(seconds - this.start);
  }

  step(frames: number): void {
    this.pause();
    this.place(Math.max(0, timeOfFrame(frameAt(this.inside()) + frames)));
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play(1);
  }

  shuttle(direction: 1 | -1): void {
    this.play(shuttledRate(this.current, direction));
  }

  pause(): void {
    cancelAnimationFrame(this.animation);
    const inside = this.inside();
    this.clock = { at: performance.now(), seconds: inside };
    for (const { video } of this.clips) video.pause();
    if (!this.current.isPlaying) return;
    this.set({ isPlaying: false, rate: 1 });
    this.place(inside);
  }

  dispose(): void {
    this.pause();
    for (const stop of this.stopWatching) stop();
    this.stopWatching = [];
    this.clips = [];
    this.heard = undefined;
    this.sound.dispose();
    this.listeners.clear();
  }

  private play(rate: number): void {
    if (this.clips.length === 0) return;
    const inside = this.inside();
    const isAtEnd = rate > 0 && inside >= this.length() - CLOSE_ENOUGH;
    this.clock = { at: performance.now(), seconds: isAtEnd ? 0 : inside };
    if (isAtEnd) this.placeClips(0);
    this.set({ isPlaying: true, rate });
    this.sound.begin();
    this.sound.whenRunning(this.setGain);
    this.run();
    this.tick();
  }

  /** Lets every clip that is not at its end run at the clock's speed; backwards no browser plays, so there they are sought. */
  private run(): void {
    const { rate } = this.current;
    for (const { video, seconds } of this.clips) {
      video.playbackRate = Math.abs(rate);
      if (rate < 0 || this.inside() >= lastFrameOf(seconds)) video.pause();
      else void video.play().catch(() => undefined);
    }
  }

  private length(): number {
    return Math.max(0, ...this.clips.map(({ seconds }) => lastFrameOf(seconds)));
  }

  /** What the clock shows, from the start of the clips. */
  private inside(): number {
    const { isPlaying, rate } = this.current;
    if (!isPlaying) return this.clock.seconds;
    return this.clock.seconds + ((performance.now() - this.clock.at) / 1_000) * rate;
  }

  private place(inside: number): void {
    const seconds = Math.min(Math.max(0, inside), this.length());
    this.clock = { at: performance.now(), seconds };
    this.placeClips(seconds);
    this.set({ seconds: this.start + seconds, shotId: this.shotId });
    if (this.current.isPlaying) this.run();
  }

  private placeClips(inside: number): void {
    for (const { video, seconds } of this.clips) {
      const at = Math.min(inside, lastFrameOf(seconds));
      if (Math.abs(video.currentTime - at) > 0.001) video.currentTime = at;
    }
  }

  private readonly tick = (): void => {
    cancelAnimationFrame(this.animation);
    if (!this.current.isPlaying) return;
    const inside = this.inside();
    const isPast = this.current.rate > 0 ? inside >= this.length() + 0.5 / FPS : inside <= 0;
    if (isPast) this.atEnd();
    else {
      if (this.current.rate < 0 && this.clips.every(({ video }) => !video.seeking)) this.placeClips(inside);
      const seconds = Math.min(inside, this.length());
      if (frameAt(seconds) !== frameAt(this.current.seconds - this.start)) this.set({ seconds: this.start + seconds });
    }
    if (this.current.isPlaying) this.animation = requestAnimationFrame(this.tick);
  };

  private atEnd(): void {
    if (!this.isLooping) return this.pause();
    this.place(this.current.rate > 0 ? 0 : this.length());
  }

  /** Compares each frame that a clip shows with the clock, at the time at which it is seen. */
  private watch({ video, seconds }: SyncedClip): () => void {
    let request = 0;
    const onFrame: VideoFrameRequestCallback = (_, { mediaTime, expectedDisplayTime }) => {
      request = video.requestVideoFrameCallback(onFrame);
      const { isPlaying, rate } = this.current;
      if (!isPlaying || rate < 0 || video.seeking) return;
      const due = this.clock.seconds + ((expectedDisplayTime - this.clock.at) / 1_000) * rate;
      if (due >= lastFrameOf(seconds)) return video.pause();
      const correction = correctionOf(mediaTime - due, rate);
      if ('seek' in correction) video.currentTime = due;
      else video.playbackRate = correction.rate;
    };
    request = video.requestVideoFrameCallback(onFrame);
    return () => video.cancelVideoFrameCallback(request);
  }

  private set(patch: Partial<PlayerState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
