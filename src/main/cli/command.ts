import type { ParseArgsOptionsConfig } from 'node:util';
import { fail, type Result, type StudioError } from '../../shared/contract/result.ts';
import { isLost, type StudioLink } from '../link/index.ts';
import { EXIT, type ExitCode } from './exitCodes.ts';
import { printed } from './words.ts';

/** A command as the parser, the help and the completion know it. */
export interface Command {
  name: string;
  /** One line. */
  says: string;
  /** Of the positional arguments, such as `FILE`. */
  takes: readonly string[];
  options: Record<string, Option>;
  run(given: Given): Promise<Outcome>;
}

export interface Option {
  type: 'string' | 'boolean';
  /** What a value is, such as `FOLDER`; or the words that it may be. */
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

/** Where a command is typed. */
export interface Terminal {
  /** Whether somebody can answer a question. */
  isInteractive: boolean;
  /** Everything but the answer: progress, questions, errors. */
  say(text: string): void;
  ask(question: string): Promise<string>;
}

/** What a command ends with: its data for programs, and its lines for people. */
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

/** Refused by the studio, or never reached. */
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

/** Not done, for a reason of the command itself. */
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

/** The options that every command has. */
export const COMMON: Record<string, Option> = {
  'data-dir': { type: 'string', value: 'FOLDER', says: 'the data folder of the studio that is meant' },
  json: { type: 'boolean', says: 'one JSON document on stdout; everything else goes to stderr' },
  help: { type: 'boolean', says: 'what the command does and takes' },
};

export const optionsOf = ({ options }: Pick<Command, 'options'>): ParseArgsOptionsConfig =>
  Object.fromEntries(Object.entries({ ...options, ...COMMON }).map(([name, { type }]) => [name, { type }]));
