import type { Difference } from '../../../../shared/jobs/difference.ts';
import { clipCount, clipSeconds, type VideoRequest, video } from '../../../../shared/kinds/video.ts';
import { plural } from '../../../../shared/text/texts.ts';
import { chargedQuantityOf } from '../../ledger/index.ts';
import type { AssetRow } from '../../library/index.ts';
import type { ReadDb } from '../../store/index.ts';
import { assetOfRef } from '../references.ts';
import type { JobRow } from '../row.ts';
import type { Comparison, Results } from './driver.ts';

/** Comparisons for results of several kinds, by the facts of the verified files. */
type FileFacts = Pick<AssetRow, 'width' | 'height' | 'seconds' | 'audio' | 'sha256' | 'output_index'>;

/** Codecs round sides to multiples, such as 1088 lines for 1080. */
const RELATIVE_TOLERANCE = 0.06;

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= other * RELATIVE_TOLERANCE;

/** `ordered` in the form `16:9`; any other text is not compared. */
export function aspectDifferences(outputs: readonly FileFacts[], ordered: string | undefined): Difference[] {
  const [, across = '', down = ''] = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(ordered ?? '') ?? [];
  const shape = Number(across) / Number(down);
  if (ordered === undefined || !Number.isFinite(shape) || shape <= 0) return [];
  const seen = outputs.filter(({ width }) => width > 0);
  return differencesOf(seen, ({ width, height }) =>
    isNear(width / height, shape) ? undefined : { what: 'aspect', ordered, made: `${width} × ${height}` },
  );
}

/** The differences of all results, with the number of the result if there are several. */
function differencesOf(
  outputs: readonly FileFacts[],
  compare: (facts: FileFacts) => Difference | undefined,
): Difference[] {
  return outputs.flatMap((facts) => {
    const difference = compare(facts);
    if (!difference) return [];
    return [outputs.length > 1 ? { ...difference, output: facts.output_index ?? 0 } : difference];
  });
}

/**
 * Compares clips with their request. A gateway in front of other services may silently drop a part of the request; it is then billed for,
 * and bills, only the clip that was made.
 */

/** An encoder rounds to whole frames, and a model to whole groups of them. */
const SECONDS_TOLERANCE = 0.5;

export function compareClips(db: ReadDb, row: JobRow, request: VideoRequest, { all, here }: Results): Comparison {
  const clips = here.filter(({ mime, width }) => mime.startsWith('video/') && width > 0);
  const { videos = 0, atMost } = chargedQuantityOf(row);
  const there = all.filter(({ refusal }) => refusal === null);
  if (there.length === 0) return { differs: [] };
  // A clip that was refused was not made. A filtered one costs nothing (spec 8); of any other the service does not say whether it is billed.
  const refused = all.filter(({ refusal }) => refusal !== null && refusal !== 'moderation').length;
  const missing = Math.max(0, (atMost?.videos ?? 0) - videos) + refused;
  const isCounted = clips.length > 0 || there.length < all.length;
  if (isCounted) return compareFiles(db, request, clips, { received: there.length, missing });
  return { differs: countDifference(request, there.length) };
}

/** Fewer clips were received than requested, and the service did not report the others as filtered: those may be billed. */
export function missingClips(
  request: VideoRequest,
  received: number,
  filtered: number,
): Required<Comparison> | undefined {
  const made = video.made(request, received);
  const missing = clipCount(request) - made.videos - filtered;
  if (missing <= 0) return undefined;
  const most = { videos: made.videos + missing, seconds: made.seconds + missing * clipSeconds(request) };
  return { differs: countDifference(request, made.videos), counted: { made, most } };
}

/** `received` counts all results that were made, also those that are not on this machine; `missing` those that may be billed but were not received. */
interface ClipCounts {
  received: number;
  missing: number;
}

function compareFiles(
  db: ReadDb,
  request: VideoRequest,
  outputs: readonly FileFacts[],
  { received, missing }: ClipCounts,
): Comparison {
  // A service may return one file twice.
  const clips = outputs.filter(({ sha256 }, at) => outputs.findIndex((other) => other.sha256 === sha256) === at);
  const { resolution, aspectRatio, generateAudio } = request.config ?? {};
  const length = expectedLength(db, request);
  const differs = [
    ...countDifference(request, received),
    ...differencesOf(clips, (clip) => lengthDifference(clip, length)),
    ...differencesOf(clips, (clip) => sizeDifference(clip, resolution)),
    ...aspectDifferences(clips, aspectRatio),
    ...differencesOf(clips, (clip) => soundDifference(clip, generateAudio)),
  ];
  const videos = Math.max(video.made(request, received).videos, clips.length);
  const rest = (videos - clips.length) * length.ordered;
  const seconds = clips.map((clip) => billedSeconds(clip, length));
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, rest);
  const expected = sum(seconds.map((count) => Math.max(length.ordered, count)));
  const most = { videos: videos + missing, seconds: expected + missing * length.ordered };
  return { differs, counted: { made: { videos, seconds: sum(seconds) }, most } };
}

/** The requested length of a clip. An extension is returned alone, or with its source in front (spec 2.4). */
interface ExpectedLength {
  ordered: number;
  source: 'none' | 'unknown' | number;
}

function expectedLength(db: ReadDb, request: VideoRequest): ExpectedLength {
  const ordered = clipSeconds(request);
  if (!request.video) return { ordered, source: 'none' };
  return { ordered, source: assetOfRef(db, request.video)?.seconds ?? 'unknown' };
}

/** A part of a second is billed as a whole one, but not the frames that an encoder adds; of an extension only the added part. */
function billedSeconds(clip: FileFacts, length: ExpectedLength): number {
  if (!lengthDifference(clip, length)) return length.ordered;
  const { seconds } = clip;
  const source = typeof length.source === 'number' && (seconds ?? 0) > length.source ? length.source : 0;
  return Math.max(1, Math.ceil((seconds ?? 0) - source - SECONDS_TOLERANCE));
}

function lengthDifference({ seconds }: FileFacts, { ordered, source }: ExpectedLength): Difference | undefined {
  if (seconds === null || source === 'unknown') return undefined;
  const expected = source === 'none' ? [ordered] : [ordered, source + ordered];
  if (expected.some((length) => Math.abs(seconds - length) <= SECONDS_TOLERANCE)) return undefined;
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

/** Compares only the number of results, so copies of one file count as several. */
function countDifference(request: VideoRequest, received: number): Difference[] {
  const ordered = clipCount(request);
  const words = (count: number) => plural(count, 'clip');
  return received === ordered ? [] : [{ what: 'count', ordered: words(ordered), made: words(received) }];
}
