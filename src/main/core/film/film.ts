import type { Board } from '../../../shared/board/board.ts';
import type { CallParsed, Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Export, MoviePlan, Preflight, TimelineFormat } from '../../../shared/film/filmExport.ts';
import type { FilmProvenance } from '../../../shared/film/filmTask.ts';
import { gainTo } from '../../../shared/film/sound/levelling.ts';
import { targetOf } from '../../../shared/film/sound/levels.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { MEDIA_TASK_LIMIT_MS } from '../../../shared/library/asset.ts';
import { fileNameOf } from '../../../shared/library/fileNames.ts';
import { provenanceOfFilm } from '../../../shared/library/provenance.ts';
import { counted, en, t } from '../../../shared/text/texts.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { ExportSink, Exports, HowMade } from '../exports/index.ts';
import type { Library } from '../library/index.ts';
import type { Clock } from '../ports.ts';
import {
  type FilmSounds,
  faultOfHeardTrack,
  faultOfTrack,
  filmMixOf,
  type HeardFilm,
  type LoudnessOf,
  soundingFiles,
  soundOf,
  soundsOf,
  type TrackFacts,
  trackOf,
} from './filmMix.ts';
import { type CheckedShot, checkedShots } from './filmShots.ts';
import { burntIn, writeSubtitleFiles } from './format.ts';
import type { MovieTasks } from './movieTasks.ts';
import {
  fileOf,
  mediaNames,
  type Planned,
  planOf,
  provenanceOfShot,
  type Still,
  writeMedia,
  writeSound,
} from './plan.ts';
import { holeOf, preflightOf } from './preflight.ts';
import { TIMELINES } from './timelines/documents.ts';
import { laidTrack } from './timelines/timelineTrack.ts';

interface FilmDeps extends MeasuringDeps {
  library: Pick<Library, 'open' | 'clipFacts' | 'get' | 'measures'>;
  exports: Pick<Exports, 'start'>;
  storyboard: { get(projectId: string): Result<Board>; projectName(id: string): string | undefined };
  getJob(id: string): Result<Job>;
  movies: Pick<MovieTasks, 'make' | 'encoderSpeed'>;
}

type Asked = CallParsed<'film.export'>;

/** A board as a film: its preflight and its exports. */
export class Film {
  private readonly deps: FilmDeps;

  constructor(deps: FilmDeps) {
    this.deps = deps;
  }

  handlers(): Pick<Handlers, 'film.preflight' | 'film.export'> {
    return {
      'film.preflight': ({ projectId }) => this.preflight(projectId),
      'film.export': (input) => this.export(input),
    };
  }

  async preflight(projectId: string): Promise<Result<Preflight>> {
    const board = this.deps.storyboard.get(projectId);
    if (!board.ok) return board;
    const shots = await checkedShots(board.data, this.deps);
    const track = await this.trackOf(board.data);
    const sounds = soundsOf(soundingFiles(shots, track), this.deps.library);
    const { plan } = this.planned(shots, board.data, { holes: 'still', name: '', loudness: sounds.loudness });
    const { encoderSpeed } = this.deps.movies;
    const found = preflightOf(shots, { plan, board: board.data, track, ...sounds }, board.data.format);
    return ok({ ...found, ...(encoderSpeed === undefined ? {} : { encoderSpeed }) });
  }

