import { FPS, frameAt, timeOfFrame } from '../model/timeline.ts';

/** One clip of a playlist, with its place on the board's time. */
export interface Clip {
  shotId: string;
  url: string;
  start: number;
  seconds: number;
  /** How loud its own sound is, 0 to 1; full if not said. */
  volume?: number;
}

export interface PlayerState {
  /** On the board's time. */
  seconds: number;
  isPlaying: boolean;
  /** 1, 2, 4 forwards; −1, −2, −4 backwards. */
  rate: number;
  shotId: string | undefined;
  error: string | undefined;
}

/** What the transport and the strip drive: one clip after the other, or several at once. */
export interface PlayerControls {
  subscribe(listener: () => void): () => void;
  state(): PlayerState;
  seek(seconds: number): void;
  /** Moves by frames and stops there. */
  step(frames: number): void;
  toggle(): void;
  shuttle(direction: 1 | -1): void;
}

const FASTEST = 4;

/**
 * Plays clips one after the other on two video elements: while one is seen the other holds the next clip, so that a cut is a cut.
 * Time is always the board's; a frame is addressed by the middle of its time.
 */
export class ClipPlayer implements PlayerControls {
  private readonly videos: [HTMLVideoElement, HTMLVideoElement];
  private readonly listeners = new Set<() => void>();
  private front = 0;
  private clips: readonly Clip[] = [];
  private index = 0;
  private frameRequest = 0;
  private reverseFrom: { at: number; seconds: number } | undefined;
  private current: PlayerState = { seconds: 0, isPlaying: false, rate: 1, shotId: undefined, error: undefined };
  isLooping = false;

