/** The marks of a preflight. All neutral in hue: what is to be known is no failure. */

export type Mark = 'stop' | 'know' | 'odd';

const SHAPES: Record<Mark, React.ReactNode> = {
  stop: (
    <>
      <path d="M4.4 1h5.2L13 4.4v5.2L9.6 13H4.4L1 9.6V4.4Z" strokeWidth="1.4" />
      <path d="M4.2 7h5.6" strokeWidth="1.7" />
    </>
  ),
  know: (
    <>
      <circle cx="7" cy="7" r="5.6" strokeWidth="1.3" />
      <path d="M7 6.6v3.2" strokeWidth="1.5" />
      <circle cx="7" cy="4.3" r=".9" fill="currentColor" stroke="none" />
    </>
  ),
  odd: <path d="M.8 10.6H7V3.4h6.2" strokeWidth="1.8" />,
};

export function MarkGlyph({ of }: { of: Mark }) {
  return (
    <svg
      className="g"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[of]}
    </svg>
  );
}
