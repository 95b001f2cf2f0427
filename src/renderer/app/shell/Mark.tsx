/** The sign of the program. */
export function Mark() {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <rect x="2.5" y="4.5" width="15" height="11" fill="none" stroke="var(--text-1)" strokeWidth="1.4" />
      <path d="M6.5 4.5v11M13.5 4.5v11" stroke="var(--text-1)" strokeWidth="1.4" />
      <rect x="8.4" y="7.4" width="3.2" height="5.2" fill="var(--accent)" />
    </svg>
  );
}