  async export(asked: Asked): Promise<Result<Export>> {
    const board = this.deps.storyboard.get(asked.projectId);
    if (!board.ok) return board;
    const checked = await checkedShots(board.data, this.deps);
    // In a timeline, the editing program decodes the clips.
    const shots = asked.format === 'mp4' ? checked : checked.map((one) => ({ ...one, undecodable: undefined }));
    const { holes = 'refuse' } = asked;
    if (shots.length === 0) return fail('wrong_state', en`The film has no shots.`);
    // Undefined accepts every shot without a clip.
    const held = holes === 'refuse' ? [] : holes === 'still' ? asked.held : undefined;
    const refusal = held && refusalOfHoles(shots.filter(({ shot }) => !held.includes(shot.id)));
    if (refusal) return refusal;
    const project = this.deps.storyboard.projectName(asked.projectId) ?? 'Film';
    const name = asked.name ?? project;
    const track = await this.trackOf(board.data);
    const unclaimed = held && asked.format === 'mp4' ? refusalOfTrack(track, shots) : undefined;
    if (unclaimed) return unclaimed;
    const files = soundingFiles(shots, track);
    const plan = (): Pick<Named, 'planned' | keyof FilmSounds> => {
      const sounds = soundsOf(files, this.deps.library);
      const how = { holes: holes === 'skip' ? 'skip' : 'still', name, loudness: sounds.loudness } as const;
      return { planned: this.planned(shots, board.data, how), ...sounds };
    };
    const { planned } = plan();
    if (planned.shots.length === 0) return fail('wrong_state', en`No shot of the film has a clip.`);
    return this.start(asked, { planned, name, project, board: board.data, track, files, plan });
  }

  private async trackOf(board: Board): Promise<TrackFacts | undefined> {
    const { library } = this.deps;
    const track = trackOf(board, library);
    if (!track || faultOfTrack(track) !== undefined) return track;
    return { ...track, codec: (await library.clipFacts(track.assetId))?.audio?.codec };
  }

  private planned(
    shots: readonly CheckedShot[],
    { projectId, format, sound }: Board,
    { loudness, ...how }: { holes: 'still' | 'skip'; name: string; loudness: LoudnessOf },
  ): Planned {
    const target = targetOf(sound?.loudness);
    return planOf(shots, {
      ...how,
      format,
      projectId,
      gainOf: (one) => (target === undefined ? 0 : gainTo(soundOf(one, loudness), target)),
      stillOf: (one) => this.stillOf(one),
    });
  }

  private start(asked: Asked, { files, plan, ...film }: Unmeasured): Promise<Result<Export>> {
    const { projectId, format, folder } = asked;
    const documents = documentsOf(asked);
    const clips = film.planned.shots.reduce((sum, one) => sum + (fileOf(one)?.bytes ?? 0), 0);
    const copies = documents.length === 0 || asked.media === 'links' ? 0 : clips;
    const bytes = copies + (format === 'mp4' ? clips : 0);
    const uses = [...files, ...film.planned.shots.flatMap((one) => fileOf(one)?.sha256 ?? [])];
    const wanted = { kind: format, name: film.name, projectId, destination: folder, bytes, uses };
    return this.deps.exports.start(wanted, async (sink) => {
      if (hasLevels(asked)) await this.measure(files, sink);
      sink.progress(MEASURE_SHARE);
      return this.write(asked, { ...film, ...plan() }, sink);
    });
  }

  /** Measures everything that is to be levelled. */
  private async measure(files: readonly string[], sink: ExportSink): Promise<void> {
    const { signal } = sink;
    await whenMeasured(files, this.deps, { signal, onProgress: (share) => sink.progress(MEASURE_SHARE * share) });
    signal.throwIfAborted();
  }

  private async write(asked: Asked, film: Named, sink: ExportSink): Promise<Result<HowMade>> {
    const documents = documentsOf(asked);
    const made = asked.format === 'mp4' ? await this.makeMovie(asked, film, sink) : ok<HowMade>({});
    if (!made.ok) return made;
    const unmarked = documents.length > 0 ? await this.writeDocuments(documents, asked, film, sink) : 0;
    await writeSubtitleFiles(sink, film.board, film.planned.plan, film.name);
    const { notLevelled = [] } = documents.some(isLevelled) ? filmMixOf(heardOf(film)) : {};
    const more = notLevelled.filter((one) => !made.data.why?.includes(one));
    return ok({ ...made.data, ...whyOf(film.planned, [made.data.why, ...more, unmarkedWords(unmarked)]) });
  }

