import { t } from '../../shared/texts.ts';
import { type PlayerControls, type PlayerState, STILL, shuttledRate } from './controls.ts';
import { FPS, frameAt } from './frames.ts';

/** What is played again and again, in seconds. */
export interface Loop {
  from: number;
  to: number;
}

export interface FileState extends PlayerState {
  /** Length in seconds; 0 while it is not known. */
  total: number;
  /** It has been played or stepped through. */
  wasUsed: boolean;
}

/** What is known of the file besides what its element says. */
interface KnownFacts {
  /** Its length, where the element does not tell it. */
  seconds?: number;
  fps?: number | undefined;
}

/** Later than any clip ends: sought to in one that does not say how long it is. */
const FAR = 1e9;

/**
 * Plays one file on one element, or a part of it again and again. Its length is the element's own where that says one; a file that claims
 * to be endless is sought to its end once, and where it ends is its length, whatever it has said.
 */
export class FilePlayer implements PlayerControls {
  private readonly listeners = new Set<() => void>();
  private media: HTMLMediaElement | undefined;
  private stopListening: () => void = () => undefined;
  private animation = 0;
  private reverseFrom: { at: number; seconds: number } | undefined;
  private fps = FPS;
  private known = 0;
  /** Where it turned out to end. */
  private endedAt: number | undefined;
  private isProbing = false;
  private current: FileState = { ...STILL, total: 0, wasUsed: false };
  /** Played again and again instead of the whole. */
  loop: Loop | undefined;
  /** The whole begins again at its end. */
  isLooping = false;
  /** How fast it plays forwards; J and L begin at 1. */
  private speed = 1;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): FileState => this.current;

  load(media: HTMLMediaElement | null, { seconds = 0, fps = FPS }: KnownFacts): void {
    this.fps = fps > 0 ? fps : FPS;
    this.known = seconds;
    if (this.media !== (media ?? undefined)) this.take(media ?? undefined);
    this.measure();
    if (!this.current.isPlaying) this.seek(this.current.seconds);
  }

  /** Goes to a moment; its frame is shown, and not the one before it. */
  seek(seconds: number): void {
    const { total } = this.current;
    // Before the clip is there the place is kept as it is.
    const last = total > 0 ? Math.max(0, total - 1 / this.fps) : seconds;
    const at = Math.min(last, Math.max(0, seconds));
    if (this.media && !this.isProbing) this.media.currentTime = at + 0.5 / this.fps;
    this.reverseFrom = this.reverseFrom && { at: performance.now(), seconds: at };
    this.set({ seconds: at });
  }

  step(frames: number): void {
    this.pause();
    this.set({ wasUsed: true });
    this.seek((frameAt(this.current.seconds, this.fps) + frames) / this.fps);
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play();
  }

  shuttle(direction: 1 | -1): void {
    this.play(shuttledRate(this.current, direction));
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.current.isPlaying && this.current.rate > 0) this.play(speed);
  }

  play(rate: number = this.speed): void {
    const { media } = this;
    if (!media || this.current.error) return;
    const { seconds, total, isPlaying } = this.current;
    if (rate > 0 && !isPlaying) {
      if (this.loop) this.seek(this.loop.from);
      else if (total > 0 && seconds >= total - 2 / this.fps) this.seek(0);
    }
    this.reverseFrom = rate < 0 ? { at: performance.now(), seconds: this.current.seconds } : undefined;
    this.set({ isPlaying: true, rate, wasUsed: true });
    if (rate < 0) media.pause();
    else {
      media.playbackRate = rate;
      this.start(media);
    }
    this.tick();
  }

  pause(): void {
    cancelAnimationFrame(this.animation);
    this.reverseFrom = undefined;
    this.media?.pause();
    if (this.current.isPlaying) this.set({ isPlaying: false, rate: 1 });
  }

  private take(media: HTMLMediaElement | undefined): void {
    this.pause();
    this.stopListening();
    this.media = media;
    this.endedAt = undefined;
    this.isProbing = false;
    if (!media) return;
    this.set({ error: undefined });
    const heard = new AbortController();
    this.stopListening = () => heard.abort();
    const on = (type: string, work: () => void) => media.addEventListener(type, work, { signal: heard.signal });
    on('loadedmetadata', () => this.onLength());
    on('durationchange', () => this.onLength());
    on('ended', () => this.onEnd());
    on('error', () => this.fail());
    // It may have been read, or have failed, before anybody listened.
    if (media.error) this.fail();
    else if (media.readyState > 0) this.onLength();
  }

  /** A promise that is broken by a pause, or by another file, is no fault. */
  private start(media: HTMLMediaElement): void {
    media.play().catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.pause();
    });
  }

  private onLength(): void {
    const { media } = this;
    if (!media) return;
    if (media.duration === Number.POSITIVE_INFINITY && this.known === 0 && this.endedAt === undefined) {
      this.isProbing = true;
      media.currentTime = FAR;
      return;
    }
    const wasProbing = this.isProbing;
    this.isProbing = false;
    this.measure();
    if (wasProbing) this.seek(this.current.seconds);
  }

  private onEnd(): void {
    const { media } = this;
    if (!media) return;
    if (media.currentTime > 0) this.endedAt = media.currentTime;
    if (this.isProbing) {
      this.isProbing = false;
      this.measure();
      this.seek(this.current.seconds);
    } else this.measure();
  }

  private measure(): void {
    const { duration = Number.NaN } = this.media ?? {};
    const stated = Number.isFinite(duration) && duration > 0 ? duration : undefined;
    const total = this.endedAt ?? stated ?? this.known;
    if (total !== this.current.total) this.set({ total });
  }

  private fail(): void {
    this.pause();
    this.set({ error: t`It cannot be played here.` });
  }

  private readonly tick = (): void => {
    cancelAnimationFrame(this.animation);
    if (!this.media || !this.current.isPlaying) return;
    if (this.reverseFrom) this.tickBackwards(this.media, this.reverseFrom);
    else this.tickForwards(this.media);
    if (this.current.isPlaying) this.animation = requestAnimationFrame(this.tick);
  };

  private tickForwards(media: HTMLMediaElement): void {
    const at = media.currentTime;
    if (this.loop && (media.ended || at >= this.loop.to)) this.again(media, this.loop.from);
    else if (media.ended && this.isLooping) this.again(media, 0);
    else if (media.ended) {
      this.pause();
      this.set({ seconds: at });
    } else this.moveTo(at);
  }

  private again(media: HTMLMediaElement, from: number): void {
    const hasEnded = media.ended;
    media.currentTime = from;
    if (hasEnded) this.start(media);
    this.moveTo(from);
  }

  /** A display is refreshed more often than a clip has frames, and who follows the time draws something each time. */
  private moveTo(at: number): void {
    const { seconds, total } = this.current;
    if (at > total && total > 0) this.set({ total: at });
    if (frameAt(at, this.fps) !== frameAt(seconds, this.fps)) this.set({ seconds: at });
  }

  /** Browsers play no clip backwards: seek, as fast as the decoder follows. */
  private tickBackwards(media: HTMLMediaElement, from: { at: number; seconds: number }): void {
    const target = from.seconds + ((performance.now() - from.at) / 1_000) * this.current.rate;
    if (target <= 0) {
      this.pause();
      this.seek(0);
      return;
    }
    if (media.seeking) return;
    this.seek(target);
    this.reverseFrom = from;
  }

  private set(patch: Partial<FileState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}
