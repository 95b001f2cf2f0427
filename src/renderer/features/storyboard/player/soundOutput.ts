import { kWeighting } from '../../../media/measure/loudness.ts';

/** How loud what is heard is. */
export interface SoundLevels {
  /** Highest sample of the left and the right in the last moment, in dBFS; −Infinity for silence. */
  peaks: readonly [number, number];
  /** Momentary loudness (400 ms, BS.1770-4) in LUFS; −Infinity for silence. */
  momentary: number;
}

const SILENCE: SoundLevels = {
  peaks: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  momentary: Number.NEGATIVE_INFINITY,
};
const WINDOW_S = 0.4;
/** As many samples as a node keeps at most; enough for the window up to 81 kHz. */
const KEPT = 32_768;
const PEAK_SAMPLES = 2_048;

const decibels = (value: number, factor: number): number =>
  value > 0 ? factor * Math.log10(value) : Number.NEGATIVE_INFINITY;

/** Measures what goes through a node, without changing it. */
export class LevelMeter {
  private readonly peaks: readonly AnalyserNode[];
  private readonly weighted: readonly AnalyserNode[];
  private readonly window: number;
  private readonly samples = new Float32Array(KEPT);
  private readonly newest = new Float32Array(PEAK_SAMPLES);

  constructor(context: BaseAudioContext, input: AudioNode) {
    this.window = Math.min(KEPT, Math.round(WINDOW_S * context.sampleRate));
    this.peaks = channelsOf(context, input, PEAK_SAMPLES);
    const stages = kWeighting(context.sampleRate).map(({ b, a }) => context.createIIRFilter([...b], [1, ...a]));
    let last = input;
    for (const stage of stages) last = last.connect(stage);
    this.weighted = channelsOf(context, last, KEPT);
  }

  levels(): SoundLevels {
    const [left = 0, right = 0] = this.peaks.map((node) => {
      node.getFloatTimeDomainData(this.newest);
      return this.newest.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    });
    const energy = this.weighted.reduce((sum, node) => sum + this.meanSquare(node), 0);
    return { peaks: [decibels(left, 20), decibels(right, 20)], momentary: -0.691 + decibels(energy, 10) };
  }

  private meanSquare(node: AnalyserNode): number {
    node.getFloatTimeDomainData(this.samples);
    let sum = 0;
    for (let index = KEPT - this.window; index < KEPT; index++) sum += (this.samples[index] ?? 0) ** 2;
    return sum / this.window;
  }
}

function channelsOf(context: BaseAudioContext, input: AudioNode, size: number): AnalyserNode[] {
  const splitter = context.createChannelSplitter(2);
  input.connect(splitter);
  return [0, 1].map((channel) => {
    const node = context.createAnalyser();
    node.fftSize = size;
    splitter.connect(node, channel);
    return node;
  });
}

/** Where every sound of the film comes together: its clips and its track. Gains are linear and may be above 1. */
export class SoundOutput {
  private context: AudioContext | undefined;
  private mix: GainNode | undefined;
  private meter: LevelMeter | undefined;
  /** Each element can be led into one context alone, and goes with its page. */
  private readonly gains = new WeakMap<HTMLMediaElement, GainNode>();
  private readonly waiting = new Set<() => void>();

  /** Browsers begin a sound only after a gesture, so this is called when something plays. */
  begin(): void {
    const context = this.context ?? new AudioContext();
    this.context = context;
    if (context.state === 'running') return;
    // An element that is led into a context that does not run yet would stand still.
    context.resume().then(
      () => {
        for (const run of this.waiting) run();
        this.waiting.clear();
      },
      () => undefined,
    );
  }

  /** Calls back once sounds can be led here. */
  whenRunning(run: () => void): void {
    if (this.context?.state === 'running') run();
    else this.waiting.add(run);
  }

  /** The gain that an element is heard through, and the clock that it is set by; undefined while nothing may be heard yet. */
  lead(element: HTMLMediaElement): { gain: AudioParam; now: number } | undefined {
    const { context } = this;
    if (context?.state !== 'running') return undefined;
    const known = this.gains.get(element);
    const gain = known ?? context.createGain();
    if (!known) {
      context.createMediaElementSource(element).connect(gain);
      gain.connect(this.output(context));
      this.gains.set(element, gain);
      element.volume = 1;
    }
    return { gain: gain.gain, now: context.currentTime };
  }

  levels(): SoundLevels {
    return this.meter?.levels() ?? SILENCE;
  }

  dispose(): void {
    this.waiting.clear();
    void this.context?.close();
    this.context = undefined;
    this.mix = undefined;
    this.meter = undefined;
  }

  private output(context: AudioContext): GainNode {
    if (this.mix) return this.mix;
    const mix = context.createGain();
    // One channel is heard on both sides, and measured as such.
    mix.channelCount = 2;
    mix.channelCountMode = 'explicit';
    mix.connect(context.destination);
    this.meter = new LevelMeter(context, mix);
    this.mix = mix;
    return mix;
  }
}
