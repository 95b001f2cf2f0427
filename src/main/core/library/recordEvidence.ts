import type { MediaMeasures } from '../../../shared/film/measures.ts';
import { findingsOf } from '../../../shared/triage/findings.ts';
import { SHIPPED_TRIAGE_LIMITS } from '../../../shared/triage/limits.ts';
import { addRecord } from '../evidence/index.ts';
import type { WriteDb } from '../store/index.ts';
import type { AssetRow } from './assetColumns.ts';
import type { StoredFile } from './content/contentStore.ts';

/** The library's entries in the record of the job that made a file. Imported files have no job. */

type Result = Pick<AssetRow, 'job_id' | 'output_index'>;

export function recordFetched(db: WriteDb, { job_id: jobId, output_index: output }: Result, file: StoredFile): void {
  if (jobId === null) return;
  const { sha256, bytes, mime, width, height, seconds, audio } = file;
  const facts = { output: output ?? 0, bytes, sha256, mime, width, height, seconds, sound: audio };
  addRecord(db, { jobId, what: 'fetched', facts });
}

/** The result will not arrive. `refusal`: its address answered that the request was refused. */
export function recordGone(db: WriteDb, { job_id: jobId, output_index: output }: Result, refusal?: string): void {
  if (jobId !== null) addRecord(db, { jobId, what: 'gone', facts: { output: output ?? 0, refusal } });
}

/** In thousandths, so that no record depends on how a number is written. */
const thousandths = (seconds: number): number => Math.round(seconds * 1000);

/** Measures of a result: pictures, rate, and where it is black or frozen. */
export function recordInspected(
  db: WriteDb,
  { job_id: jobId, output_index: output, sha256 }: Result & Pick<AssetRow, 'sha256'>,
  measures: MediaMeasures,
): void {
  if (jobId === null) return;
  const { pictures, seconds, sound } = measures;
  const spans = findingsOf(measures, SHIPPED_TRIAGE_LIMITS).filter(({ kind }) => kind === 'black' || kind === 'frozen');
  addRecord(db, {
    jobId,
    what: 'inspected',
    facts: {
      output: output ?? 0,
      sha256,
      ms: thousandths(seconds),
      ...(pictures
        ? {
            width: pictures.width,
            height: pictures.height,
            frames: pictures.frames,
            milliFps: thousandths(pictures.fps),
          }
        : {}),
      sound: sound !== undefined,
      spans: spans.map(({ kind, at, to = at }) => ({ kind, fromMs: thousandths(at), toMs: thousandths(to) })),
    },
  });
}
