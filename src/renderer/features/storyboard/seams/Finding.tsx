import type { SeamMeasure } from './seam.ts';

const SHAPES: Record<SeamMeasure['finding'], React.ReactNode> = {
  level: <path d="M.8 7h12.4" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />,
  step: (
    <path
      d="M.8 10.6H7V3.4h6.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  none: <path d="M.8 7h12.4" stroke="currentColor" strokeWidth="1.8" strokeDasharray="2.4 2.6" />,
};
const SPOKEN: Record<SeamMeasure['finding'], string> = { level: 'meets', step: 'jumps', none: '' };

/** A level line meets, a step jumps, a broken line is not measured. All neutral in hue: a finding is no failure. */
export function Finding({ of: { finding }, text, strong }: { of: SeamMeasure; text: string; strong?: boolean }) {
  return (
    <span className="find1">
      <svg className="g" viewBox="0 0 14 14" aria-hidden="true">
        {SHAPES[finding]}
      </svg>
      <span className="vh">{SPOKEN[finding]} </span>
      {strong ? <b>{text}</b> : text}
    </span>
  );
}
