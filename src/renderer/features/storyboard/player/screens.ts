import type { GainKey } from '../../../../shared/film/sound/mixPlan.ts';
import { FPS, lastFrameTime, timeOfFrame } from '../../../player/frames.ts';
import type { SoundOutput } from '../../../player/soundOutput.ts';
import type { Clip, PlayItem, Still } from './playItem.ts';

/** What shows one item of a playlist. Time here is the item's own, in seconds from its begin. */
export interface Screen {
  readonly element: HTMLElement;
  /** Whether it can be seen at once: the picture of the asked moment is decoded. */
  readonly isReady: boolean;
  /** Whether it holds the item already, at any time of it. */
  holds(item: PlayItem): boolean;
  /** Holds the picture of a moment, without playing. */
  show(item: PlayItem, at: number): void;
  play(rate: number): void;
  pause(): void;
  /** The time that is shown. */
  seconds(): number;
  /** Seconds until everything before `out` has been seen. */
  left(out: number): number;
  /** Goes on with another form of the item that it holds: trimmed otherwise, heard otherwise. */
  adopt(clip: Pick<Clip, 'from' | 'gains' | 'layout'>): void;
  dispose(): void;
}

const FRAME = 1 / FPS;
const UNCHANGED: readonly GainKey[] = [{ at: 0, gain: 1 }];
/** A window that is covered shows no frame, and is told of none; its clip goes on all the same. In seconds. */
const UNSEEN = 0.25;

interface ScreenEvents {
  /** The picture that was asked for is there. */
  onReady: (screen: Screen) => void;
  /** It played to its end. */
  onEnded: (screen: Screen) => void;
  onFault: (screen: Screen) => void;
}

/** One video element. Frames that were seen are known by their media time (`requestVideoFrameCallback`). */
export class VideoScreen implements Screen {
  readonly element = document.createElement('video');
  /** The clip cannot be played here. */
  isFaulty = false;
  private url: string | undefined;
  /** The second of the file at which the item begins. */
  private from = 0;
  private rate = 1;
  /** The newest frame that was seen: its media time, and when it is displayed, in ms of the page. */
  private frame: { mediaTime: number; at: number } | undefined;
  /** The shortest time between two frames of the clip. */
  private shortest = Number.POSITIVE_INFINITY;
  private endedAt = 0;
  private frameRequest = 0;

  private gains: readonly GainKey[] = UNCHANGED;
  private layout: Clip['layout'];
  private readonly sound: SoundOutput;

  constructor(sound: SoundOutput, { onReady, onEnded, onFault }: ScreenEvents) {
    this.sound = sound;
    const video = this.element;
    // Media may be another origin than the page: without it its sound could be neither mixed nor measured.
    video.crossOrigin = 'anonymous';
    video.playsInline = true;
    video.preload = 'auto';
    video.disablePictureInPicture = true;
    for (const event of ['loadeddata', 'seeked', 'canplay'] as const) {
      video.addEventListener(event, () => this.isReady && onReady(this));
    }
    // A line of gains runs on its own clock, so it begins again with the sound.
    for (const event of ['playing', 'pause'] as const) video.addEventListener(event, this.follow);
    video.addEventListener('ended', () => {
      this.endedAt = performance.now();
      onEnded(this);
    });
    video.addEventListener('error', () => {
      if (!video.getAttribute('src')) return;
      this.isFaulty = true;
      onFault(this);
    });
    this.watch();
  }

  get isReady(): boolean {
    const { readyState, seeking } = this.element;
    return this.isFaulty || (readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && !seeking);
  }

  holds(item: PlayItem): boolean {
    return item.kind === 'clip' && item.url === this.url;
  }

  show(item: PlayItem, at: number): void {
    if (item.kind !== 'clip') return;
    const video = this.element;
    video.pause();
    if (item.url !== this.url) {
      this.url = item.url;
      this.isFaulty = false;
      this.frame = undefined;
      this.shortest = Number.POSITIVE_INFINITY;
      video.src = item.url;
    }
    this.adopt(item);
    // Where it begins within its file, the exact start of a frame may be taken for the one before.
    const first = this.from > 0 ? timeOfFrame(0) : 0;
    const inside = this.from + Math.min(Math.max(first, at), lastFrameTime(item.seconds));
    if (Math.abs(video.currentTime - inside) <= 0.001) return;
    this.frame = undefined;
    video.currentTime = inside;
  }

