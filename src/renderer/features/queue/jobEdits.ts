import { create } from 'zustand';

/** What is written over the request of a job, and not saved yet. */
export interface JobEdits {
  /** By field, as in `config.seed`. */
  edits: ReadonlyMap<string, unknown>;
  /** The request that was looked at when each of these was written. */
  seen: object;
}

/** By job: a dialog that is left by Escape or a click beside it loses nothing of it. */
const useEdits = create<{ byJob: ReadonlyMap<string, JobEdits> }>()(() => ({ byJob: new Map() }));

export const useJobEdits = (jobId: string): JobEdits | undefined => useEdits(({ byJob }) => byJob.get(jobId));

export const jobEditsOf = (jobId: string): JobEdits | undefined => useEdits.getState().byJob.get(jobId);

export const setJobEdits = (jobId: string, edits: JobEdits): void =>
  useEdits.setState(({ byJob }) => ({ byJob: new Map(byJob).set(jobId, edits) }));

export const forgetJobEdits = (jobId: string): void =>
  useEdits.setState(({ byJob }) => ({ byJob: new Map([...byJob].filter(([id]) => id !== jobId)) }));

/** What was written when it was saved is in the request now; what was written since then lies over that. */
export function keepNewerEdits(jobId: string, saved: JobEdits | undefined, request: object): void {
  const now = jobEditsOf(jobId);
  if (now === undefined || now === saved) forgetJobEdits(jobId);
  else setJobEdits(jobId, { ...now, seen: request });
}
