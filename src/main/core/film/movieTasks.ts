import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { durationWords } from '../../../shared/contract/duration.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { MoviePlan } from '../../../shared/film/filmExport.ts';
import { encodedSize } from '../../../shared/film/filmFormat.ts';
import {
  FILM_PIECE_BYTES,
  type FilmMode,
  type FilmProvenance,
  type FilmReport,
  type FilmTask,
} from '../../../shared/film/filmTask.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { en } from '../../../shared/text/texts.ts';
import type { HowMade } from '../exports/index.ts';
import { type ClipFacts, FileTimeout, withTimeout } from '../library/index.ts';
import type { Clock, Ids, Logger } from '../ports.ts';

interface MovieTasksDeps {
  clock: Clock;
  ids: Ids;
  log: Logger;
  emit(event: StudioEvent): void;
  /** 0 if it is not on this disk. */
  bytesOf(assetId: string): number;
  /** Reads a film in a separate process; null if it cannot be read. */
  readBack(file: string): Promise<ClipFacts | null>;
}

interface MovieExport {
  plan: MoviePlan;
  options: MovieOptions;
  /** Set while a page makes it; new for each claim. */
  taskId?: string;
  beatAt: number;
  tries: number;
  /** Consecutive announcements without a claim of any film. */
  unclaimed: number;
  /** The part file, open while a page makes it. */
  part?: FileHandle;
  /** Pending calls on the part file: the next page gets it once they have ended. */
  calls: Promise<unknown>;
  /** Written bytes, rewritten ones included. */
  written: number;
  end(result: Result<HowMade>): void;
}

const MAX_TRIES = 3;
/** A film is announced every minute. */
const MAX_UNCLAIMED = 10;
/** Room on the disk besides the clips: the index, and encoding at 64 Mbit/s. */
const SPARE_BYTES = 64 * 1024 * 1024;
const BYTES_PER_SECOND = 8 * 1024 * 1024;

const noPage = fail(
  'internal',
  en`No page began to make the film in ${MAX_UNCLAIMED} minutes. Open Dailies anew and export again; making it costs nothing.`,
);
const lostTask = fail('not_found', en`task: this film is not made here any more.`);

/**
 * Films made by the media page. The page is untrusted: it writes only, and within limits, into the part file of a film that it claimed, and
 * a separate process verifies the result. A page that leaves returns the film, and one that is silent too long loses it: the next page
 * starts over.
 */
export class MovieTasks {
  private readonly deps: MovieTasksDeps;
  private readonly movies = new Set<MovieExport>();
  private isWatching = false;
  /** Pixels per second of the software encoder, if only that one works and it was measured. */
  encoderSpeed: number | undefined;

  constructor(deps: MovieTasksDeps) {
    this.deps = deps;
  }

  make(plan: MoviePlan, options: MovieOptions): Promise<Result<HowMade>> {
    return new Promise((resolve) => {
      const fresh = { beatAt: 0, tries: 0, unclaimed: 0, written: 0, calls: Promise.resolve() };
      const movie: MovieExport = { plan, options, ...fresh, end: resolve };
      const canceled = () => this.end(movie, fail('wrong_state', en`The export was canceled.`));
      movie.end = (result) => {
        options.signal.removeEventListener('abort', canceled);
        resolve(result);
      };
      this.movies.add(movie);
      if (options.signal.aborted) return canceled();
      options.signal.addEventListener('abort', canceled);
      this.deps.emit({ type: 'media.work' });
      this.watch();
    });
  }

  /** The next film, for one page only. */
  async claim(): Promise<FilmTask | null> {
    this.releaseSilent();
    const movie = [...this.movies].find(({ taskId }) => taskId === undefined);
    if (!movie) return null;
    for (const each of this.movies) each.unclaimed = 0;
    movie.tries += 1;
    if (movie.tries > MAX_TRIES) {
      this.end(movie, fail('internal', en`No page could make the film, in ${MAX_TRIES} tries.`));
      return this.claim();
    }
    const { plan, options } = movie;
    const id = this.deps.ids.secret();
    movie.taskId = id;
    movie.beatAt = this.deps.clock.now();
    movie.written = 0;
    this.watch();
    await this.inTurn(movie, async () => {
      movie.part = await open(options.partPath, 'w');
    });
    if (!this.movies.has(movie)) return this.claim();
    // The page left meanwhile.
    if (movie.taskId !== id) return null;
    return {
      id,
      plan,
      mode: options.mode,
      ...(options.title === undefined ? {} : { title: options.title }),
      ...(options.provenance ? { provenance: options.provenance } : {}),
    };
  }

