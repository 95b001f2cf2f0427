import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { supportedMimeTypes } from 'file-type';
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type OutputFormat,
  WebMOutputFormat,
} from 'mediabunny';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../test/helpers/testPorts.ts';
import { wholeWav } from '../../../shared/film/sound/wav.ts';
import { FORMATS, KEPT_FORMATS } from '../../../shared/library/mediaFormats.ts';
import { inspectFile } from './content/contentStore.ts';
import { readClipFacts } from './media/clipFacts.ts';
import { mimeOf, probeFile } from './media/probe.ts';

/** Every row of the table of formats is what the detector says of such a file. */

const dir = tempDir('media-table');
const put = (name: string, bytes: Uint8Array): string => {
  const file = path.join(dir, name);
  writeFileSync(file, bytes);
  return file;
};

/** Found by what is inside, where the detector sees a container or a text. */
const FOUND_INSIDE = ['audio/quicktime', 'audio/webm', 'audio/matroska', 'image/svg+xml'];
const rows = [FORMATS, KEPT_FORMATS].flatMap((table) => Object.values(table).flatMap((types) => Object.keys(types)));

test.each(rows)('the detector knows %s by this name', (mime) => {
  const detected = [...supportedMimeTypes].map((one) => one.split(';', 1)[0]?.toLowerCase());
  expect([...detected, ...FOUND_INSIDE]).toContain(mime);
});

test.each([
  ['a Matroska clip of a screen recorder', 'h264-aac.mkv', { mime: 'video/matroska', extension: 'mkv', audio: true }],
  ['an animated PNG', 'anim.png', { mime: 'image/png', extension: 'png' }],
])('%s is displayed', async (_, name, known) => {
  const probe = await probeFile(`test/fixtures/media/${name}`);
  expect(probe).toMatchObject(known);
  expect(probe?.width).toBeGreaterThan(0);
});

/** Two seconds of packets; nothing in them is decoded. */
async function soundIn(format: OutputFormat, codec: 'aac' | 'opus'): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const description = codec === 'aac' ? { description: new Uint8Array([0x11, 0x90]) } : {};
  const named = codec === 'aac' ? 'mp4a.40.2' : 'opus';
  const decoderConfig = { codec: named, numberOfChannels: 2, sampleRate: 48_000, ...description };
  for (let n = 0; n < 20; n++)
    await source.add(new EncodedPacket(new Uint8Array(20).fill(n + 1), 'key', n / 10, 0.1), { decoderConfig });
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

test.each<[string, OutputFormat, 'aac' | 'opus', string, string]>([
  ['MP4', new Mp4OutputFormat(), 'aac', 'audio/mp4', 'm4a'],
  ['MOV', new MovOutputFormat(), 'aac', 'audio/quicktime', 'mov'],
  ['WebM', new WebMOutputFormat(), 'opus', 'audio/webm', 'webm'],
  ['Matroska', new MkvOutputFormat(), 'opus', 'audio/matroska', 'mka'],
])('sound alone in %s is a sound', async (name, format, codec, mime, extension) => {
  const probe = await probeFile(put(name, await soundIn(format, codec)));
  expect(probe).toMatchObject({ mime, extension, width: 0, height: 0, audio: true });
  // Matroska states no length of the last packet.
  expect(probe?.seconds).toBeCloseTo(2, 0);
});

interface WavParts {
  tag?: number;
  bytesPerSecond?: number;
  riff?: number;
  data?: number;
  fact?: number;
  sound?: Uint8Array;
  rf64?: boolean;
}

