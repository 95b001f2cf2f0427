import { readFileSync } from 'node:fs';
import type { MediaOutcome, PollOutcome, SubmitOutcome } from '../types.ts';
import type { Script } from './delivery.ts';

/** One line of `test/fixtures/answers`: a service's answer, and its expected outcome. */
export interface Case extends Script {
  name: string;
  /** Where such an answer is described, or by which principle it is decided. */
  source?: string;
  expect: { type: string; progress?: number } & Record<string, unknown>;
}

export const casesOf = (file: string): Case[] => linesOf<Case>(file);

/** The lines of a file in `test/fixtures/answers`. */
export function linesOf<Line>(file: string): Line[] {
  const path = new URL(`../../../../../test/fixtures/answers/${file}.jsonl`, import.meta.url);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** An outcome in the form of the cases: addresses at the service without their origin, an error's fields beside the rest. */
export function outcomeAsCase(
  outcome: MediaOutcome | PollOutcome | SubmitOutcome,
  home: string,
): Record<string, unknown> {
  const { error, outputs, task, ...rest } = { error: undefined, outputs: undefined, task: undefined, ...outcome };
  const uris = (role: string) =>
    outputs?.filter((output) => output.role === role).map(({ uri }) => uri.replace(home, '')) ?? [];
  return {
    ...rest,
    ...(error
      ? {
          kind: error.kind,
          message: error.message,
          accepted: error.accepted,
          retryable: error.retryable,
          waitMs: error.retryAfterMs,
        }
      : {}),
    ...(outputs ? { uris: uris('output'), grid: uris('grid') } : {}),
    ...(task ? { id: task.id, pollPath: task.pollPath } : {}),
  };
}
