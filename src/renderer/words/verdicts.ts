import type { Verdict } from '../../shared/job.ts';

/** The user's verdict: `label` on its button, `judged` on what has it. */
export const VERDICT_WORDS = {
  keep: { label: 'Keep', judged: 'kept' },
  maybe: { label: 'Maybe', judged: 'maybe' },
  no: { label: 'No', judged: 'not kept' },
} as const satisfies Record<Verdict, { label: string; judged: string }>;

export const NOT_JUDGED = 'Not judged';
