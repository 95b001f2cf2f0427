import type { ChannelLayout } from '../../../../shared/film/sound/layout.ts';
import type { GainKey } from '../../../../shared/film/sound/mixPlan.ts';
import type { PlayerState } from '../../../player/player.ts';
import type { SoundOutput } from '../../../player/soundOutput.ts';

/** Sound this far from the picture is noticed. */
const DRIFT_S = 0.08;

/** The music track of a film as it is heard. */
export interface HeardTrack {
  url: string;
  /** Start in film time, in seconds. */
  start: number;
  end: number;
  /** The time in the file at its start. */
  fileStart: number;
  /** Gain curve over the file's seconds. */
  gains: readonly GainKey[];
  /** Channel layout, if known. */
  layout: ChannelLayout | undefined;
}

/** The music track under a film: follows the picture's time, with the gains of the mix. */
export class TrackSound {
  private readonly audio = new Audio();
  private readonly output: SoundOutput;
  private track: HeardTrack | undefined;

  constructor(output: SoundOutput) {
    this.output = output;
    this.audio.crossOrigin = 'anonymous';
    this.audio.preload = 'auto';
    // A gain curve runs on its own clock, so it is restarted with the sound.
    for (const event of ['playing', 'seeked']) this.audio.addEventListener(event, this.lead);
  }

  /** Sets the track and its gains, or none. */
  load(track: HeardTrack | undefined): void {
    if (track?.url !== this.track?.url) {
      this.audio.pause();
      if (track) this.audio.src = track.url;
      else this.audio.removeAttribute('src');
    }
    this.track = track;
    this.lead();
  }

  mute(isMuted: boolean): void {
    this.audio.muted = isMuted;
  }

  /** Called whenever the picture's state changes, while playing at every frame. Only forward playback at normal speed is heard. */
  follow({ seconds, isPlaying, rate }: PlayerState): void {
    const { track, audio } = this;
    const isHeard = track && isPlaying && rate === 1 && seconds >= track.start && seconds < track.end;
    if (!isHeard) {
      if (!audio.paused) audio.pause();
      return;
    }
    const at = track.fileStart + seconds - track.start;
    if (Math.abs(audio.currentTime - at) > DRIFT_S) audio.currentTime = at;
    if (!audio.paused) return;
    this.output.begin();
    this.output.whenRunning(this.lead);
    void audio.play().catch(() => undefined);
  }

  private readonly lead = (): void => {
    if (this.track) this.output.follow(this.audio, this.track.gains, this.track.layout);
  };
}
