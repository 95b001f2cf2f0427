import type { Difference } from '../../../../shared/difference.ts';
import { clipCount, clipSeconds, type VideoRequest, video } from '../../../../shared/kinds/video.ts';
import { plural } from '../../../../shared/plural.ts';
import { chargedQuantityOf } from '../../ledger/index.ts';
import type { ReadDb } from '../../store/index.ts';
import { assetOf } from '../references.ts';
import type { JobRow } from '../row.ts';
import { eachApart, type Facts, near, shapesApart } from './compared.ts';
import type { Made, Results } from './driver.ts';

/**
 * Clips, held against what was ordered. A gateway in front of others may drop a part of the order silently, and is then billed, and
 * bills, for what was made.
 */

/** An encoder rounds to whole frames, and a model to whole groups of them. */
const SECONDS_APART = 0.5;

export function compareClips(db: ReadDb, row: JobRow, request: VideoRequest, { all, here }: Results): Made {
  const clips = here.filter(({ mime, width }) => mime.startsWith('video/') && width > 0);
  const { videos = 0, atMost } = chargedQuantityOf(row);
  const missing = Math.max(0, (atMost?.videos ?? 0) - videos);
  if (clips.length > 0) return madeClips(db, request, clips, { came: all.length, missing });
  const there = all.filter(({ refusal }) => refusal === null);
  return { differs: there.length === 0 ? [] : countOf(request, there.length) };
}

/** Fewer clips came than were ordered, and the service did not say that it filtered the others: those may be on the bill. */
export function missingClips(request: VideoRequest, came: number, filtered: number): Required<Made> | undefined {
  const made = video.made(request, came);
  const missing = clipCount(request) - made.videos - filtered;
  if (missing <= 0) return undefined;
  const most = { videos: made.videos + missing, seconds: made.seconds + missing * clipSeconds(request) };
  return { differs: countOf(request, made.videos), counted: { made, most } };
}

/** What came: `came` counts all results, those that are not on this machine included; `missing` those that may be billed and did not come. */
interface Came {
  came: number;
  missing: number;
}

function madeClips(db: ReadDb, request: VideoRequest, outputs: readonly Facts[], { came, missing }: Came): Made {
  // A service may name one file twice.
  const clips = outputs.filter(({ sha256 }, at) => outputs.findIndex((other) => other.sha256 === sha256) === at);
  const { resolution, aspectRatio, generateAudio } = request.config ?? {};
  const length = lengthOf(db, request);
  const differs = [
    ...countOf(request, came),
    ...eachApart(clips, (clip) => secondsOf(clip, length)),
    ...eachApart(clips, (clip) => linesOf(clip, resolution)),
    ...shapesApart(clips, aspectRatio),
    ...eachApart(clips, (clip) => soundOf(clip, generateAudio)),
  ];
  const videos = Math.max(video.made(request, came).videos, clips.length);
  const rest = (videos - clips.length) * length.ordered;
  const seconds = clips.map((clip) => billedSeconds(clip, length));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, rest);
  const asOrdered = sum(seconds.map((count) => Math.max(length.ordered, count)));
  const most = { videos: videos + missing, seconds: asOrdered + missing * length.ordered };
  return { differs, counted: { made: { videos, seconds: sum(seconds) }, most } };
}

/** How long a clip was ordered. An extension comes alone, or with its source in front (spec 2.4). */
interface Length {
  ordered: number;
  source: 'none' | 'unknown' | number;
}

function lengthOf(db: ReadDb, request: VideoRequest): Length {
  const ordered = clipSeconds(request);
  if (!request.video) return { ordered, source: 'none' };
  return { ordered, source: assetOf(db, request.video)?.seconds ?? 'unknown' };
}

/** Part of a second is billed as one, but not the frames that an encoder adds; of an extension only what was added. */
function billedSeconds(clip: Facts, length: Length): number {
  if (!secondsOf(clip, length)) return length.ordered;
  const { seconds } = clip;
  const source = typeof length.source === 'number' && (seconds ?? 0) > length.source ? length.source : 0;
  return Math.max(1, Math.ceil((seconds ?? 0) - source - SECONDS_APART));
}

function secondsOf({ seconds }: Facts, { ordered, source }: Length): Difference | undefined {
  if (seconds === null || source === 'unknown') return undefined;
  const asOrdered = source === 'none' ? [ordered] : [ordered, source + ordered];
  if (asOrdered.some((length) => Math.abs(seconds - length) <= SECONDS_APART)) return undefined;
  return { what: 'seconds', ordered: `${ordered} s`, made: `${Math.round(seconds * 10) / 10} s` };
}

function linesOf({ width, height }: Facts, resolution: string | undefined): Difference | undefined {
  const lines = Number.parseInt(resolution ?? '', 10);
  if (!resolution || near(Math.min(width, height), lines)) return undefined;
  return { what: 'size', ordered: resolution, made: `${width} × ${height}` };
}

function soundOf({ audio }: Facts, ordered: boolean | undefined): Difference | undefined {
  if (ordered === undefined || audio === null || (audio === 1) === ordered) return undefined;
  const words = (sound: boolean) => (sound ? 'with sound' : 'without sound');
  return { what: 'audio', ordered: words(ordered), made: words(!ordered) };
}

/** Copies of one file are several results all the same: only how many came is compared here. */
function countOf(request: VideoRequest, came: number): Difference[] {
  const ordered = clipCount(request);
  const words = (count: number) => plural(count, 'clip');
  return came === ordered ? [] : [{ what: 'count', ordered: words(ordered), made: words(came) }];
}
