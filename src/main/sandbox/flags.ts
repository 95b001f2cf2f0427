import { readFileSync, statSync } from 'node:fs';
import { type FaultRule, parseFaults } from './faults.ts';
import type { SandboxOptions } from './sandbox.ts';

/**
 * Reads the command line of `npm run sandbox`:
 * `[--port N] [--seed N] [--faults FILE] [--speed X|fast] [--video immediate|operation] [--state DIR]
 * [--media full|tiny] [--keys honoured|ignored]`.
 * A refusal is one sentence that names the flag and its rule.
 */
export function readFlags(args: string[]): { ok: true; options: SandboxOptions } | { ok: false; message: string } {
  const options: SandboxOptions = {};
  for (let at = 0; at < args.length; at += 1) {
    const [flag = '', inline] = splitOnce(args[at] ?? '');
    const read = READERS[flag];
    if (!read) return refuse(flag, `is not a flag of the sandbox; there are ${Object.keys(READERS).join(', ')}.`);
    const value = inline ?? args[++at];
    if (value === undefined || value === '') return refuse(flag, 'needs a value.');
    const rule = read(value, options);
    if (rule) return refuse(flag, rule);
  }
  return { ok: true, options };
}

/** Applies the value to the options, or returns the rule it breaks. */
type Reader = (value: string, options: SandboxOptions) => string | null;

const READERS: Record<string, Reader> = {
  '--port': (value, options) => {
    options.port = Number(value);
    return isWholeNumber(value, 65_535) ? null : 'must be a whole number from 0 to 65535; 0 takes any free port.';
  },
  '--seed': (value, options) => {
    options.seed = Number(value);
    return isWholeNumber(value, 4_294_967_295) ? null : 'must be a whole number from 0 to 4294967295.';
  },
  '--speed': (value, options) => {
    const speed = Number(value);
    options.speed = value === 'fast' ? 'fast' : speed;
    return value === 'fast' || (speed > 0 && Number.isFinite(speed))
      ? null
      : "must be 'fast' or a number above 0, such as 2.";
  },
  '--video': (value, options) => {
    if (value !== 'immediate' && value !== 'operation') return "must be 'immediate' or 'operation'.";
    options.videoAnswer = value;
    return null;
  },
  '--media': (value, options) => {
    if (value !== 'full' && value !== 'tiny') return "must be 'full' or 'tiny'.";
    options.media = value;
    return null;
  },
  '--keys': (value, options) => {
    options.honoursKeys = value === 'honoured';
    return value === 'honoured' || value === 'ignored' ? null : "must be 'honoured' or 'ignored'.";
  },
  '--state': (value, options) => {
    options.stateDir = value;
    return null;
  },
  '--faults': (value, options) => {
    const rules = readFaultFile(value);
    if (typeof rules === 'string') return rules;
    options.faults = rules;
    return null;
  },
};

function readFaultFile(path: string): FaultRule[] | string {
  let value: unknown;
  try {
    // A named pipe would block the read for ever, and a device has no end.
    if (!statSync(path).isFile()) return 'must be a file: this is a pipe, a socket, a device or a folder.';
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    return `must be a JSON file: ${error instanceof Error ? error.message : String(error)}.`;
  }
  const read = parseFaults(value);
  return read.ok ? read.rules : `${read.message}.`;
}

function isWholeNumber(value: string, high: number): boolean {
  return /^\d+$/.test(value) && Number(value) <= high;
}

function splitOnce(arg: string): [string, string | undefined] {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
}

function refuse(flag: string, rule: string): { ok: false; message: string } {
  return { ok: false, message: `${flag || 'An empty argument'} ${rule}` };
}