  beat(taskId: string, progress: number): Result<null> {
    const movie = this.claimed(taskId);
    if (!movie) return lostTask;
    movie.beatAt = this.deps.clock.now();
    movie.options.onProgress(progress / 100);
    return ok(null);
  }

  /** Writes bytes of a film at an offset. */
  async write(taskId: string, at: number, body: Readable): Promise<Result<null>> {
    const bytes = await pieceOf(body);
    // Another page may have got the film meanwhile.
    const movie = this.claimed(taskId);
    if (!movie) return lostTask;
    if (!bytes) return fail('too_large', en`A piece of a film has at most ${FILM_PIECE_BYTES} bytes.`);
    const most = this.mostBytes(movie.plan);
    movie.written += bytes.length;
    if (!Number.isSafeInteger(at) || at < 0 || at + bytes.length > most || movie.written > 2 * most) {
      return fail('invalid_input', en`at: the film would be larger than its clips explain.`, { field: 'at' });
    }
    await this.inTurn(movie, () => writeAll(movie.part, bytes, at));
    if (movie.taskId !== taskId) return lostTask;
    movie.beatAt = this.deps.clock.now();
    return ok(null);
  }

  /** With a report, the written film is verified; with an error, the film cannot be made. */
  finish(taskId: string, report: FilmReport | undefined, error: string | undefined): Result<null> {
    const movie = this.claimed(taskId);
    if (!movie) return lostTask;
    delete movie.taskId;
    this.movies.delete(movie);
    if (report === undefined) this.end(movie, fail('wrong_state', error ?? en`The film could not be made.`));
    else void this.readBack(movie, report).then((result) => this.end(movie, result));
    return ok(null);
  }

  /** The page leaves: the next one gets the film. Only a crash uses up an attempt. */
  release(taskId: string, died: boolean): void {
    const movie = this.claimed(taskId);
    if (!movie) return;
    if (!died) movie.tries -= 1;
    free(movie);
    this.deps.emit({ type: 'media.work' });
  }

  private async readBack(movie: MovieExport, report: FilmReport): Promise<Result<HowMade>> {
    const { plan, options } = movie;
    if (!(await this.inTurn(movie, async () => movie.part?.sync()))) return lostTask;
    const found = await this.deps.readBack(options.partPath);
    const fault = faultOfFilm(plan, found, options.clipSeconds);
    if (fault !== undefined) return fail('internal', en`What was made is not the film: ${fault}`);
    const why = report.why.join(' ');
    return ok({ mode: report.mode, ...(why === '' ? {} : { why }) });
  }

  /** Serializes calls on the part file. False if one failed or timed out: then the film has ended. */
  private inTurn(movie: MovieExport, call: () => Promise<unknown>): Promise<boolean> {
    const done = movie.calls.then(async () => {
      try {
        await withTimeout(0, undefined, call);
        return true;
      } catch (error) {
        this.end(movie, writeFault(error));
        return false;
      }
    });
    movie.calls = done;
    return done;
  }

  private claimed(taskId: string): MovieExport | undefined {
    return [...this.movies].find((movie) => movie.taskId === taskId);
  }

  private end(movie: MovieExport, result: Result<HowMade>): void {
    this.movies.delete(movie);
    delete movie.taskId;
    closePart(movie);
    // The file is closed before it is removed.
    void movie.calls.then(() => movie.end(result));
  }

  private mostBytes({ segments }: MoviePlan): number {
    return segments.reduce(
      (sum, { assetId, seconds }) =>
        sum + seconds * BYTES_PER_SECOND + (assetId === undefined ? 0 : 2 * this.deps.bytesOf(assetId)),
      SPARE_BYTES,
    );
  }

  /** Takes films from pages that have been silent too long. */
  private releaseSilent(): void {
    const silent = [...this.movies].filter(
      ({ taskId, beatAt }) => taskId !== undefined && this.deps.clock.now() - beatAt > MEDIA_TASK_LIMIT_MS,
    );
    for (const movie of silent) {
      this.deps.log.warn({ tries: movie.tries }, 'a page that made a film is silent: the film starts over');
      free(movie);
    }
  }

