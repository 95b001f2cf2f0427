import { t } from '../../shared/text/texts.ts';
import { FPS, frameAt, timeOfFrame } from './frames.ts';
import { Player } from './player.ts';

/** Facts about the file besides those of its element. */
interface KnownFacts {
  /** Its length, if the element does not know it. */
  seconds?: number;
  fps?: number | undefined;
}

/** Later than any clip's end: seeking here finds the end of a clip that does not state its length. */
const FAR = 1e9;

/**
 * Plays one file on one element. Its length is the element's. A file that claims to be endless is sought to its end once, which gives its
 * length.
 */
export class FilePlayer extends Player {
  private media: HTMLMediaElement | undefined;
  private stopListening: () => void = () => undefined;
  private known = 0;
  /** The end found by seeking. */
  private endedAt: number | undefined;
  private isProbing = false;
  private isMuted = false;
  /** The forward rate; J and L start at 1. */
  private speed = 1;

  load(media: HTMLMediaElement | null, { seconds = 0, fps = FPS }: KnownFacts): void {
    this.fps = fps > 0 ? fps : FPS;
    this.known = seconds;
    if (this.media !== (media ?? undefined)) this.take(media ?? undefined);
    this.measure();
    if (!this.current.isPlaying) this.seek(this.current.seconds);
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    if (this.media) this.media.muted = isMuted;
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    if (this.current.isPlaying && this.current.rate > 0) this.play(speed);
  }

  override play(rate: number = this.speed): void {
    if (this.media && !this.current.error) super.play(rate);
  }

  protected get range() {
    return { from: 0, to: this.current.total || Number.POSITIVE_INFINITY };
  }

  protected get isSeeking(): boolean {
    return this.media?.seeking === true;
  }

  /** Seeks into the frame, so that not the one before is shown. */
  protected place(seconds: number): void {
    const { total } = this.current;
    // Before the clip has loaded, the position is kept unchanged.
    const last = total > 0 ? Math.max(0, total - 1 / this.fps) : seconds;
    const at = Math.min(last, Math.max(0, seconds));
    if (this.media && !this.isProbing) this.media.currentTime = timeOfFrame(frameAt(at, this.fps), this.fps);
    this.set({ seconds: at });
  }

  protected start(rate: number): void {
    const { media } = this;
    if (!media) return;
    if (rate < 0) return media.pause();
    media.playbackRate = rate;
    this.run(media);
  }

  protected halt(): void {
    this.media?.pause();
  }

  protected advance(): void {
    const { media } = this;
    if (!media) return;
    const at = media.currentTime;
    if (!media.ended) {
      if (at > this.current.total && this.current.total > 0) this.set({ total: at });
      this.moveTo(at);
    } else if (this.isLooping) {
      media.currentTime = 0;
      this.run(media);
      this.moveTo(0);
    } else {
      this.pause();
      this.set({ seconds: at });
    }
  }

  private take(media: HTMLMediaElement | undefined): void {
    this.pause();
    this.stopListening();
    this.media = media;
    this.endedAt = undefined;
    this.isProbing = false;
    if (!media) return;
    media.muted = this.isMuted;
    this.set({ error: undefined });
    const heard = new AbortController();
    this.stopListening = () => heard.abort();
    const on = (type: string, work: () => void) => media.addEventListener(type, work, { signal: heard.signal });
    on('loadedmetadata', () => this.onLength());
    on('durationchange', () => this.onLength());
    on('ended', () => this.onEnd());
    on('error', () => this.fail());
    // It may have loaded or failed before there was a listener.
    if (media.error) this.fail();
    else if (media.readyState > 0) this.onLength();
  }

  /** A pause or another file rejects the promise; that is no fault. */
  private run(media: HTMLMediaElement): void {
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
    } else this.endProbe();
  }

  private onEnd(): void {
    const { media } = this;
    if (media && media.currentTime > 0) this.endedAt = media.currentTime;
    this.endProbe();
  }

  /** Ends the search for the length and returns to the position. */
  private endProbe(): void {
    const wasProbing = this.isProbing;
    this.isProbing = false;
    this.measure();
    if (wasProbing) this.seek(this.current.seconds);
  }

  private measure(): void {
    const { duration = Number.NaN } = this.media ?? {};
    const stated = Number.isFinite(duration) && duration > 0 ? duration : undefined;
    const total = this.endedAt ?? stated ?? this.known;
    if (total !== this.current.total) this.set({ total });
  }

  private fail(): void {
    this.pause();
    this.set({ error: t`This file cannot be played here.` });
  }
}