  /** All documents share one media folder. Returns how many copies could not carry provenance. */
  private async writeDocuments(
    documents: readonly TimelineFormat[],
    asked: Asked,
    film: Named,
    sink: ExportSink,
  ): Promise<number> {
    const names = mediaNames(film.planned.shots, film.project, asked.names);
    const unmarked = await writeMedia(sink, film.planned.shots, { names, asked, getJob: this.deps.getJob });
    const { plan } = film.planned;
    const heard = documents.some(isLevelled);
    const laid = heard ? await laidTrack({ ...film, plan, facts: film.track, names }, this.deps.library) : undefined;
    if (laid?.track && laid.file) await writeSound(sink, laid.track.name, laid.file, asked);
    for (const format of documents) {
      const { mime, text } = TIMELINES[format]({ ...film, names, laid, folder: sink.folder });
      await sink.writeText(`${fileNameOf(film.name)}.${format}`, mime, text);
    }
    return unmarked;
  }

  private async makeMovie(asked: Asked, film: Named, sink: ExportSink): Promise<Result<HowMade>> {
    const { planned, name, project, board, track } = film;
    const plan: MoviePlan = {
      ...planned.plan,
      mix: filmMixOf(heardOf(film)),
      words: burntIn(board, planned.plan),
    };
    const provenance = asked.provenance === false ? undefined : this.provenanceOf(planned, plan);
    const [wholeClip] =
      planned.shots.length === 1 ? planned.shots.filter(({ segment }) => segment.from === undefined) : [];
    const made = await this.deps.movies.make(plan, {
      mode: asked.mode ?? 'auto',
      title: project,
      ...(provenance ? { provenance } : {}),
      clipSeconds: wholeClip?.of.facts?.seconds,
      partPath: await sink.reserve(`${fileNameOf(name)}.mp4`, 'video/mp4'),
      onProgress: (share) =>
        sink.progress(MEASURE_SHARE + (1 - MEASURE_SHARE) * share * (documentsOf(asked).length > 0 ? FILM_SHARE : 1)),
      signal: sink.signal,
    });
    if (!made.ok) return made;
    const { why, ...rest } = made.data;
    const fault = track && faultOfHeardTrack(track);
    const gone = fault === undefined ? undefined : t`The track is left out. ${`${fault}.`}`;
    const told = [why, gone].filter((one) => one !== undefined).join(' ');
    return ok(told === '' ? rest : { ...rest, why: told });
  }

  private provenanceOf({ shots }: Planned, { mix, words }: MoviePlan): FilmProvenance | undefined {
    const { getJob } = this.deps;
    // A track is always the user's file, and words are drawn by Dailies.
    const hasMore = words.length > 0 || mix.sources.some(({ from }) => from === 'track');
    return provenanceOfFilm(
      shots.filter(fileOf).map((one) => ({ number: one.segment.number, made: provenanceOfShot(one, getJob) })),
      hasMore,
    );
  }

  /** The picture that replaces the shot, if it is on this disk. */
  private stillOf({ standIn }: CheckedShot): Still | undefined {
    if (standIn === undefined) return undefined;
    const asset = this.deps.library.get(standIn);
    const file = this.deps.library.open(standIn);
    return asset.ok && file.ok && file.data.mime.startsWith('image/')
      ? { asset: asset.data, file: file.data }
      : undefined;
  }
}

/** Measuring's share of the progress before verification. */
const MEASURE_SHARE = 0.05;
/** The film's share of the rest if documents follow. */
const FILM_SHARE = 0.85;

/** The documents of an export, each once. */
const documentsOf = ({ format, beside = [] }: Pick<Asked, 'format' | 'beside'>): TimelineFormat[] => [
  ...new Set(format === 'mp4' ? beside : [format, ...beside]),
];