  /** Announces unclaimed films again: a worker may have ended before its claim. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.deps.clock.after(MEDIA_TASK_LIMIT_MS + 1, () => {
      this.isWatching = false;
      this.releaseSilent();
      this.endUnclaimed();
      if ([...this.movies].some(({ taskId }) => taskId === undefined)) this.deps.emit({ type: 'media.work' });
      if (this.movies.size > 0) this.watch();
    });
  }

  /** A film that waits while a page makes another one is not unclaimed. */
  private endUnclaimed(): void {
    if ([...this.movies].some(({ taskId }) => taskId !== undefined)) return;
    for (const movie of [...this.movies]) {
      movie.unclaimed += 1;
      if (movie.unclaimed < MAX_UNCLAIMED) continue;
      this.deps.log.warn({ announced: movie.unclaimed }, 'no page claims a film: it is given up');
      this.end(movie, noPage);
    }
  }
}

/** Null if it is too large. It is still read to the end, or the answer would be lost with the connection. */
async function pieceOf(body: Readable): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= FILM_PIECE_BYTES) parts.push(part);
    else parts.length = 0;
  }
  return size > FILM_PIECE_BYTES ? null : Buffer.concat(parts);
}

async function writeAll(part: FileHandle | undefined, bytes: Buffer, at: number): Promise<void> {
  for (let done = 0; part && done < bytes.length; )
    done += (await part.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
}

/** Makes the film available to the next page. */
function free(movie: MovieExport): void {
  delete movie.taskId;
  closePart(movie);
}

function closePart(movie: MovieExport): void {
  movie.calls = movie.calls.then(async () => {
    const { part } = movie;
    delete movie.part;
    if (part) await withTimeout(0, undefined, () => part.close()).catch(() => undefined);
  });
}

function writeFault(error: unknown): Result<never> {
  const { code = 'unknown error' } =
    error instanceof FileTimeout ? { code: error.message } : (error as NodeJS.ErrnoException);
  if (code === 'ENOSPC') return fail('disk_full', en`The disk became full while the film was written.`);
  return fail('internal', en`The film could not be written (${code}).`);
}

interface MovieOptions {
  /** `auto` joins without encoding if the streams match, `join` does so or refuses, `encode` always encodes. */
  mode: FilmMode;
  /** The path of the MP4, in an existing folder. The caller verifies and names it. */
  partPath: string;
  /** The title inside the file. */
  title?: string;
  provenance?: FilmProvenance;
  /** The length of the clip, for a film of one clip. */
  clipSeconds?: number | undefined;
  onProgress(share: number): void;
  signal: AbortSignal;
}

/** Samples in the longest sound packet, that of HE-AAC: the last packet may end after the film. */
const PACKET_SAMPLES = 2_048;
/** Times in seconds are sums of fractions. */
const EPSILON = 1e-3;

/**
 * Why a file is not the planned film, as one sentence. `clipSeconds`: the length of a single joined clip, whose sound may outlast its
 * pictures.
 */
export function faultOfFilm(plan: MoviePlan, found: ClipFacts | null, clipSeconds = 0): string | undefined {
  const video = found?.video;
  if (!video) return 'it cannot be read.';
  const planned = plan.segments.reduce((sum, { frames }) => sum + frames, 0);
  if (Math.abs(video.frames - planned) > 1) return `it has ${video.frames} frames instead of ${planned}.`;
  const isOfSize = ({ width, height }: Pick<MoviePlan, 'width' | 'height'>) =>
    video.width === width && video.height === height;
  if (!isOfSize(plan) && !isOfSize(encodedSize(plan))) {
    return `it is ${video.width} × ${video.height} instead of ${plan.width} × ${plan.height}.`;
  }
  const frame = plan.fps.den / plan.fps.num;
  const packet = found.audio ? PACKET_SAMPLES / found.audio.sampleRate : 0;
  const longest = Math.max(planned * frame, clipSeconds) + Math.max(frame, packet);
  if (found.seconds < (planned - 1) * frame - EPSILON || found.seconds > longest + EPSILON) {
    return `it lasts ${durationWords(found.seconds, 3)} instead of ${durationWords(planned * frame, 3)}.`;
  }
  return plan.mix.sources.length > 0 && !found.audio ? 'it has no sound.' : undefined;
}
