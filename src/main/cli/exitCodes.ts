/** What a command of the command line ends with; docs/guide/command-line.md lists them. */
export const EXIT = {
  ok: 0,
  /** Something failed that is neither the caller's nor the studio's decision. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Nothing was done: the studio refused it, it was not confirmed, or it costs more than allowed. */
  refused: 3,
  /** No studio answers for the data folder. */
  noStudio: 4,
  /** The answer was lost: what was asked for may have been done. */
  unknown: 5,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
