import type { GainKey } from '../../../../shared/film/sound/mixPlan.ts';
import { FPS, lastFrameTime, timeOfFrame } from '../../../player/frames.ts';
import type { SoundOutput } from '../../../player/soundOutput.ts';
import type { PlayItem } from './playlist.ts';

const FRAME = 1 / FPS;
const UNCHANGED: readonly GainKey[] = [{ at: 0, gain: 1 }];
/** A covered window reports no frames although its clip keeps playing. In seconds. */
const UNSEEN = 0.25;

interface ScreenEvents {
  /** Called when the requested picture is ready. */
  onReady: (screen: Screen) => void;
  /** Called when it has played to its end. */
  onEnded: (screen: Screen) => void;
  onFault: (screen: Screen) => void;
}

/**
 * One video element with an item of a playlist. Time is the item's own, in seconds from its start. Shown frames are identified by media
 * time (`requestVideoFrameCallback`). For a shot without a clip a clock runs, and the page shows a placeholder.
 */
export class Screen {
  readonly element = document.createElement('video');
  private item: PlayItem | undefined;
  /** The clip of the element; kept while a clock runs instead. */
  private url: string | undefined;
  private hasFailed = false;
  private rate = 1;
  /** While the clock runs: it was at `from` at the time `at`, in ms. */
  private clock = { at: 0, from: 0, rate: 0 };
  /** The newest shown frame: its media time, and its display time in ms of the page. */
  private frame: { mediaTime: number; at: number } | undefined;
  /** The shortest time between two frames of the clip. */
  private shortest = Number.POSITIVE_INFINITY;
  private endedAt = 0;
  private frameRequest = 0;
  private readonly sound: SoundOutput;

  constructor(sound: SoundOutput, { onReady, onEnded, onFault }: ScreenEvents) {
    this.sound = sound;
    const video = this.element;
    // Media may have another origin: without this, its sound could be neither mixed nor measured.
    video.crossOrigin = 'anonymous';
    video.playsInline = true;
    video.preload = 'auto';
    video.disablePictureInPicture = true;
    video.hidden = true;
    const on = (event: string, act: () => void) => video.addEventListener(event, () => this.isClip && act());
    for (const event of ['loadeddata', 'seeked', 'canplay']) on(event, () => this.isReady && onReady(this));
    // A gain curve runs on its own clock, so it is restarted with the sound.
    for (const event of ['playing', 'pause']) on(event, this.follow);
    on('ended', () => {
      this.endedAt = performance.now();
      onEnded(this);
    });
    // Also while the clock runs: the clip may be shown again, and the element reports the error only once.
    video.addEventListener('error', () => {
      if (!video.getAttribute('src')) return;
      this.hasFailed = true;
      if (this.isClip) onFault(this);
    });
    this.watch();
  }

  get isClip(): boolean {
    return this.item?.url !== undefined;
  }

  /** Whether the clip cannot be played here. */
  get isFaulty(): boolean {
    return this.isClip && this.hasFailed;
  }

  /** Whether the picture of the requested moment is decoded. */
  get isReady(): boolean {
    const { readyState, seeking } = this.element;
    return !this.isClip || this.hasFailed || (readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !seeking);
  }

  /** Whether it already has the item, at any time of it. */
  holds({ url, shotId }: PlayItem): boolean {
    return this.item !== undefined && this.item.url === url && (url !== undefined || this.item.shotId === shotId);
  }

  /** Shows the picture of a moment, paused. */
  show(item: PlayItem, at: number): void {
    const video = this.element;
    video.pause();
    this.item = item;
    this.clock = { at: performance.now(), from: Math.min(Math.max(0, at), lastFrameTime(item.seconds)), rate: 0 };
    if (item.url === undefined) return;
    if (item.url !== this.url) {
      this.url = item.url;
      this.hasFailed = false;
      this.frame = undefined;
      this.shortest = Number.POSITIVE_INFINITY;
      video.src = item.url;
    }
    this.follow();
    // At a start within the file, the exact start time may give the frame before.
    const first = this.from > 0 ? timeOfFrame(0) : 0;
    const inside = this.from + Math.min(Math.max(first, at), lastFrameTime(item.seconds));
    if (Math.abs(video.currentTime - inside) <= 0.001) return;
    this.frame = undefined;
    video.currentTime = inside;
  }

  play(rate: number): void {
    this.clock = { at: performance.now(), from: this.seconds(), rate };
    this.rate = rate;
    if (!this.isClip) return;
    // A frame shown while paused does not tell when the next one is due.
    this.frame = undefined;
    this.element.playbackRate = rate;
    this.sound.begin();
    this.sound.whenRunning(this.follow);
    // Loading or another request rejects the promise; neither is a fault.
    void this.element.play().catch(() => undefined);
  }

  pause(): void {
    this.clock = { at: performance.now(), from: this.seconds(), rate: 0 };
    this.element.pause();
  }

  /** The shown time. */
  seconds(): number {
    if (this.isClip) return this.element.currentTime - this.from;
    const { at, from, rate } = this.clock;
    return Math.min(from + ((performance.now() - at) / 1_000) * rate, this.item?.seconds ?? 0);
  }

  /** Seconds until everything before `until` has been shown. A frame is visible until the next one is due, the last frame too. */
  left(until: number): number {
    if (!this.isClip) return (until - this.seconds()) / (this.clock.rate || 1);
    const out = this.from + until;
    const { ended, currentTime } = this.element;
    if (this.hasFailed || currentTime > out + UNSEEN) return 0;
    const step = Number.isFinite(this.shortest) ? this.shortest : FRAME;
    const isLast = this.frame !== undefined && this.frame.mediaTime + 1.5 * step >= out;
    const now = performance.now();
    if (ended) return isLast || now - this.endedAt > UNSEEN * 1_000 ? 0 : FRAME;
    if (!this.frame) return (out - currentTime) / this.rate;
    const left = (this.frame.at - now) / 1_000 + (out - this.frame.mediaTime) / this.rate;
    return isLast ? left : Math.max(left, FRAME);
  }

  /** Continues with a changed version of its item: another trim or gain. */
  adopt(item: PlayItem): void {
    this.item = item;
    if (this.isClip) this.follow();
  }

  mute(isMuted: boolean): void {
    this.element.muted = isMuted;
  }

  dispose(): void {
    const video = this.element;
    video.cancelVideoFrameCallback?.(this.frameRequest);
    video.pause();
    video.removeAttribute('src');
    video.load();
    video.remove();
  }

  /** The start of the item in its file. */
  private get from(): number {
    return this.item?.from ?? 0;
  }

  private readonly follow = (): void => {
    this.sound.follow(this.element, this.item?.gains ?? UNCHANGED, this.item?.layout);
  };

  private watch(): void {
    const onFrame: VideoFrameRequestCallback = (_, { mediaTime, expectedDisplayTime: at }) => {
      const { seeking, currentTime } = this.element;
      // During a seek, a busy page reports an old frame: the last frame of a clip would end it as it starts again.
      const isSought = Math.abs(mediaTime - currentTime) <= 2 * FRAME;
      if (!seeking || isSought) {
        const step = mediaTime - (this.frame?.mediaTime ?? mediaTime);
        if (step > 0) this.shortest = Math.min(this.shortest, step);
        this.frame = { mediaTime, at };
      }
      this.frameRequest = this.element.requestVideoFrameCallback(onFrame);
    };
    this.frameRequest = this.element.requestVideoFrameCallback?.(onFrame) ?? 0;
  }
}
