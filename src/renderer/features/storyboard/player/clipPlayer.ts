import { t } from '../../../../shared/text/texts.ts';
import { FPS, frameAt, lastFrameTime, type PlayRange, timeOfFrame } from '../../../player/frames.ts';
import { Player, type PlayerState } from '../../../player/player.ts';
import { SoundOutput } from '../../../player/soundOutput.ts';
import type { PlayItem } from './playlist.ts';
import { Screen } from './screens.ts';
import { type HeardTrack, TrackSound } from './trackSound.ts';

const HALF_FRAME = 0.5 / FPS;

/**
 * The next item starts this long before the last frame of the previous one ends, in seconds: elements take about that long to start, and
 * its first frame shows meanwhile.
 */
const LEAD = HALF_FRAME;

/** The next item is decoded only after this time: two clips that start together would starve each other on a slow machine. */
const SETTLED_S = 0.75;

/** An item of the playlist and a time in it. */
interface Moment {
  index: number;
  item: PlayItem;
  at: number;
}

/**
 * Plays a playlist of any length on two video elements: while one is visible, the other holds the decoded first frame of the next item. A
 * cut comes once the last frame has been shown, so none is lost at a link. Time is always film time; a frame is addressed by its middle.
 */
export class ClipPlayer extends Player {
  /** The sound of the film, with its music track. */
  readonly sound = new SoundOutput();
  private readonly screens: readonly [Screen, Screen];
  private readonly track = new TrackSound(this.sound);
  private items: readonly PlayItem[] = [];
  private index = 0;
  /** The screen that drives the time. */
  private active: Screen | undefined;
  /** The visible screen: the previous one until the active one has its picture. */
  private seen: Screen | undefined;
  /** Whether the next item was requested. */
  private isPrepared = false;
  /** The time of the item at which playing began. */
  private begunAt = 0;

  constructor(host: HTMLElement) {
    super();
    const events = {
      onReady: (screen: Screen) => this.onReady(screen),
      onEnded: (screen: Screen) => screen === this.active && this.tick(),
      onFault: (screen: Screen) => screen === this.active && this.fail(),
    };
    this.screens = [new Screen(this.sound, events), new Screen(this.sound, events)];
    host.append(...this.screens.map(({ element }) => element));
  }

  /** Loads another playlist. The position is kept if its item or shot still exists, otherwise it starts at the first item. */
  load(items: readonly PlayItem[]): void {
    const was = this.items[this.index];
    this.items = items;
    this.set({ total: this.range.to - this.range.from });
    const same = was && sameItem(items, was);
    if (was && same) {
      const { item } = same;
      const inside = Math.max(0, this.current.seconds - was.start) + movedBy(was, item);
      this.index = same.index;
      if (this.active?.holds(item) && inside >= 0 && inside <= item.seconds) {
        this.active.adopt(item);
        this.set({ seconds: item.start + inside, shotId: item.shotId });
        this.prepare();
      } else this.go({ ...same, at: Math.min(Math.max(0, inside), lastFrameTime(item.seconds)) });
      return;
    }
    this.pause();
    this.index = 0;
    if (items[0]) this.seek(items[0].start);
    else {
      this.active = undefined;
      this.set({ seconds: 0, shotId: undefined, error: undefined, isLoading: false });
    }
  }

  mute(isMuted: boolean): void {
    for (const screen of this.screens) screen.mute(isMuted);
    this.track.mute(isMuted);
  }

  /** Sets the music track under the film, or none. */
  setTrack(track: HeardTrack | undefined): void {
    this.track.load(track);
  }

  override loop(isLooping: boolean): void {
    super.loop(isLooping);
    this.prepare();
  }

  override step(frames: number): void {
    this.pause();
    const item = this.items[this.index];
    if (!item) return;
    const frame = frameAt(this.current.seconds - item.start) + frames;
    const before = this.items[this.index - 1];
    const after = this.items[this.index + 1];
    const isPast = frame > frameAt(lastFrameTime(item.seconds)) && after;
    if (frame < 0 && before) this.seek(before.start + lastFrameTime(before.seconds));
    else if (isPast) this.seek(isPast.start + timeOfFrame(0));
    else this.seek(item.start + Math.max(0, timeOfFrame(frame)));
  }

  override play(rate = 1): void {
    if (this.items[this.index]) super.play(rate);
  }

  override dispose(): void {
    super.dispose();
    for (const screen of this.screens) screen.dispose();
    this.track.load(undefined);
    this.sound.dispose();
  }

  protected get range(): PlayRange {
    const [first, last] = [this.items[0], this.items.at(-1)];
    return { from: first?.start ?? 0, to: last ? last.start + last.seconds : 0 };
  }

  protected get isSeeking(): boolean {
    return this.active?.isReady === false;
  }

