import type { ReactNode } from 'react';

/** `level`: continuous; `step`: jumps; `none`: not measured; `stop`: mostly missing. */
export type FindingShape = 'level' | 'step' | 'none' | 'stop';

const line = { stroke: 'currentColor', strokeWidth: 1.8 } as const;
const SHAPES: Record<FindingShape, ReactNode> = {
  level: <path d="M.8 7h12.4" {...line} strokeLinecap="round" />,
  step: <path d="M.8 10.6H7V3.4h6.2" {...line} fill="none" strokeLinecap="round" strokeLinejoin="round" />,
  none: <path d="M.8 7h12.4" {...line} strokeDasharray="2.4 2.6" />,
  stop: (
    <>
      <path
        d="M4.4 1h5.2L13 4.4v5.2L9.6 13H4.4L1 9.6V4.4Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
      <path d="M4.2 7h5.6" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
};

/** The mark of a measurement. All are neutral in hue: a finding is no failure. */
export function FindingGlyph({ of }: { of: FindingShape }) {
  return (
    <svg className="g" viewBox="0 0 14 14" aria-hidden="true">
      {SHAPES[of]}
    </svg>
  );
}
