import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSource,
  BufferSource,
  BufferTarget,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { contentPath } from '../../src/main/core/library/index.ts';
import { databaseFile } from '../../src/main/core/store/index.ts';
import type { Shot } from '../../src/shared/board/board.ts';
import type { CastUse } from '../../src/shared/board/cast.ts';
import type { Export, FrameRate } from '../../src/shared/film/filmExport.ts';
import { MEDIA } from '../chaos/serviceAnswers.ts';
import { placeEmptyDatabase } from './emptyDatabase.ts';
import { tempDir } from './testPorts.ts';
import type { TestStudio } from './testStudio.ts';

/** A data folder with a board whose shots have finished takes, without a gateway. */

/** An MP4 with that many frames at a rate; every frame is a key frame of the same 16 × 16 picture. */
export async function framesOf({
  frames,
  rate,
  audio = false,
  rotation = 0,
  side = 16,
}: {
  frames: number;
  rate: FrameRate;
  /** An audio track; `true` for the codec of exported films. */
  audio?: boolean | 'pcm-f32';
  /** The rotation that players apply, in degrees. */
  rotation?: 0 | 90 | 180 | 270;
  /** Width and height as the file states them, in pixels. */
  side?: number;
}): Promise<Buffer> {
  const input = new Input({ source: new BufferSource(MEDIA.video.bytes), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  const first = track && (await new EncodedPacketSink(track).getFirstPacket());
  if (!config || !first) throw new Error('the clip of the chaos matrix has no picture');
  const decoderConfig = { ...config, codedWidth: side, codedHeight: side };
  const output = new Output({ format: new Mp4OutputFormat(), target: new BufferTarget() });
  const video = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(video, { frameRate: rate.num / rate.den, rotation });
  const sound = new AudioSampleSource({ codec: audio === 'pcm-f32' ? audio : 'pcm-s16' });
  if (audio) output.addAudioTrack(sound);
  await output.start();
  const { num, den } = rate;
  for (let at = 0; at < frames; at += 1)
    await video.add(new EncodedPacket(first.data, 'key', (at * den) / num, den / num), { decoderConfig });
  if (audio) {
    const length = Math.round((8_000 * frames * den) / num);
    const sample = { data: new Int16Array(length), format: 's16' as const, numberOfChannels: 1 };
    await sound.add(new AudioSample({ ...sample, sampleRate: 8_000, timestamp: 0 }));
  }
  await output.finalize();
  return Buffer.from(output.target.buffer ?? new ArrayBuffer(0));
}

export interface ShotOf {
  /** The clip of the only take; without it the shot has no take. */
  clip?: Buffer;
  /** The file is at the gateway, not stored here. */
  remote?: boolean;
  /** The take was made from the last frame of this one. */
  from?: string;
  /** The take was made from the picture at this address. */
  uri?: string;
  prompt?: string;
  /** The cast that the take was sent with. */
  cast?: CastUse[];
  seed?: number;
  verdict?: 'keep' | 'maybe' | 'no';
  shot?: Partial<Shot>;
  /** In nano-dollars. */
  money?: { charged: number; low: number; doubt: number };
}

export const FILM = 'p1';

/** Writes the folder; shot 1 has the id `s1`, its take `j1` and the clip `a1`, and so on. */
export function makeFilmFolder(shots: readonly ShotOf[], name = 'Last Ferry', dataDir = tempDir('film')): string {
  placeEmptyDatabase(dataDir);
  const db = new Database(databaseFile(dataDir));
  db.prepare(`INSERT INTO projects (id, name, created_at) VALUES (?, ?, 1)`).run(FILM, name);
  const board = shots.map((one, index) => addShot(db, dataDir, one, index + 1));
  db.prepare(`INSERT INTO boards (project_id, revision, shots) VALUES (?, 1, ?)`).run(FILM, JSON.stringify(board));
  db.close();
  return dataDir;
}

function addShot(db: Database.Database, dataDir: string, one: ShotOf, number: number): object {
  const { clip, prompt = `Shot ${number}`, seed = number, verdict, money } = one;
  const shot = { id: `s${number}`, prompt, model: 'film-1', config: { durationSeconds: 4 }, ...one.shot };
  if (!clip) return shot;
  const sha256 = createHash('sha256').update(clip).digest('hex');
  if (!one.remote) {
    const file = contentPath(dataDir, sha256, 'mp4');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, clip);
  }
  const image =
    one.uri !== undefined
      ? { image: { uri: one.uri } }
      : one.from === undefined
        ? {}
        : { image: { jobId: one.from, frame: 'last' } };
  const config = { seed, durationSeconds: 4 };
  const cast = one.cast ? { cast: one.cast } : {};
  const request = JSON.stringify({ kind: 'video', model: 'film-1', prompt, ...image, ...cast, config });
  db.prepare(
    `INSERT INTO jobs (id, kind, state, request, profile_id, project_id, model, lane, idempotency_key, hook_secret, price, estimate_nano,
       estimate_low_nano, charged_nano, charged_low_nano, uncertain_nano, position, created_at, verdict, progress, inputs)
     VALUES ($id, 'video', 'succeeded', $request, 'sandbox', '${FILM}', 'film-1', 'l', $id, 's', '{}', 0, 0, $charged, $low, $doubt, $n, 1, $verdict, 100, $inputs)`,
  ).run({
    id: `j${number}`,
    request,
    n: number,
    verdict: verdict ?? null,
    inputs: one.uri === undefined ? null : JSON.stringify([{ field: 'image', uri: one.uri }]),
    ...(money ?? { charged: 0, low: 0, doubt: 0 }),
  });
  db.prepare(
    `INSERT INTO assets (id, sha256, mime, width, height, bytes, state, role, job_id, output_index, name, model, created_at, remote_uri)
     VALUES ($id, $sha256, 'video/mp4', 16, 16, $bytes, $state, 'output', $job, 0, $id, 'film-1', 1, $uri)`,
  ).run({
    id: `a${number}`,
    sha256: one.remote ? '' : sha256,
    bytes: clip.length,
    state: one.remote ? 'expired' : 'local',
    uri: one.remote ? 'http://127.0.0.1:9/gone.mp4' : null,
    job: `j${number}`,
  });
  return { takes: [`j${number}`], activeTake: `j${number}`, ...shot };
}

/** Waits for the end of an export, by its event. */
export function exportEnded({ studio }: Pick<TestStudio, 'studio'>, started: Export): Promise<Export> {
  if (started.state !== 'running') return Promise.resolve(started);
  return new Promise((resolve) => {
    const stop = studio.subscribe((event) => {
      if (event.type !== 'export.changed' || event.export.id !== started.id || event.export.state === 'running') return;
      stop();
      resolve(event.export);
    });
  });
}