  /** Seeks to a film time, or into the nearest item. */
  protected place(seconds: number): void {
    const moment = this.momentAt(seconds);
    if (moment) this.go(moment);
  }

  protected start(rate: number): void {
    if (rate < 0) this.active?.pause();
    else if (this.active === this.seen) this.active?.play(rate);
  }

  protected halt(): void {
    for (const screen of this.screens) screen.pause();
  }

  protected override set(patch: Partial<PlayerState>): void {
    super.set(patch);
    this.track.follow(this.current);
  }

  /** The hidden screen. */
  private get freeScreen(): Screen {
    return this.screens[0] === this.seen ? this.screens[1] : this.screens[0];
  }

  /** Shows a moment; the visible picture stays until the new one is ready. */
  private go({ index, item, at }: Moment): void {
    const screen = this.seen?.holds(item) ? this.seen : this.freeScreen;
    if (this.active !== screen) this.active?.pause();
    this.active = screen;
    this.index = index;
    screen.show(item, at);
    this.set({ seconds: item.start + at, shotId: item.shotId, error: undefined, isLoading: !screen.isReady });
    if (screen === this.seen || screen.isReady || !this.seen) this.reveal();
  }

  private onReady(screen: Screen): void {
    if (screen !== this.active) return;
    if (this.current.isLoading) this.set({ isLoading: false });
    if (screen !== this.seen) this.reveal();
  }

  private reveal(): void {
    this.seen = this.active;
    for (const screen of this.screens) screen.element.hidden = screen !== this.seen || !screen.isClip;
    const { isPlaying, rate } = this.current;
    this.isPrepared = false;
    if (isPlaying && rate > 0) {
      this.active?.play(rate);
      this.begunAt = this.active?.seconds() ?? 0;
    } else this.prepare();
  }

  /** Decodes the first picture of the next item. */
  private prepare(): void {
    if (this.active !== this.seen) return;
    this.isPrepared = true;
    const next = this.following();
    if (next) this.freeScreen.show(next.item, 0);
  }

  /** The item after the current one. */
  private following(): Omit<Moment, 'at'> | undefined {
    const index = this.index + 1 < this.items.length ? this.index + 1 : 0;
    const item = this.items[index];
    return item && (index > 0 || this.isLooping) ? { index, item } : undefined;
  }

  private momentAt(seconds: number): Moment | undefined {
    const index = Math.max(
      0,
      this.items.findLastIndex(({ start }) => seconds >= start),
    );
    const item = this.items[index];
    return item && { index, item, at: Math.min(Math.max(0, seconds - item.start), lastFrameTime(item.seconds)) };
  }

  protected advance(): void {
    const item = this.items[this.index];
    if (!item || !this.active || this.active !== this.seen) return;
    const { start, seconds: out } = item;
    const played = this.active.seconds() - this.begunAt;
    if (!this.isPrepared && played >= Math.min(SETTLED_S, (out - this.begunAt) / 2)) this.prepare();
    if (this.active.left(out) <= LEAD) this.handOver(item);
    else this.moveTo(start + Math.min(out, this.active.seconds()), start);
  }

  /** Switches to the next item once its first picture is ready. */
  private handOver(item: PlayItem): void {
    const next = this.following();
    if (!next) {
      this.pause();
      // The element may already be past the out point.
      if (item.url !== undefined && item.from !== undefined) this.active?.show(item, item.seconds);
      this.set({ seconds: item.start + item.seconds });
      return;
    }
    const screen = this.freeScreen;
    this.active?.pause();
    if (!screen.holds(next.item)) screen.show(next.item, 0);
    if (!screen.isReady) return;
    this.active = screen;
    this.index = next.index;
    this.set({ seconds: next.item.start, shotId: next.item.shotId });
    if (screen.isFaulty) this.fail();
    this.reveal();
  }

  private fail(): void {
    this.set({ error: t`This file cannot be played here.`, isLoading: false });
    this.pause();
  }
}

/** How far a frame of a clip has moved in a changed item: with another trim, the visible frame stays. */
const movedBy = (was: PlayItem, item: PlayItem): number =>
  was.url !== undefined && was.url === item.url ? (was.from ?? 0) - (item.from ?? 0) : 0;

/** The item of a new playlist in which to keep the position: the same clip of the same shot, the same clip, or the same shot. */
function sameItem(items: readonly PlayItem[], was: PlayItem): { index: number; item: PlayItem } | undefined {
  const isSame = (item: PlayItem) => was.url !== undefined && item.url === was.url;
  const found = [
    items.findIndex((item) => isSame(item) && item.shotId === was.shotId),
    items.findIndex(isSame),
    // A take shown alone starts at its beginning.
    items.length > 1 ? items.findIndex(({ shotId }) => shotId === was.shotId) : -1,
  ].find((index) => index >= 0);
  const item = found === undefined ? undefined : items[found];
  return item && found !== undefined ? { index: found, item } : undefined;
}