/** Three seconds at 24,000 samples of two bytes, unless something else is said. */
function wav({ tag = 1, bytesPerSecond = 48_000, riff, data, fact, sound, rf64 }: WavParts = {}): Buffer {
  const samples = sound ?? Uint8Array.from({ length: 3 * bytesPerSecond }, (_, at) => (at * 37) & 255);
  const u32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const fmt = Buffer.alloc(16);
  fmt.writeUInt16LE(tag, 0);
  fmt.writeUInt16LE(1, 2);
  fmt.writeUInt32LE(24_000, 4);
  fmt.writeUInt32LE(bytesPerSecond, 8);
  fmt.writeUInt16LE(2, 12);
  fmt.writeUInt16LE(16, 14);
  const long = Buffer.alloc(28);
  const extra = [...(rf64 ? [Buffer.from('ds64'), u32(28), long] : [])];
  const told = fact === undefined ? [] : [Buffer.from('fact'), u32(4), u32(fact)];
  const head = [Buffer.from('WAVE'), ...extra, Buffer.from('fmt '), u32(16), fmt, ...told];
  const length = u32(rf64 ? 0xffff_ffff : (data ?? samples.length));
  const rest = Buffer.concat([...head, Buffer.from('data'), length, samples]);
  if (rf64) {
    rest.writeBigUInt64LE(BigInt(rest.length), 12);
    rest.writeBigUInt64LE(BigInt(samples.length), 20);
  }
  return Buffer.concat([Buffer.from(rf64 ? 'RF64' : 'RIFF'), u32(rf64 ? 0xffff_ffff : (riff ?? rest.length)), rest]);
}

test.each<[string, WavParts]>([
  ['as it should be', {}],
  ['with both sizes at zero', { riff: 0, data: 0 }],
  ['with its outer size at zero', { riff: 0 }],
  ['with the sizes of a stream', { riff: 0xffff_ffff, data: 0xffff_ffff }],
  ['in the form for long files', { rf64: true }],
])('a WAV file %s has its whole length, also for a film', async (name, parts) => {
  const file = put(`${name}.wav`, wav(parts));
  expect(await probeFile(file)).toMatchObject({ mime: 'audio/wav', extension: 'wav', seconds: 3, audio: true });
  expect(await readClipFacts(file)).toMatchObject({ seconds: 3, audio: { sampleRate: 24_000, channels: 1 } });
});

test('a page reads a WAV file without sizes as the same file with them', async () => {
  const whole = wav();
  const read = await wholeWav(new Blob([wav({ riff: 0, data: 0 })]));
  expect(Buffer.from(await read.arrayBuffer()).equals(whole)).toBe(true);
  const other = new Blob([whole]);
  expect(await wholeWav(other)).toBe(other);
});

test.each<[string, WavParts]>([
  ['ADPCM', { tag: 2, bytesPerSecond: 12_000 }],
  ['MP3', { tag: 0x55, bytesPerSecond: 16_000 }],
  ['MP3 of changing rates', { tag: 0x55, bytesPerSecond: 16_000, fact: 72_000, sound: new Uint8Array(20_000).fill(9) }],
])('a WAV file that holds %s is a sound of its length', async (name, parts) => {
  expect(await probeFile(put(`${name}.wav`, wav(parts)))).toMatchObject({ mime: 'audio/wav', seconds: 3 });
});

const piece = wav({ sound: new Uint8Array(48_000).fill(7) });
test.each<[string, Buffer]>([
  ['files behind each other', Buffer.concat([piece, piece, piece])],
  ['the header of the first piece', Buffer.concat([piece, Buffer.alloc(96_000, 0x83)])],
])('a WAV file of pieces, with %s, says that sound follows its stated end', async (name, bytes) => {
  const inspected = await inspectFile(put(name, bytes), { bytes: bytes.length, sha256: '' }, { sound: true });
  expect(inspected).toMatchObject({
    error: { code: 'unsupported_media', message: expect.stringContaining('stated end') },
  });
});

test('notes and filling behind the stated end of a WAV file are no sound', async () => {
  for (const tail of [Buffer.from(`LIST${'x'.repeat(4_000)}`), Buffer.alloc(4_000), Buffer.from('made by a program')])
    expect(await probeFile(put('tail.wav', Buffer.concat([piece, tail])))).toMatchObject({ seconds: 1 });
});

test('a text that names itself an SVG picture is one, and another text is none', async () => {
  expect(await mimeOf(put('a.svg', Buffer.from('<!-- made by hand -->\n<svg/>')))).toBe('image/svg+xml');
  expect(await mimeOf(put('a.xml', Buffer.from('<?xml version="1.0"?><Error/>')))).toBe('application/xml');
});
