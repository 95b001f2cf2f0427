import type { Board } from '../../../shared/board/board.ts';
import type { CastMember } from '../../../shared/board/cast.ts';
import { type StaleCause, statesOf } from '../../../shared/board/shotLinks.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { codecWord, isDecodedEverywhere } from '../../../shared/film/codecNames.ts';
import type { FilmShot, FilmTake } from '../../../shared/film/film.ts';
import { standInOf } from '../../../shared/film/standIn.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ClipFacts, Library } from '../library/index.ts';
import type { MediaFile } from '../ports.ts';
import { readFilm } from '../storyboard/index.ts';

export interface FilmShotsDeps {
  library: Pick<Library, 'open' | 'clipFacts' | 'get'>;
  getJob(id: string): Result<Job>;
}

/** A shot with its active take and the content of that take's file. */
export interface CheckedShot extends FilmShot {
  /** Counts from 1, skipped shots included. */
  number: number;
  /** The outdated sources of its take, as the end of "made from"; empty if it is up to date or kept. */
  staleSources: string[];
  /** The clip's file, if it is on this disk. */
  file: MediaFile | undefined;
  facts: ClipFacts | undefined;
  /** Why its clip cannot be decoded here, as the end of a sentence about the shot. */
  undecodable?: string | undefined;
  /** The id of the picture that replaces a missing clip. */
  standIn?: string | undefined;
}

export type ReadyShot = CheckedShot & {
  active: FilmTake & { clip: Asset };
  file: MediaFile;
  facts: ClipFacts & { video: NonNullable<ClipFacts['video']> };
};

export const isReady = (one: CheckedShot): one is ReadyShot =>
  one.active?.job?.state === 'succeeded' &&
  one.active.clip !== undefined &&
  one.file !== undefined &&
  one.undecodable === undefined &&
  one.facts?.video !== undefined;

/** The shots in order, without skipped ones. */
export async function checkedShots(board: Board, deps: FilmShotsDeps): Promise<CheckedShot[]> {
  const { film, jobs, assets } = readFilm(board, {
    job: (id) => dataOf(deps.getJob(id)),
    asset: (id) => dataOf(deps.library.get(id)),
  });
  const states = statesOf(film, { assets, cast: board.cast });
  const shots: CheckedShot[] = [];
  for (const [index, one] of film.entries()) {
    if (one.shot.skipped) continue;
    const number = index + 1;
    const standIn = standInOf(one, shots.at(-1), { jobs, assets });
    const staleSources = sourcesOf(states[index]?.causes ?? [], board.cast ?? []);
    const file = await fileOf(one, deps);
    shots.push({
      ...one,
      number,
      staleSources,
      standIn,
      ...file,
      undecodable: undecodableIn({ ...one, number }, file.facts),
    });
  }
  return shots;
}

/** A clip with a thumbnail was decoded here. Muted sound need not be decoded. */
function undecodableIn(
  { shot, active, number }: FilmShot & { number: number },
  facts: ClipFacts | undefined,
): string | undefined {
  const { video, audio } = facts ?? {};
  if (video && !isDecodedEverywhere(video.codec) && active?.clip?.thumbnailId === undefined)
    return t`The take of shot ${number} is ${codecWord(video.codec)}. Convert it to H.264, or choose another take.`;
  if (video && audio && !shot.ownSound?.isOff && !isDecodedEverywhere(audio.codec))
    return t`The sound of shot ${number} is ${codecWord(audio.codec)}. Convert it to AAC, or turn it off.`;
  return undefined;
}

const dataOf = <T>(result: Result<T>): T | undefined => (result.ok ? result.data : undefined);

function sourcesOf(causes: readonly StaleCause[], cast: readonly CastMember[]): string[] {
  const members = new Set(causes.flatMap((cause) => (cause.why === 'sheet' ? cause.memberId : [])));
  const pictures = cast.filter(({ id }) => members.has(id)).map(({ name }) => t`an old picture of ${safeName(name)}`);
  const hasTake = causes.some(({ why }) => why !== 'sheet');
  return [...(hasTake ? [t`an old take`] : []), ...pictures];
}

async function fileOf({ active }: FilmShot, { library }: FilmShotsDeps): Promise<Pick<CheckedShot, 'file' | 'facts'>> {
  const opened = active?.clip && library.open(active.clip.id);
  if (!active?.clip || !opened?.ok) return { file: undefined, facts: undefined };
  return { file: opened.data, facts: (await library.clipFacts(active.clip.id)) ?? undefined };
}
