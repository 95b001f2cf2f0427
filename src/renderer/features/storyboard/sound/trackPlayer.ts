import type { ChannelLayout } from '../../../../shared/sound/layout.ts';
import { gainAt, type MixSource } from '../../../../shared/sound/mixPlan.ts';
import { followGains, type SoundOutput } from '../player/soundOutput.ts';

/** The track of a film in the page: follows the picture's time, with the gains of the mix. */

/** A second element that is this far from the picture is heard as wrong. */
const DRIFT_S = 0.08;

export interface FollowedState {
  seconds: number;
  isPlaying: boolean;
  rate: number;
}

interface Loaded {
  url: string;
  source: MixSource;
  /** What the whole mix is multiplied by. */
  master: number;
  /** What its channels are for, if known. */
  layout: ChannelLayout | undefined;
}

export class TrackPlayer {
  private readonly audio = new Audio();
  private readonly output: SoundOutput;
  private loaded: Loaded | undefined;
  /** The film's time that the gains were scheduled from; undefined while it is silent. */
  private scheduled: { at: number; from: number } | undefined;

  constructor(output: SoundOutput) {
    this.output = output;
    this.audio.crossOrigin = 'anonymous';
    this.audio.preload = 'auto';
  }

  /** Another track, other gains, or none. */
  load(loaded: Loaded | undefined): void {
    if (loaded?.url !== this.loaded?.url) {
      this.stop();
      if (loaded) this.audio.src = loaded.url;
      else this.audio.removeAttribute('src');
    }
    this.loaded = loaded;
    this.scheduled = undefined;
  }

  mute(isMuted: boolean): void {
    this.audio.muted = isMuted;
  }

  /** Called whenever the picture's state changes, which is at every frame while it plays. Only forward play at normal speed is heard. */
  follow({ seconds, isPlaying, rate }: FollowedState): void {
    const { loaded } = this;
    const isHeard = loaded && isPlaying && rate === 1 && seconds >= loaded.source.start && seconds < loaded.source.end;
    if (!isHeard) return this.stop();
    const at = loaded.source.fileStart + seconds - loaded.source.start;
    const isOff = Math.abs(this.audio.currentTime - at) > DRIFT_S;
    if (isOff) this.audio.currentTime = at;
    if (this.audio.paused) void this.audio.play().catch(() => undefined);
    if (isOff || !this.scheduled) this.schedule(loaded, seconds);
  }

  dispose(): void {
    this.load(undefined);
  }

  private stop(): void {
    this.scheduled = undefined;
    if (!this.audio.paused) this.audio.pause();
  }

  /** Until sound may begin nothing is scheduled. */
  private schedule({ source, master, layout }: Loaded, seconds: number): void {
    this.output.begin();
    const led = this.output.lead(this.audio, layout);
    const keys = source.keys.map(({ at, gain }) => ({ at, gain: gain * master }));
    if (!led) {
      this.audio.volume = Math.min(1, gainAt(keys, seconds));
      return;
    }
    this.scheduled = { at: led.now, from: seconds };
    followGains(led, keys, { from: seconds, rate: 1 });
  }
}