  play(rate: number): void {
    this.rate = rate;
    // What was seen at rest tells nothing about when the next frame is due.
    this.frame = undefined;
    this.element.playbackRate = rate;
    this.sound.begin();
    this.sound.whenRunning(this.follow);
    // A picture that is not there yet, or another one that is asked for, ends the promise; neither is a fault.
    void this.element.play().catch(() => undefined);
  }

  pause(): void {
    this.element.pause();
  }

  seconds(): number {
    return this.element.currentTime - this.from;
  }

  /** A frame is seen from when it is displayed until the next one is due; the last one has to be seen too. */
  left(until: number): number {
    const out = this.from + until;
    const { ended, currentTime } = this.element;
    if (this.isFaulty || currentTime > out + UNSEEN) return 0;
    const isLast = this.frame !== undefined && this.frame.mediaTime + 1.5 * this.frameSeconds() >= out;
    const now = performance.now();
    if (ended) return isLast || now - this.endedAt > UNSEEN * 1_000 ? 0 : FRAME;
    if (!this.frame) return (out - currentTime) / this.rate;
    const left = (this.frame.at - now) / 1_000 + (out - this.frame.mediaTime) / this.rate;
    return isLast ? left : Math.max(left, FRAME);
  }

  private frameSeconds(): number {
    return Number.isFinite(this.shortest) ? this.shortest : FRAME;
  }

  adopt({ from = 0, gains = UNCHANGED, layout }: Pick<Clip, 'from' | 'gains' | 'layout'>): void {
    this.from = from;
    this.gains = gains;
    this.layout = layout;
    this.follow();
  }

  private readonly follow = (): void => {
    this.sound.follow(this.element, this.gains, this.layout);
  };

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

  private watch(): void {
    const onFrame: VideoFrameRequestCallback = (_, { mediaTime, expectedDisplayTime }) => {
      const { seeking, currentTime } = this.element;
      // A busy page is told of a frame from before a seek while that goes on: the last of a clip would end it as it begins again.
      const isSought = Math.abs(mediaTime - currentTime) <= 2 * FRAME;
      if (!seeking || isSought) this.noteFrame(mediaTime, expectedDisplayTime);
      this.frameRequest = this.element.requestVideoFrameCallback(onFrame);
    };
    this.frameRequest = this.element.requestVideoFrameCallback?.(onFrame) ?? 0;
  }

  private noteFrame(mediaTime: number, at: number): void {
    const step = mediaTime - (this.frame?.mediaTime ?? mediaTime);
    if (step > 0) this.shortest = Math.min(this.shortest, step);
    this.frame = { mediaTime, at };
  }
}

/** Holds the place of a shot without a clip for its length, by a clock of its own. The page shows what is to be said there. */
export class StillScreen implements Screen {
  readonly element = document.createElement('div');
  readonly isReady = true;
  private item: Still | undefined;
  private clock = { at: 0, from: 0, rate: 0 };

  holds(item: PlayItem): boolean {
    return item.kind === 'still' && item.shotId === this.item?.shotId;
  }

  show(item: PlayItem, at: number): void {
    if (item.kind !== 'still') return;
    this.clock = { at: performance.now(), from: Math.min(Math.max(0, at), lastFrameTime(item.seconds)), rate: 0 };
    this.item = item;
  }

  play(rate: number): void {
    this.clock = { at: performance.now(), from: this.seconds(), rate };
  }

  pause(): void {
    this.play(0);
  }

  seconds(): number {
    const { at, from, rate } = this.clock;
    return Math.min(from + ((performance.now() - at) / 1_000) * rate, this.item?.seconds ?? 0);
  }

  left(out: number): number {
    return (out - this.seconds()) / (this.clock.rate || 1);
  }

  adopt(): void {}

  dispose(): void {
    this.element.remove();
  }
}
