export const VERDICTS = ['keep', 'maybe', 'no'] as const;
export type Verdict = (typeof VERDICTS)[number];
