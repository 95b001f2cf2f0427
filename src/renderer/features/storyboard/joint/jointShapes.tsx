import type { ReactNode } from 'react';
import type { Joint } from '../../../../shared/board/board.ts';

const SHAPES: Record<Joint, ReactNode> = {
  cut: (
    <>
      <path d="M9 2v14" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
      <path d="M2.5 6v6M15.5 6v6" stroke="currentColor" strokeWidth="3" />
    </>
  ),
  continue: (
    <>
      <rect x="1.8" y="5.5" width="5.4" height="7" fill="currentColor" />
      <path
        d="M9 9h6.2M12.6 6.2 15.4 9l-2.8 2.8"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  transition: (
    <>
      <path d="M2 4.5v9L9 9Z" fill="currentColor" />
      <path d="M16 4.5v9L9 9Z" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </>
  ),
  extend: (
    <>
      <rect x="1.8" y="6" width="7" height="6" fill="currentColor" />
      <path d="M8.8 6h7.4v6H8.8" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.4 1.6" />
    </>
  ),
};

export function JointShape({ joint }: { joint: Joint }) {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      {SHAPES[joint]}
    </svg>
  );
}
