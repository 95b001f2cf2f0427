import { gainAt, type MixSource } from '../../../../shared/sound/mixPlan.ts';

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
  headroom: number;
}

export class TrackPlayer {
  private readonly audio = new Audio();
  private context: AudioContext | undefined;
  private gain: GainNode | undefined;
  private loaded: Loaded | undefined;
  /** The film's time that the gains were scheduled from; undefined while it is silent. */
  private scheduled: { at: number; from: number } | undefined;

  constructor() {
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
    void this.context?.close();
  }

  private stop(): void {
    this.scheduled = undefined;
    if (!this.audio.paused) this.audio.pause();
  }

  /** Straight lines from key to key, as the mix says. */
  private schedule({ source, headroom }: Loaded, seconds: number): void {
    const { context, gain } = this.graph();
    const now = context.currentTime;
    this.scheduled = { at: now, from: seconds };
    gain.gain.cancelScheduledValues(now);
    gain.gain.setValueAtTime(gainAt(source.keys, seconds) * headroom, now);
    for (const key of source.keys) {
      if (key.at > seconds) gain.gain.linearRampToValueAtTime(key.gain * headroom, now + key.at - seconds);
    }
  }

  /** Browsers begin a sound only after a gesture, so it is made when something plays. */
  private graph(): { context: AudioContext; gain: GainNode } {
    const context = this.context ?? new AudioContext();
    const gain = this.gain ?? context.createGain();
    if (!this.gain) {
      context.createMediaElementSource(this.audio).connect(gain);
      gain.connect(context.destination);
    }
    void context.resume().catch(() => undefined);
    this.context = context;
    this.gain = gain;
    return { context, gain };
  }
}