  constructor(host: HTMLElement) {
    this.videos = [this.createVideo(), this.createVideo()];
    host.append(...this.videos);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly state = (): PlayerState => this.current;

  /** Another playlist. The place is kept where its clip is still there, otherwise it starts at `at` or the first clip. */
  load(clips: readonly Clip[], at?: number): void {
    const playing = this.clips[this.index];
    this.clips = clips;
    const same = clips.findIndex(({ url }) => url === playing?.url);
    if (same >= 0 && at === undefined) {
      const inside = this.current.seconds - (playing?.start ?? 0);
      this.index = same;
      this.video.volume = clips[same]?.volume ?? 1;
      this.set({ seconds: (clips[same]?.start ?? 0) + inside, shotId: clips[same]?.shotId });
      this.preload();
      return;
    }
    this.pause();
    this.index = 0;
    if (clips.length === 0) {
      this.set({ seconds: at ?? 0, shotId: undefined, error: undefined });
      this.show(undefined, 0);
    } else this.seek(at ?? clips[0]?.start ?? 0);
  }

  mute(isMuted: boolean): void {
    for (const video of this.videos) video.muted = isMuted;
  }

  /** Goes to a time of the board; into the nearest clip where none plays there. */
  seek(seconds: number): void {
    const found = this.clips.findLastIndex(({ start }) => seconds >= start);
    this.index = Math.max(0, found);
    const clip = this.clips[this.index];
    if (!clip) return;
    const inside = Math.min(Math.max(0, seconds - clip.start), lastFrameOf(clip));
    this.reverseFrom = this.reverseFrom && { at: performance.now(), seconds: clip.start + inside };
    this.show(clip, inside);
    this.set({ seconds: clip.start + inside, shotId: clip.shotId });
    if (this.current.isPlaying && this.current.rate > 0) void this.video.play().catch(() => undefined);
  }

  /** Moves by frames and stops there. */
  step(frames: number): void {
    this.pause();
    const clip = this.clips[this.index];
    if (!clip) return;
    const frame = frameAt(this.current.seconds - clip.start) + frames;
    const before = this.clips[this.index - 1];
    const isPast = frame > frameAt(lastFrameOf(clip)) && this.clips[this.index + 1];
    if (frame < 0 && before) this.seek(before.start + lastFrameOf(before));
    else if (isPast) this.seek(isPast.start + timeOfFrame(0));
    else this.seek(clip.start + Math.max(0, timeOfFrame(frame)));
  }

  toggle(): void {
    if (this.current.isPlaying) this.pause();
    else this.play(1);
  }

  /** J and L: pressed again in the same direction, twice as fast. */
  shuttle(direction: 1 | -1): void {
    const { isPlaying, rate } = this.current;
    const isSame = isPlaying && Math.sign(rate) === direction;
    this.play(isSame ? Math.max(-FASTEST, Math.min(FASTEST, rate * 2)) : direction);
  }

  play(rate: number): void {
    const clip = this.clips[this.index];
    if (!clip) return;
    if (rate > 0 && this.isAtEnd()) this.seek(this.clips[0]?.start ?? 0);
    this.reverseFrom = rate < 0 ? { at: performance.now(), seconds: this.current.seconds } : undefined;
    this.set({ isPlaying: true, rate });
    if (rate < 0) this.video.pause();
    else {
      this.video.playbackRate = rate;
      void this.video.play().catch(() => this.pause());
    }
    this.tick();
  }

  pause(): void {
    cancelAnimationFrame(this.frameRequest);
    this.reverseFrom = undefined;
    for (const video of this.videos) video.pause();
    if (this.current.isPlaying) this.set({ isPlaying: false, rate: 1 });
  }

  dispose(): void {
    this.pause();
    this.listeners.clear();
    for (const video of this.videos) {
      video.removeAttribute('src');
      video.load();
      video.remove();
    }
  }

  private get video(): HTMLVideoElement {
    return this.videos[this.front] ?? this.videos[0];
  }

  private get hidden(): HTMLVideoElement {
    return this.videos[1 - this.front] ?? this.videos[1];
  }

  private createVideo(): HTMLVideoElement {
    const video = document.createElement('video');
    video.playsInline = true;
    video.preload = 'auto';
    video.disablePictureInPicture = true;
    video.addEventListener('ended', () => video === this.video && this.current.rate > 0 && this.next());
    video.addEventListener('error', () => {
      if (video === this.video && video.getAttribute('src')) this.set({ error: 'This clip cannot be played here.' });
    });
    return video;
  }

  private isAtEnd(): boolean {
    const last = this.clips.at(-1);
    return last !== undefined && this.current.seconds >= last.start + lastFrameOf(last) - 0.5 / FPS;
  }

  /** Puts a clip at a time into view; the element that is seen keeps its picture until the other one has its own. */
  private show(clip: Clip | undefined, inside: number): void {
    const url = clip?.url;
    this.set({ error: undefined });
    if (this.video.dataset.url !== url) {
      if (this.hidden.dataset.url !== url) assign(this.hidden, url);
      this.video.pause();
      this.front = 1 - this.front;
    }
    this.video.volume = clip?.volume ?? 1;
    for (const video of this.videos) video.hidden = video !== this.video;
    if (clip && Math.abs(this.video.currentTime - inside) > 0.001) this.video.currentTime = inside;
    this.preload();
  }

  private preload(): void {
    const next = this.clips[this.index + 1];
    if (next && this.hidden.dataset.url !== next.url && next.url !== this.video.dataset.url) {
      assign(this.hidden, next.url);
    }
  }

  private next(): void {
    const next = this.clips[this.index + 1];
    if (next) this.seek(next.start);
    else if (this.isLooping) this.seek(this.clips[0]?.start ?? 0);
    else this.pause();
  }

  private readonly tick = (): void => {
    cancelAnimationFrame(this.frameRequest);
    if (!this.current.isPlaying) return;
    const clip = this.clips[this.index];
    if (this.reverseFrom) this.tickBackwards(this.reverseFrom);
    else if (clip) this.set({ seconds: clip.start + Math.min(clip.seconds, this.video.currentTime) });
    this.frameRequest = requestAnimationFrame(this.tick);
  };

  /** Browsers play no clip backwards: seek, as fast as the decoder follows. */
  private tickBackwards(from: { at: number; seconds: number }): void {
    const target = from.seconds + ((performance.now() - from.at) / 1_000) * this.current.rate;
    const start = this.clips[0]?.start ?? 0;
    if (target <= start) {
      this.pause();
      this.seek(start);
      return;
    }
    if (this.video.seeking) return;
    const { reverseFrom } = this;
    this.seek(target);
    this.reverseFrom = reverseFrom;
  }

  private set(patch: Partial<PlayerState>): void {
    this.current = { ...this.current, ...patch };
    for (const listener of this.listeners) listener();
  }
}

/** The time of a clip's last frame. */
const lastFrameOf = (clip: Clip): number => Math.max(0, clip.seconds - 0.5 / FPS);

function assign(video: HTMLVideoElement, url: string | undefined): void {
  if (url === undefined) {
    delete video.dataset.url;
    video.removeAttribute('src');
    video.load();
    return;
  }
  video.dataset.url = url;
  video.src = url;
}
