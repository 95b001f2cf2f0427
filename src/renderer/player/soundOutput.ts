import { CHANNEL_LAYOUTS, type ChannelLayout } from '../../shared/film/sound/layout.ts';
import { type GainKey, gainAt } from '../../shared/film/sound/mixPlan.ts';
import { kWeighting } from '../media/measure/loudness.ts';

/** The level of the playback. */
export interface SoundLevels {
  /** The latest sample peaks of left and right, in dBFS; −Infinity for silence. */
  peaks: readonly [number, number];
  /** Momentary loudness (400 ms, BS.1770-4) in LUFS; −Infinity for silence. */
  momentary: number;
}

export const SILENCE: SoundLevels = {
  peaks: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  momentary: Number.NEGATIVE_INFINITY,
};
const WINDOW_S = 0.4;
/** The most samples that a node keeps; enough for the window up to 81 kHz. */
const KEPT = 32_768;
const PEAK_SAMPLES = 8_192;

const decibels = (value: number, factor: number): number =>
  value > 0 ? factor * Math.log10(value) : Number.NEGATIVE_INFINITY;

/** Measures the sound of a node without changing it. */
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

interface Input {
  source: AudioNode;
  gain: GainNode;
  layout: ChannelLayout | undefined;
}

/** Layouts that browsers downmix like exports (Web Audio API, "Channel Up-Mixing and Down-Mixing"); from others they drop channels. */
const FOLDED_BY_BROWSERS: readonly (ChannelLayout | undefined)[] = [undefined, 'mono', 'stereo', '5.1'];

/** Connects a source to its gain, downmixed to stereo if the browser would do so differently from measurements and exports. */
function foldInto(context: AudioContext, { source, gain, layout }: Input): void {
  source.disconnect();
  const sides = CHANNEL_LAYOUTS[layout ?? 'stereo'];
  // A device with more channels than the file has already distributed them.
  const isPlaced = context.destination.maxChannelCount > sides[0].length;
  if (FOLDED_BY_BROWSERS.includes(layout) || isPlaced) {
    source.connect(gain);
    return;
  }
  const splitter = context.createChannelSplitter(sides[0].length);
  const merger = context.createChannelMerger(2);
  source.connect(splitter);
  for (const [side, gains] of sides.entries()) {
    for (const [channel, value] of gains.entries()) {
      if (value === 0) continue;
      const part = new GainNode(context, { gain: value });
      splitter.connect(part, channel);
      part.connect(merger, 0, side);
    }
  }
  merger.connect(gain);
}

/** The mix of all sounds of the film: clips and track. Gains are linear and may exceed 1. */
export class SoundOutput {
  private context: AudioContext | undefined;
  private mix: GainNode | undefined;
  private meter: LevelMeter | undefined;
  /** An element can be connected to only one context, which lives as long as the page. */
  private readonly inputs = new WeakMap<HTMLMediaElement, Input>();
  private readonly waiting = new Set<() => void>();

  /** Browsers allow sound only after a gesture, so this is called when something plays. */
  begin(): void {
    const context = this.context ?? new AudioContext();
    this.context = context;
    if (context.state === 'running') return;
    // An element connected to a suspended context would not play.
    context.resume().then(
      () => {
        for (const run of this.waiting) run();
        this.waiting.clear();
      },
      () => undefined,
    );
  }

  /** Calls back once sounds can be connected. */
  whenRunning(run: () => void): void {
    if (this.context?.state === 'running') run();
    else this.waiting.add(run);
  }

  /**
   * Applies a gain curve over the element's own seconds from its position: linear between keys while it plays. `layout`: its channel
   * layout, if known. Before sound is allowed, an element can only be made quieter.
   */
  follow(element: HTMLMediaElement, keys: readonly GainKey[], layout?: ChannelLayout): void {
    const { context } = this;
    const { currentTime: from, paused, playbackRate } = element;
    if (context?.state !== 'running') {
      element.volume = Math.min(1, gainAt(keys, from));
      return;
    }
    const input = this.inputs.get(element) ?? this.addInput(context, element);
    if (input.layout !== layout) {
      input.layout = layout;
      foldInto(context, input);
    }
    const { gain } = input.gain;
    const { currentTime: now } = context;
    gain.cancelScheduledValues(now);
    gain.setValueAtTime(gainAt(keys, from), now);
    if (paused) return;
    for (const { at, gain: to } of keys)
      if (at > from) gain.linearRampToValueAtTime(to, now + (at - from) / playbackRate);
  }

  private addInput(context: AudioContext, element: HTMLMediaElement): Input {
    const input: Input = {
      source: context.createMediaElementSource(element),
      gain: context.createGain(),
      layout: undefined,
    };
    foldInto(context, input);
    input.gain.connect(this.output(context));
    this.inputs.set(element, input);
    element.volume = 1;
    return input;
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
    // Mono is heard, and measured, on both sides.
    mix.channelCount = 2;
    mix.channelCountMode = 'explicit';
    mix.connect(context.destination);
    this.meter = new LevelMeter(context, mix);
    this.mix = mix;
    return mix;
  }
}
