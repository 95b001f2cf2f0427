import type { MeasuredFile, MediaMeasures } from '../film/measures.ts';
import type { Job, JobInput } from '../jobs/job.ts';
import { kindOf } from '../kinds/index.ts';
import { EXTENSION_SECONDS, startOfClip } from '../kinds/video.ts';
import type { Asset } from '../library/asset.ts';
import { mediaTypeOf } from '../library/mediaRef.ts';
import { t } from '../text/texts.ts';
import type { TriageTake } from './calls.ts';
import { findingsOf, isBroken, isSameShape, type StartFrame } from './findings.ts';
import type { TriageLimits } from './limits.ts';

/** One result of a job. */
export interface ClipResult {
  job: Job;
  asset: Asset;
  /** Counting from 0. */
  output: number;
}

/** Without a file, by what its job makes. */
export const isClip = ({ job, asset }: ClipResult): boolean =>
  asset.mime === '' ? kindOf(job).makes === 'video' : mediaTypeOf(asset.mime) === 'video';

type Given = JobInput & { end: StartFrame['end'] };

/** The frame that a clip was to begin with, among the inputs that were sent. */
export function startFrameOf({ inputs = [] }: Job): Given | undefined {
  for (const input of inputs) {
    const end = startOfClip(input.field);
    if (end) return { ...input, end };
  }
  return undefined;
}

type Files = Record<string, MeasuredFile>;

/** The list entry of a take, from the measures of its file and of the given frame. */
export function takeOf(clip: ClipResult, files: Files, limits: TriageLimits): TriageTake {
  const { job, asset, output } = clip;
  const input = startFrameOf(job);
  return {
    jobId: job.id,
    output,
    assetId: asset.id,
    sha256: asset.sha256,
    ...(job.projectId === undefined ? {} : { projectId: job.projectId }),
    ...(asset.seconds === undefined ? {} : { seconds: asset.seconds }),
    ...(input ? { given: shownGiven(input) } : {}),
    findings: [],
    ...foundIn(asset, { input, files, limits }),
  };
}

interface Known {
  input: Given | undefined;
  files: Files;
  limits: TriageLimits;
}

function foundIn(asset: Asset, { input, files, limits }: Known): Pick<TriageTake, 'state'> & Partial<TriageTake> {
  if (asset.state !== 'local') return { state: 'absent', why: absence(asset) };
  const file = files[asset.sha256];
  if (file?.state === 'failed') return { state: 'broken', why: file.message };
  if (file?.state === 'missing') return { state: 'absent', why: t`Its clip is not on this disk.` };
  const source = input && sourceOf(input, files);
  if (file?.state !== 'measured' || source === 'waiting') return { state: 'waiting' };
  const { measures } = file;
  const compared = input && source ? comparedWith(source, measures, input) : {};
  return {
    ...(asset.seconds === undefined ? { seconds: measures.seconds } : {}),
    ...(measures.tookMs === undefined ? {} : { tookMs: measures.tookMs }),
    ...compared.shown,
    ...judged(measures, limits, compared.given),
  };
}

/** The measures to compare the first frame with, or the reason why there are none. */
function comparedWith(
  source: Exclude<Source, 'waiting'>,
  measures: MediaMeasures,
  input: Given,
): { given?: StartFrame; shown?: Pick<TriageTake, 'given'> } {
  const why = whyNotCompared(source, measures, input.end);
  if (why === undefined && 'measures' in source) return { given: { measures: source.measures, end: input.end } };
  return { shown: { given: { ...shownGiven(input), ...(why === undefined ? {} : { why }) } } };
}

function judged(measures: MediaMeasures, limits: TriageLimits, given: StartFrame | undefined) {
  const findings = findingsOf(measures, limits, given);
  const state = isBroken(measures, findings) ? ('broken' as const) : findings.length > 0 ? ('look' as const) : 'clean';
  return { state, findings } satisfies Pick<TriageTake, 'state' | 'findings'>;
}

const shownGiven = ({ jobId, output, assetId, end }: Given): NonNullable<TriageTake['given']> => ({
  ...(jobId === undefined ? {} : { jobId }),
  ...(output === undefined ? {} : { output }),
  ...(assetId === undefined ? {} : { assetId }),
  end,
});

type Source = Extract<MeasuredFile, { state: 'measured' }> | 'waiting' | { why: string };

function sourceOf({ sha256, uri }: Given, files: Files): Source {
  if (sha256 === undefined)
    return {
      why: uri === undefined ? t`The image that was sent was not on this disk.` : t`The image was sent as an address.`,
    };
  const file = files[sha256];
  if (file?.state === 'measured') return file;
  if (file?.state === 'failed') return { why: file.message };
  return file?.state === 'waiting' ? 'waiting' : { why: t`The image that was sent is no longer on this disk.` };
}

function whyNotCompared(
  source: Exclude<Source, 'waiting'>,
  measures: MediaMeasures,
  end: StartFrame['end'],
): string | undefined {
  if ('why' in source) return source.why;
  if (end === 'last' && holdsSource(measures, source.measures)) return t`This take contains the clip that it extends.`;
  return isSameShape(source.measures, measures)
    ? undefined
    : t`The image that was sent has another shape than the clip.`;
}

/** Some gateways answer an extension with the whole clip, which begins like its source. */
const holdsSource = (clip: MediaMeasures, source: MediaMeasures): boolean =>
  source.seconds > 0 && Math.abs(clip.seconds - source.seconds - EXTENSION_SECONDS) <= SAME_LENGTH_S;

/** Container lengths differ from requested ones by less than this, in seconds. */
const SAME_LENGTH_S = 0.5;

const absence = ({ state, fault }: Asset): string =>
  fault ?? (state === 'expired' ? t`Its link has expired.` : t`Its file is not on this disk yet.`);
