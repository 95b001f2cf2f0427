import { toSend } from '../../../shared/board/assignReferences.ts';
import {
  type Board,
  missingOfShot,
  requestOfShot,
  type Shot,
  type ShotToSend,
  takesOf,
} from '../../../shared/board/board.ts';
import { castReferencesToCompare } from '../../../shared/board/castReferences.ts';
import { type ChainLink, linkChain } from '../../../shared/board/chain.ts';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import {
  fail,
  ok,
  parseInput,
  type Reason,
  type Result,
  refuse,
  type StudioError,
} from '../../../shared/contract/result.ts';
import { type FilmFacts, type FilmShot, filmOf } from '../../../shared/film/film.ts';
import type { Profile } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { type VideoRequest, videoRequestSchema } from '../../../shared/kinds/video.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { MediaRef } from '../../../shared/library/mediaRef.ts';
import { en } from '../../../shared/text/texts.ts';
import type { Engine } from '../jobs/index.ts';
import { assetById } from '../library/index.ts';
import type { Clock, Ids } from '../ports.ts';
import { earlierResult, keyedCall, onceByKey } from '../requestKeys/index.ts';
import type { ReadDb, Store, WriteDb } from '../store/index.ts';
import * as table from './boardTable.ts';

/** Takes of several shots: their jobs and the board are written in one transaction. */

type TakesInput = CallParsed<'storyboard.makeTakes'>;

interface PlannedTake extends ChainLink {
  request: VideoRequest;
  /** The take that is used until the new one is made. */
  meanwhile: Shot['meanwhile'];
}

interface Deps {
  store: Store;
  ids: Ids;
  clock: Clock;
  engine: Pick<Engine, 'commands' | 'queries'>;
}

export const noSuchShot = fail('not_found', 'There is no such shot.');
export const changedMeanwhile = fail(
  'conflict',
  en`The board was changed while its pictures were examined. Nothing was sent.`,
);

/** Enqueues a take of each shot, each from the takes of the shots that it starts from. */
export async function makeTakes(deps: Deps, input: TakesInput): Promise<Result<{ jobs: Job[]; board: Board }>> {
  const { store, engine, ids, clock } = deps;
  const call = keyedCall('storyboard.makeTakes', input);
  const earlier = earlierResult<string[]>(store.read, call);
  if (earlier) return earlier.ok ? takesMade(deps, input.projectId, earlier.data) : earlier;
  const newIds = new Map<string, string>();
  const newId = (shotId: string): string => {
    const id = newIds.get(shotId) ?? ids.id('job');
    newIds.set(shotId, id);
    return id;
  };
  const planned = planTakes(deps, store.read, input, newId);
  if (!planned.ok) return planned;
  const validated = await validate(deps, planned.data.takes);
  if (!validated.ok) return validated;
  const write = (db: WriteDb): Result<string[]> => {
    // The board may have changed while the pictures were examined: a take that no shot refers to would be paid for and never seen.
    const again = planTakes(deps, db, input, newId);
    if (!again.ok) return again;
    const { board, takes } = again.data;
    return JSON.stringify(takes) === JSON.stringify(planned.data.takes)
      ? writeTakes(deps, db, input, { board, takes, profile: validated.data })
      : changedMeanwhile;
  };
  const written = store.transaction((db) => onceByKey(db, call, clock.now(), () => write(db)));
  if (!written.ok) return written;
  const { made, isRepeat } = written.data;
  if (!isRepeat) engine.commands.announce();
  return takesMade(deps, input.projectId, made);
}

function writeTakes(
  { engine, clock }: Deps,
  db: WriteDb,
  { projectId, night, shown }: TakesInput,
  { board, takes, profile }: { board: Board; takes: readonly PlannedTake[]; profile: Profile },
): Result<string[]> {
  const requests = takes.map(({ request }) => request);
  const ids = takes.map(({ jobId }) => jobId);
  const jobIds = engine.commands.write(db, profile, { requests, projectId, night, shown, ids });
  if (jobIds.ok) table.writeBoard(db, withTakes(board, takes), clock.now());
  return jobIds;
}

/** The takes and their present board, even of a removed project. */
function takesMade(
  { store, engine }: Deps,
  projectId: string,
  jobIds: readonly string[],
): Result<{ jobs: Job[]; board: Board }> {
  const board = table.readBoard(store.read, projectId);
  if (!board) return fail('not_found', 'There is no such project.');
  const jobs = jobIds.flatMap((id) => {
    const job = engine.queries.get(id);
    return job.ok ? [job.data] : [];
  });
  return ok({ jobs, board });
}

function planTakes(
  { engine }: Deps,
  db: ReadDb,
  { projectId, shotIds }: TakesInput,
  newId: (shotId: string) => string,
): Result<{ board: Board; takes: PlannedTake[] }> {
  const board = table.readOpenBoard(db, projectId);
  const wanted = new Set(shotIds);
  const known = board?.shots.filter(({ id }) => wanted.has(id)) ?? [];
  if (!board || known.length !== wanted.size) return noSuchShot;
  const takes: PlannedTake[] = [];
  for (const { request, ...take } of linkedTakes(sourceIn(db, engine), board, wanted, newId)) {
    if (!request.ok) return shotIds.length > 1 ? ofShot(take.index, request) : request;
    takes.push({ ...take, request: request.data });
  }
  return ok({ board, takes });
}

/** A take to make: its request, or the reason why it cannot be made. */
export type LinkedTake = Omit<PlannedTake, 'request'> & { request: Result<VideoRequest> };

