import type { Difference } from '../../../../shared/difference.ts';
import { clipCount, clipSeconds, type VideoRequest, video } from '../../../../shared/kinds/video.ts';
import { plural } from '../../../../shared/plural.ts';
import { chargedQuantityOf } from '../../ledger/index.ts';
import type { ReadDb } from '../../store/index.ts';
import { assetOf } from '../references.ts';
import type { JobRow } from '../row.ts';
import { aspectDifferences, differencesOf, type FileFacts, isNear } from './differences.ts';
import type { Comparison, Results } from './driver.ts';

/**
 * Clips, held against what was ordered. A gateway in front of others may drop a part of the order silently, and is then billed, and
 * bills, for what was made.
 */

/** An encoder rounds to whole frames, and a model to whole groups of them. */
const SECONDS_TOLERANCE = 0.5;

export function compareClips(db: ReadDb, row: JobRow, request: VideoRequest, { all, here }: Results): Comparison {
  const clips = here.filter(({ mime, width }) => mime.startsWith('video/') && width > 0);
  const { videos = 0, atMost } = chargedQuantityOf(row);
  const missing = Math.max(0, (atMost?.videos ?? 0) - videos);
  if (clips.length > 0) return compareFiles(db, request, clips, { received: all.length, missing });
  const there = all.filter(({ refusal }) => refusal === null);
  return { differs: there.length === 0 ? [] : countDifference(request, there.length) };
}

/** Fewer clips came than were ordered, and the service did not say that it filtered the others: those may be on the bill. */
export function missingClips(request: VideoRequest, came: number, filtered: number): Required<Comparison> | undefined {
  const made = video.made(request, came);
  const missing = clipCount(request) - made.videos - filtered;
  if (missing <= 0) return undefined;
  const most = { videos: made.videos + missing, seconds: made.seconds + missing * clipSeconds(request) };
  return { differs: countDifference(request, made.videos), counted: { made, most } };
}

/** What came: `came` counts all results, those that are not on this machine included; `missing` those that may be billed and did not come. */
interface ClipCounts {
  received: number;
  missing: number;
}

function compareFiles(
  db: ReadDb,
  request: VideoRequest,
  outputs: readonly FileFacts[],
  { received: came, missing }: ClipCounts,
): Comparison {
  // A service may name one file twice.
  const clips = outputs.filter(({ sha256 }, at) => outputs.findIndex((other) => other.sha256 === sha256) === at);
  const { resolution, aspectRatio, generateAudio } = request.config ?? {};
  const length = expectedLength(db, request);
  const differs = [
    ...countDifference(request, came),
    ...differencesOf(clips, (clip) => lengthDifference(clip, length)),
    ...differencesOf(clips, (clip) => sizeDifference(clip, resolution)),
    ...aspectDifferences(clips, aspectRatio),
    ...differencesOf(clips, (clip) => soundDifference(clip, generateAudio)),
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
interface ExpectedLength {
  ordered: number;
  source: 'none' | 'unknown' | number;
}

function expectedLength(db: ReadDb, request: VideoRequest): ExpectedLength {
  const ordered = clipSeconds(request);
  if (!request.video) return { ordered, source: 'none' };
  return { ordered, source: assetOf(db, request.video)?.seconds ?? 'unknown' };
}

/** Part of a second is billed as one, but not the frames that an encoder adds; of an extension only what was added. */
function billedSeconds(clip: FileFacts, length: ExpectedLength): number {
  if (!lengthDifference(clip, length)) return length.ordered;
  const { seconds } = clip;
  const source = typeof length.source === 'number' && (seconds ?? 0) > length.source ? length.source : 0;
  return Math.max(1, Math.ceil((seconds ?? 0) - source - SECONDS_TOLERANCE));
}

function lengthDifference({ seconds }: FileFacts, { ordered, source }: ExpectedLength): Difference | undefined {
  if (seconds === null || source === 'unknown') return undefined;
  const asOrdered = source === 'none' ? [ordered] : [ordered, source + ordered];
  if (asOrdered.some((length) => Math.abs(seconds - length) <= SECONDS_TOLERANCE)) return undefined;
  return { what: 'seconds', ordered: `${ordered} s`, made: `${Math.round(seconds * 10) / 10} s` };
}

function sizeDifference({ width, height }: FileFacts, resolution: string | undefined): Difference | undefined {
  const lines = Number.parseInt(resolution ?? '', 10);
  if (!resolution || isNear(Math.min(width, height), lines)) return undefined;
  return { what: 'size', ordered: resolution, made: `${width} × ${height}` };
}

function soundDifference({ audio }: FileFacts, ordered: boolean | undefined): Difference | undefined {
  if (ordered === undefined || audio === null || (audio === 1) === ordered) return undefined;
  const words = (sound: boolean) => (sound ? 'with sound' : 'without sound');
  return { what: 'audio', ordered: words(ordered), made: words(!ordered) };
}

/** Copies of one file are several results all the same: only how many came is compared here. */
function countDifference(request: VideoRequest, came: number): Difference[] {
  const ordered = clipCount(request);
  const words = (count: number) => plural(count, 'clip');
  return came === ordered ? [] : [{ what: 'count', ordered: words(ordered), made: words(came) }];
}
