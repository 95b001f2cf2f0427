import type { ParseArgsOptionsConfig } from 'node:util';
import { fail, type Result, type StudioError } from '../../shared/contract/result.ts';
import { isLost, type StudioLink } from '../link/index.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';
import { printed } from './words.ts';

/** A command, for the parser, the help and the completion. */
export interface Command {
  name: string;
  /** One line for the help. */
  says: string;
  /** The positional arguments, such as `FILE`. */
  takes: readonly string[];
  options: Record<string, Option>;
  run(given: Given): Promise<Outcome>;
}

export interface Option {
  type: 'string' | 'boolean';
  /** The kind of value, such as `FOLDER`, or the allowed words. */
  value?: string | readonly string[];
  says: string;
}

export interface Given {
  args: readonly string[];
  flags: Readonly<Record<string, string | boolean | undefined>>;
  terminal: Terminal;
  /** Opens the link; the error is the command's outcome. */
  link(): Promise<Result<StudioLink>>;
}

/** The terminal that a command runs in. */
export interface Terminal {
  /** Whether a person can answer questions. */
  isInteractive: boolean;
  /** Everything but the answer: progress, questions, errors. */
  say(text: string): void;
  ask(question: string): Promise<string>;
}

/** The result of a command: data for programs, lines for people. */
export interface Outcome {
  code: ExitCode;
  result: Result<unknown>;
  lines: readonly string[];
}

export const done = (data: unknown, lines: readonly string[]): Outcome => ({
  code: EXIT.ok,
  result: { ok: true, data },
  lines: lines.map(printed),
});

/** The studio refused the call, or could not be reached. */
export const failed = (error: StudioError): Outcome => ({
  code: codeOf(error),
  result: { ok: false, error },
  lines: [],
});

function codeOf(error: StudioError): ExitCode {
  if (isLost(error)) return EXIT.unknown;
  if (error.code === 'unreachable') return EXIT.noStudio;
  return error.code === 'internal' ? EXIT.failed : EXIT.refused;
}

/** The command itself refuses. */
export const refused = (message: string, data?: Record<string, unknown>): Outcome => ({
  result: fail('wrong_state', message, data),
  lines: [],
  code: EXIT.refused,
});

export const wrongUsage = (message: string): Outcome => ({
  code: EXIT.usage,
  result: fail('invalid_input', message),
  lines: [],
});

export const COMMON: Record<string, Option> = {
  'data-dir': { type: 'string', value: 'FOLDER', says: 'the data folder of the studio' },
  json: { type: 'boolean', says: 'one JSON document on stdout; everything else goes to stderr' },
  help: { type: 'boolean', says: 'what the command does and takes' },
};

export const optionsOf = ({ options }: Pick<Command, 'options'>): ParseArgsOptionsConfig =>
  Object.fromEntries(Object.entries({ ...options, ...COMMON }).map(([name, { type }]) => [name, { type }]));
