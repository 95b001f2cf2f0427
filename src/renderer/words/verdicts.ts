import type { Verdict } from '../../shared/job.ts';
import { t } from '../../shared/texts.ts';

/** The user's verdict: `label` on its button, `judged` on what has it. */
export const VERDICT_WORDS = {
  keep: { label: t`Keep`, judged: 'kept' },
  maybe: { label: t`Maybe`, judged: 'maybe' },
  no: { label: t`No`, judged: t`not kept` },
} as const satisfies Record<Verdict, { label: string; judged: string }>;

export const NOT_JUDGED = t`Not rated`;
