import { QUALITY_HIGH, type VideoSample, VideoSampleSource } from 'mediabunny';
import { type FilmPlan, type MoviePlan, SOUND_ALONE } from '../../../shared/film/filmExport.ts';
import { encodedSize } from '../../../shared/film/filmFormat.ts';
import type { FilmReport, FilmTask } from '../../../shared/film/filmTask.ts';
import { type StreamDifferences, streamDifferences } from '../../../shared/film/joinable.ts';
import { inflected, t } from '../../../shared/text/texts.ts';
import { type ClipStreams, openClip, streamsOf } from './clipStreams.ts';
import { needsSoftware } from './codecs.ts';
import { Compositor } from './compositor.ts';
import type { FilmDesk } from './filmDesk.ts';
import { type FilmFile, openFilmFile } from './filmFile.ts';
import { joinFilm } from './join.ts';
import { MixTrack } from './mixTrack.ts';

export interface FilmOptions {
  /** Behaves like a browser that cannot encode H.264. */
  softwareOnly?: boolean;
}

/** Makes the film of a task; throws one sentence if it cannot be made as requested. */
export async function makeFilm(
  { plan, mode, title = plan.name, provenance }: Omit<FilmTask, 'id'>,
  studio: FilmDesk,
  options: FilmOptions = {},
): Promise<FilmReport> {
  const desk = { ...studio, progress: atMostEvery(BEAT_MS, studio.progress) };
  const joined = mode === 'encode' ? null : await joinable(plan, desk);
  if (joined && joined.odd.pictures.length === 0) {
    const isMixed = joined.odd.sound.length > 0;
    const done = await joinFilm(plan, joined.streams, openFilmFile(desk.write, { title, provenance }), desk, {
      isMixed,
    });
    const why = isMixed ? [...joined.odd.sound, SOUND_ALONE, ...done] : levelsLeft(plan);
    return { mode: 'join', why: why.slice(0, MOST_REASONS) };
  }
  const odd = joined?.odd.pictures ?? [];
  if (mode === 'join') throw new Error(`The film cannot be joined without encoding: ${odd.join(' ')}`);
  const why = await encodeFilm(plan, openFilmFile(desk.write, { title, provenance }), desk, options);
  return { mode: 'encode', why: [...odd, ...why].slice(0, MOST_REASONS) };
}

const MOST_REASONS = 20;
/** Interval of progress reports: often enough to show, and to cancel soon. */
const BEAT_MS = 500;

function atMostEvery(ms: number, progress: FilmDesk['progress']): FilmDesk['progress'] {
  let toldAt = Number.NEGATIVE_INFINITY;
  return async (percent) => {
    const now = performance.now();
    if (now - toldAt < ms) return;
    toldAt = now;
    await progress(percent);
  };
}

async function joinable(plan: MoviePlan, desk: FilmDesk): Promise<{ odd: StreamDifferences; streams: ClipStreams[] }> {
  const streams: (ClipStreams | null)[] = [];
  for (const { kind, assetId, number } of plan.segments) {
    if (kind !== 'clip' || assetId === undefined) streams.push(null);
    else streams.push(await streamsIn(await desk.bytes(assetId), number));
    await desk.progress(0);
  }
  return { odd: streamDifferences(plan, streams), streams: streams.filter((clip) => clip !== null) };
}

async function streamsIn(bytes: Blob, number: number): Promise<ClipStreams> {
  try {
    const clip = await openClip(bytes);
    try {
      return await streamsOf(clip);
    } finally {
      clip.close();
    }
  } catch (error) {
    throw new Error(`Shot ${number} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Shots whose loudness cannot be changed, since their packets are copied. */
function levelsLeft({ segments }: FilmPlan): string[] {
  const moved = segments.filter(({ gainDb }) => gainDb !== 0).map(({ number }) => number);
  if (moved.length === 0) return [];
  return [
    t`Not levelled: ${inflected(moved.length, 'shot', 'shots')} ${moved.join(', ')}. Levelling encodes the sound.`.slice(
      0,
      300,
    ),
  ];
}

/** Packets that an encoder may add beyond the film's frames. */
const RUN_UP = 16;

/** Encodes a film, pictures and sound in step. Returns sentences for the user on how. */
async function encodeFilm(
  asked: MoviePlan,
  file: FilmFile,
  desk: FilmDesk,
  { softwareOnly = false } = {},
): Promise<string[]> {
  const plan = { ...asked, ...encodedSize(asked) };
  const isSoftware = await needsSoftware(plan, softwareOnly);
  const frames = plan.segments.reduce((sum, segment) => sum + segment.frames, 0);
  const fps = plan.fps.num / plan.fps.den;
  const video = new VideoSampleSource({ codec: 'avc', quality: QUALITY_HIGH, keyFrameInterval: 1 });
  file.output.addVideoTrack(video, { frameRate: fps, maximumPacketCount: frames + RUN_UP });
  const sound = await MixTrack.open(plan, file, desk);
  await file.output.start();
  const startedAt = performance.now();
  let done = 0;
  try {
    for await (const sample of new Compositor(plan, desk).frames()) {
      await addFrame(video, sample);
      done += 1;
      await sound?.upTo(done);
      await desk.progress((99 * done) / frames);
    }
  } finally {
    await sound?.close();
  }
  await file.finish();
  const slow = isSoftware ? [slowWords(frames, performance.now() - startedAt)] : [];
  return [...(sound?.why ?? []), ...slow];
}

async function addFrame(video: VideoSampleSource, sample: VideoSample): Promise<void> {
  try {
    await video.add(sample);
  } finally {
    sample.close();
  }
}

function slowWords(frames: number, ms: number): string {
  const perSecond = (frames * 1_000) / Math.max(1, ms);
  const speed = perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
  return t`This browser cannot encode H.264. A slower encoder was used: ${speed} frames a second.`;
}