/** A shot list has no levels. */
const isLevelled = (format: TimelineFormat): boolean => format !== 'csv';
const hasLevels = (asked: Asked): boolean => asked.format === 'mp4' || documentsOf(asked).some(isLevelled);

const heardOf = ({ planned: { plan }, board, track, loudness, faultOf }: Named): HeardFilm => ({
  plan,
  board,
  track,
  loudness,
  faultOf,
});

interface Named extends FilmSounds {
  planned: Planned;
  name: string;
  project: string;
  /** The board at the time of the call. */
  board: Board;
  track: TrackFacts | undefined;
}

/** A film with sounds that may not be measured yet. */
interface Unmeasured extends Omit<Named, keyof FilmSounds> {
  files: readonly string[];
  /** Plans it with the present measures. */
  plan(): Pick<Named, 'planned' | keyof FilmSounds>;
}

/** Refuses the export if the track cannot be used: a film without it is not what the user asked for. */
function refusalOfTrack(track: TrackFacts | undefined, [first]: readonly CheckedShot[]): Result<never> | undefined {
  const fault = track && faultOfHeardTrack(track);
  if (fault === undefined || !first) return undefined;
  const message = `${fault}.`;
  return fail('has_holes', en`${message} Leave it out, or lay another one.`, {
    holes: [{ shotId: first.shot.id, message }],
  });
}

function refusalOfHoles(shots: readonly CheckedShot[]): Result<never> | undefined {
  const holes = shots.flatMap((one) => {
    const hole = holeOf(one);
    return hole ? [{ shotId: one.shot.id, message: hole.words }] : [];
  });
  const [first] = holes;
  if (!first) return undefined;
  const more =
    holes.length === 1
      ? ''
      : ` So ${holes.length - 1 === 1 ? 'has 1 other shot' : `have ${holes.length - 1} other shots`}.`;
  return fail('has_holes', en`${first.message}${more} Hold a still for it, leave it out, or make it first.`, { holes });
}

const unmarkedWords = (count: number): string | undefined =>
  count === 0
    ? undefined
    : t`The media folder has ${counted(count, 'copy', 'copies')} without a note of how it was made: only MP4, PNG, JPEG and WebP can hold one.`;

/** Shots that were left out are reported. */
function whyOf({ leftOut }: Planned, why: readonly (string | undefined)[]): Pick<HowMade, 'why'> {
  const [first] = leftOut;
  const left = first
    ? t`Left out, without a clip: ${leftOut.map(({ number }) => `shot ${number}`).join(', ')}.`
    : undefined;
  const all = [...why, left].filter((one) => one !== undefined).join(' ');
  return all === '' ? {} : { why: all };
}

interface MeasuringDeps {
  library: Pick<Library, 'measures'>;
  events: CoreEvents;
  clock: Clock;
}

/** Another page may take up a lost task; after this long without progress nobody measures. */
const SILENCE_MS = 2 * MEDIA_TASK_LIMIT_MS;

/** Requests missing measures; resolves once all are there, once nobody measures, or once aborted. */
function whenMeasured(
  sha256s: readonly string[],
  { library, events, clock }: MeasuringDeps,
  { signal, onProgress }: { signal: AbortSignal; onProgress(share: number): void },
): Promise<void> {
  return new Promise((resolve) => {
    let stopWatch = (): void => undefined;
    const end = (): void => {
      stopWatch();
      events.off('mediaTask.ended', look);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const look = (): void => {
      const files = sha256s.length === 0 ? [] : Object.values(library.measures(sha256s));
      const open = files.filter(({ state }) => state === 'waiting').length;
      onProgress(1 - open / Math.max(1, files.length));
      if (open === 0 || signal.aborted) return end();
      stopWatch();
      stopWatch = clock.after(SILENCE_MS, end);
    };
    events.on('mediaTask.ended', look);
    signal.addEventListener('abort', end);
    look();
  });
}