/** A take of each of these shots in the order of making, each from the takes of the shots that it starts from. `only`: just this one. */
export function linkedTakes(
  source: FilmSource,
  board: Pick<Board, 'shots' | 'cast'>,
  shotIds: ReadonlySet<string>,
  newId: (shotId: string) => string,
  only?: string,
): LinkedTake[] {
  const { film, assets } = readFilm(board, source);
  const links = linkChain(film, shotIds, assets, { newId, isWhole: true });
  const wanted = only === undefined ? links : links.filter(({ shot }) => shot.id === only);
  return wanted.map((link) => ({
    ...link,
    request: requestOf(toSend(link.shot, board.cast)),
    meanwhile: playingOf(film[link.index]),
  }));
}

export const sourceIn = (db: ReadDb, { queries }: Pick<Engine, 'queries'>): FilmSource => ({
  job: (id) => {
    const job = queries.get(id);
    return job.ok ? job.data : undefined;
  },
  asset: (id) => assetById(db, id),
});

/** The request of a shot, or the reason why there is none. */
export function requestOf(shot: ShotToSend): Result<VideoRequest> {
  const [missing, ...more] = missingOfShot(shot);
  if (missing) return refuse([missing, ...more] as [Reason, ...Reason[]]);
  return parseInput(videoRequestSchema, requestOfShot(shot));
}

/** Validates all of them for one profile, which is returned. */
async function validate({ engine }: Deps, takes: readonly PlannedTake[]): Promise<Result<Profile>> {
  let profile: Profile | undefined;
  const planned = new Map(takes.map(({ jobId, request }) => [jobId, request]));
  for (const { index, request } of takes) {
    const validated = await engine.commands.validate({ requests: [request] }, { planned, profile });
    if (!validated.ok) return takes.length > 1 ? ofShot(index, validated) : validated;
    profile = validated.data;
  }
  return profile ? ok(profile) : noSuchShot;
}

/** The error with the index of its shot, if there are several. */
const ofShot = (index: number, { error }: { error: StudioError }): Result<never> =>
  fail(error.code, `Shot ${index + 1}: ${error.message}`, error.data);

function withTakes(board: Board, takes: readonly PlannedTake[]): Board {
  const byId = new Map(takes.map((take) => [take.shot.id, take]));
  const shots = board.shots.map((shot) => {
    const take = byId.get(shot.id);
    return take ? withPlayingTake(take) : shot;
  });
  return { ...board, shots };
}

/** The shot with the new take selected. Until that is made, and if it fails, the present take stays in use. */
export function withPlayingTake({
  shot: { activeOutput: _, kept: __, ...shot },
  jobId,
  meanwhile,
}: Pick<PlannedTake, 'shot' | 'jobId' | 'meanwhile'>): Shot {
  return { ...shot, takes: [...shot.takes, jobId], activeTake: jobId, ...(meanwhile ? { meanwhile } : {}) };
}

function playingOf(side: FilmShot | undefined): Shot['meanwhile'] {
  const { jobId: take, job, clipIndex } = side?.active ?? {};
  if (take === undefined || job?.state !== 'succeeded') return undefined;
  return clipIndex ? { take, output: clipIndex } : { take };
}

/** The shot for a single new take: a chosen link uses the take that plays before it, or will play. */
export function linkedShot(
  { store, engine }: Pick<Deps, 'store' | 'engine'>,
  board: Board | undefined,
  shot: Shot,
): Shot {
  if (!board || shot.joint === undefined || shot.joint === 'cut') return shot;
  const { film, assets } = readFilm(board, sourceIn(store.read, engine));
  const options = { newId: () => shot.id, isWhole: false };
  return linkChain(film, new Set([shot.id]), assets, options)[0]?.shot ?? shot;
}

/** Reads jobs and assets of a board: inside a transaction, or through their modules. */
export interface FilmSource {
  job(id: string): Job | undefined;
  asset(id: string): Asset | undefined;
}

/**
 * The shots with their takes and the take in use, and all data to judge them: the jobs of all takes and inputs, their results and sources,
 * and the pictures of the cast.
 */
export function readFilm(
  { shots, cast = [] }: Pick<Board, 'shots' | 'cast'>,
  source: FilmSource,
): FilmFacts & { film: FilmShot[] } {
  const jobs = new Map<string, Job>();
  const assets = new Map<string, Asset>();
  const add = (id: string | undefined): void => {
    const asset = id === undefined || assets.has(id) ? undefined : source.asset(id);
    if (!asset) return;
    assets.set(asset.id, asset);
    framesOf(asset).forEach(add);
  };
  const refs = shots.flatMap(refsOf);
  const named = refs.flatMap((ref) => ('jobId' in ref ? ref.jobId : []));
  for (const id of new Set([...shots.flatMap(takesOf), ...named])) {
    const job = source.job(id);
    if (!job) continue;
    jobs.set(id, job);
    for (const output of job.outputs) {
      assets.set(output.id, output);
      framesOf(output).forEach(add);
    }
    for (const input of job.inputs ?? []) add(input.assetId);
  }
  for (const ref of refs) if ('assetId' in ref) add(ref.assetId);
  const film = filmOf(shots, { jobs, assets });
  for (const ref of castReferencesToCompare(film, cast)) if ('assetId' in ref) add(ref.assetId);
  return { film, jobs, assets };
}

const framesOf = ({ lastFrameId, outFrames = {} }: Asset) => [lastFrameId, ...Object.values(outFrames)];

const refsOf = ({ image, lastFrame, video, referenceImages }: Shot): MediaRef[] =>
  [image, lastFrame, video, ...referenceImages].filter((ref) => ref !== undefined);
