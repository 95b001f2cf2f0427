import { createCanvas, loadImage } from '@napi-rs/canvas';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { drawClip } from './clip.ts';
import type { ClipSpec } from './specs.ts';

/** Small frames are fast; the drawing does not depend on the size. */
const SPEC: ClipSpec = {
  width: 320,
  height: 180,
  seconds: 4,
  audio: false,
  prompt: 'a lamp in the rain',
  seed: 7,
  references: [],
};

function picture(colour: string, width = 320, height = 180): Buffer {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = colour;
  pen.fillRect(0, 0, width, height);
  return canvas.toBuffer('image/png');
}

async function meanOf(png: Uint8Array, [x, y, width, height]: [number, number, number, number]): Promise<number[]> {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.drawImage(await loadImage(png), -x, -y);
  const { data } = pen.getImageData(0, 0, width, height);
  return [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let at = channel; at < data.length; at += 4) sum += data[at] ?? 0;
    return Math.round(sum / (width * height));
  });
}

async function probe(video: Uint8Array) {
  const input = new Input({ source: new BufferSource(video as Uint8Array<ArrayBuffer>), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  if (!track) throw new Error('no video track');
  const types: string[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) types.push(packet.type);
  return { track, audio, types, seconds: await input.computeDuration() };
}

describe('a clip', () => {
  it('is H.264 of the requested size and length with a key frame every second, and silent unless requested', async () => {
    const { video } = await drawClip(SPEC);
    const { track, audio, types, seconds } = await probe(video);
    expect([track.codec, track.displayWidth, track.displayHeight]).toEqual(['avc', 320, 180]);
    expect(types.length).toBe(96);
    expect(types.flatMap((type, index) => (type === 'key' ? [index] : []))).toEqual([0, 24, 48, 72]);
    expect(seconds).toBeCloseTo(4, 1);
    expect(audio).toBeNull();
    // The index comes before the pictures, so that a player can start and seek at once.
    const text = Buffer.from(video).toString('latin1');
    expect(text.indexOf('moov')).toBeLessThan(text.indexOf('mdat'));
  });

  it('carries a stereo AAC track of its length on request', async () => {
    const { audio, seconds } = await probe((await drawClip({ ...SPEC, audio: true })).video);
    expect([audio?.codec, audio?.numberOfChannels]).toEqual(['aac', 2]);
    expect(Math.abs((await audio?.computeDuration()) ?? 0) - 4).toBeLessThan(0.1);
    expect(Math.abs(seconds - 4)).toBeLessThan(0.1);
  });

  it('is the same bytes for the same words, references and seed, and others for another seed or word', async () => {
    const [first, again, seed, words] = [
      await drawClip({ ...SPEC, audio: true }),
      await drawClip({ ...SPEC, audio: true }),
      await drawClip({ ...SPEC, audio: true, seed: 8 }),
      await drawClip({ ...SPEC, audio: true, prompt: 'a lamp in the snow' }),
    ];
    expect(Buffer.from(again.video).equals(first.video)).toBe(true);
    expect(Buffer.from(seed.video).equals(first.video)).toBe(false);
    expect(Buffer.from(words.video).equals(first.video)).toBe(false);
  });

  it('takes its colours from its references', async () => {
    const references = [picture('#c02010')];
    const spec = { ...SPEC, prompt: 'open sea' };
    const sky: [number, number, number, number] = [0, 0, 320, 60];
    const [red = 0, , blue = 0] = await meanOf((await drawClip({ ...spec, references })).lastFrame, sky);
    const [coldRed = 0, , coldBlue = 0] = await meanOf((await drawClip(spec)).lastFrame, sky);
    expect(red - blue).toBeGreaterThan(coldRed - coldBlue + 15);
  });

  it('ends on the last frame that was sent, to the pixel', async () => {
    const { lastFrame } = await drawClip({
      ...SPEC,
      image: picture('#204060'),
      lastFrame: picture('#a08040', 640, 360),
    });
    expect(await meanOf(lastFrame, [0, 0, 320, 180])).toEqual([0xa0, 0x80, 0x40]);
  });
});

describe('an extension', () => {
  it.each([
    ['continues the scene of its source, seven seconds further', 'it goes on', { name: 'lamp', endSecond: 11 }],
    ['changes the scene when the prompt names another', 'the open sea', { name: 'sea', endSecond: 7 }],
  ])('%s', async (_, prompt, scene) => {
    const extended = await drawClip({ ...SPEC, seconds: 7, prompt, extends: await drawClip(SPEC) });
    expect(extended.scene).toMatchObject(scene);
    expect((await probe(extended.video)).types.length).toBe(168);
  });
});
