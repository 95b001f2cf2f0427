import { t } from '../../../../shared/text/texts.ts';
import { FPS, frameAt, lastFrameTime, type PlayRange, timeOfFrame } from '../../../player/frames.ts';
import { Player, type PlayerState } from '../../../player/player.ts';
import { SoundOutput } from '../../../player/soundOutput.ts';
import type { PlayItem } from './playlist.ts';
import { Screen } from './screens.ts';
import { type HeardTrack, TrackSound } from './trackSound.ts';

const HALF_FRAME = 0.5 / FPS;

/**
 * The next item is shown this long before the last frame of the one before is over, in seconds: its first frame stands from then on, and
 * it takes the element about as long to begin.
 */
const LEAD = HALF_FRAME;

/** What comes next is decoded only then: two clips that begin at once would take each other's frames on a slow machine. */
const SETTLED_S = 0.75;

/** An item of the playlist and the second of it. */
interface Moment {
  index: number;
  item: PlayItem;
  at: number;
}

/**
 * Plays a playlist on two video elements, however long it is: while one of them is seen, the other one holds the first frame of what comes
 * next, decoded. A cut comes when the last frame has been seen, so none is left out at a joint.
 * Time is always the board's; a frame is addressed by the middle of its time.
 */
export class ClipPlayer extends Player {
  /** What is heard of the film, with all that is laid under it. */
  readonly sound = new SoundOutput();
  private readonly screens: readonly [Screen, Screen];
  private readonly track = new TrackSound(this.sound);
  private items: readonly PlayItem[] = [];
  private index = 0;
  /** What drives the time. */
  private active: Screen | undefined;
  /** What is seen: the one before, until the active one has its picture. */
  private seen: Screen | undefined;
  /** What comes next was asked for. */
  private isPrepared = false;
  /** The second of the item that its play began at. */
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

  /** Another playlist. The place is kept where its item or its shot is still there, otherwise it starts at the first item. */
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

  /** The track that is heard under the film, or none. */
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

  /** Goes to a time of the board; into the nearest item where none plays there. */
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

  /** The screen that is not seen. */
  private get freeScreen(): Screen {
    return this.screens[0] === this.seen ? this.screens[1] : this.screens[0];
  }

  /** Shows a moment; what is seen keeps its picture until the new one is there. */
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

  /** Decodes the first picture of what comes next. */
  private prepare(): void {
    if (this.active !== this.seen) return;
    this.isPrepared = true;
    const next = this.following();
    if (next) this.freeScreen.show(next.item, 0);
  }

  /** What is played after the item that plays now. */
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

  /** Goes on with what comes next, once its first picture is there. */
  private handOver(item: PlayItem): void {
    const next = this.following();
    if (!next) {
      this.pause();
      // The element has more behind an out point, and may have begun it.
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

/** How much later in another form of an item a frame of its clip is: where another trim is set, the frame that is seen stays. */
const movedBy = (was: PlayItem, item: PlayItem): number =>
  was.url !== undefined && was.url === item.url ? (was.from ?? 0) - (item.from ?? 0) : 0;

/** The item of another playlist that a place is kept in: the same thing of the same shot, the same thing, or else the same shot. */
function sameItem(items: readonly PlayItem[], was: PlayItem): { index: number; item: PlayItem } | undefined {
  const isSame = (item: PlayItem) => was.url !== undefined && item.url === was.url;
  const found = [
    items.findIndex((item) => isSame(item) && item.shotId === was.shotId),
    items.findIndex(isSame),
    // A take that is looked at alone begins at its start.
    items.length > 1 ? items.findIndex(({ shotId }) => shotId === was.shotId) : -1,
  ].find((index) => index >= 0);
  const item = found === undefined ? undefined : items[found];
  return item && found !== undefined ? { index: found, item } : undefined;
}
