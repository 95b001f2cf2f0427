/** Exit codes of the command line; docs/guide/command-line.md lists them. */
export const EXIT = {
  ok: 0,
  /** An error that neither the caller nor the studio decided. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Refused, not confirmed, or above the allowed price. */
  refused: 3,
  /** No studio answers for the data folder. */
  noStudio: 4,
  /** The answer was lost: the call may have succeeded. */
  unknown: 5,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
