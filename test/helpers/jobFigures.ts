import type { JobFigures } from '../../src/shared/evidence/figures.ts';

/** The figures of a video made as requested, at $0.40, with overrides. */
export const aJobFigures = (more: Partial<JobFigures> = {}): JobFigures => ({
  ...{ kind: 'video', model: 'video-standard', settings: '4 s, 1080p', orderedAt: Date.UTC(2026, 11, 2, 0, 4) },
  ...{ attempts: 1, outcome: 'made', operation: 'op_1', chargedNano: 0, doubtNano: 0, differs: [], compared: true },
  ordered: { nano: 400_000_000, lowNano: 400_000_000 },
  due: { nano: 400_000_000, lowNano: 400_000_000 },
  made: { results: 1, bytes: 12, sha256s: ['d1409c'] },
  ...more,
});
