import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  Conversion,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
  QUALITY_HIGH,
} from 'mediabunny';
import { makeFilm } from '../../../../../src/renderer/media/film/makeFilm.ts';
import { softwareSpeed } from '../../../../../src/renderer/media/film/softwareSpeed.ts';
import { measureMedia } from '../../../../../src/renderer/media/measure/measure.ts';
import { makePicture } from '../../../../../src/renderer/media/pictures.ts';
import { stripOf } from '../../../../../src/renderer/media/strip.ts';
import type { FilmTask } from '../../../../../src/shared/film/filmTask.ts';
import type { ClipPart } from '../../../../../src/shared/film/trim.ts';

/** A file given as base64. */
const fileOf = (text: string, type = ''): Blob =>
  new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type });

/** Makes a picture of a file; returns its size and the colour of its middle. */
async function make(kind: 'thumbnail' | 'lastFrame', mime: string, text: string, outMs?: number) {
  try {
    return await seenOf(
      await makePicture({ kind, mime, ...(outMs === undefined ? {} : { outMs }) }, fileOf(text, mime)),
    );
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The frames of a strip, each described like a picture. */
const strip = async (text: string, count: number, part?: ClipPart) =>
  Promise.all((await stripOf({ kind: 'strip', count, height: 92, part }, fileOf(text, 'video/mp4'))).map(seenOf));

async function seenOf(picture: Blob) {
  const bitmap = await createImageBitmap(picture);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context?.drawImage(bitmap, 0, 0);
  const middle = context?.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data;
  return { type: picture.type, width: bitmap.width, height: bitmap.height, red: middle?.[0] };
}

/** Makes a film of the server's files; returns its bytes, the largest write, and the report. */
async function film(task: Omit<FilmTask, 'id'>, files: Record<string, string>, softwareOnly: boolean) {
  let bytes = new Uint8Array(0);
  let largest = 0;
  const progress: number[] = [];
  const startedAt = performance.now();
  const desk = {
    bytes: async (assetId: string) => (await fetch(files[assetId] ?? '')).blob(),
    write: async (at: number, piece: Uint8Array) => {
      largest = Math.max(largest, piece.length);
      if (at + piece.length > bytes.length) {
        const longer = new Uint8Array(at + piece.length);
        longer.set(bytes);
        bytes = longer;
      }
      bytes.set(piece, at);
    },
    progress: async (percent: number) => void progress.push(percent),
  };
  try {
    const report = await makeFilm(task, desk, { softwareOnly });
    const ms = performance.now() - startedAt;
    return { report, largest, progress: [progress[0], progress.at(-1)], ms, bytes: base64(bytes) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

/** Measures a file; only a picture needs its type. */
const measure = (text: string, mime?: string) =>
  measureMedia(fileOf(text, mime)).catch((error: unknown) => ({ error: String(error) }));

/** mediabunny alone for the same, in milliseconds: joining packets, or encoding. */
async function bareFilm(urls: readonly string[], isJoin: boolean): Promise<number> {
  const startedAt = performance.now();
  const clips = await Promise.all(urls.map(async (url) => (await fetch(url)).blob()));
  if (isJoin) await barelyJoined(clips);
  else for (const clip of clips) await barelyEncoded(clip);
  return performance.now() - startedAt;
}

async function barelyJoined(clips: readonly Blob[]): Promise<void> {
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const [video, audio] = [new EncodedVideoPacketSource('avc'), new EncodedAudioPacketSource('aac')];
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  let start = 0;
  for (const clip of clips) {
    const input = new Input({ source: new BlobSource(clip), formats: ALL_FORMATS });
    for (const [track, source] of [
      [await input.getPrimaryVideoTrack(), video],
      [await input.getPrimaryAudioTrack(), audio],
    ] as const) {
      if (!track) continue;
      const decoderConfig = (await track.getDecoderConfig()) as VideoDecoderConfig & AudioDecoderConfig;
      for await (const packet of new EncodedPacketSink(track).packets()) {
        await source.add(packet.clone({ timestamp: packet.timestamp + start }), { decoderConfig });
      }
    }
    start += await input.computeDuration();
    input.dispose();
  }
  await output.finalize();
}

async function barelyEncoded(clip: Blob): Promise<void> {
  const input = new Input({ source: new BlobSource(clip), formats: ALL_FORMATS });
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const video = { codec: 'avc', quality: QUALITY_HIGH, forceTranscode: true } as const;
  const conversion = await Conversion.init({ input, output, video, audio: { codec: 'aac', forceTranscode: true } });
  await conversion.execute();
  input.dispose();
}

Object.assign(window, { handles: { make, strip, measure, film, bareFilm, softwareSpeed } });
