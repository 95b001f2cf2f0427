import { LANGUAGE_TAG } from '../../../shared/text/language.ts';
import { type PublicAddress, parsePublicUrl } from '../browser/publicAddress.ts';

/** The command line of `npm start`. */
export interface Flags {
  host?: 'electron' | 'browser';
  dataDir?: string;
  /** 0 means any free port. */
  port: number;
  open: boolean;
  /** Where a reverse proxy serves the browser host. */
  publicAddress?: PublicAddress;
  /** The browser host replaces its token and signs out every page. */
  renewToken?: true;
  /** The speed of the built-in sandbox: a factor, or `fast` for no delays. */
  sandboxSpeed?: SandboxSpeed;
  /** The language for this run: a BCP 47 tag. */
  language?: string;
  /** The resolution of the built-in sandbox: `tiny` is an eighth of width and height. */
  sandboxMedia?: SandboxMedia;
}

export type SandboxSpeed = number | 'fast';
export type SandboxMedia = 'full' | 'tiny';

export const USAGE =
  'npm start -- [--host electron|browser] [--data-dir DIR] [--port N] [--no-open] [--renew-token] [--public-url URL] [--language TAG] [--sandbox-speed X|fast] [--sandbox-media full|tiny]';

type Parsed = { ok: true; flags: Flags } | { ok: false; message: string };
type Reader = (value: string, flags: Flags) => string | undefined;

/** Flags without a value. */
const SWITCHES: Record<string, (flags: Flags) => void> = {
  '--no-open': (flags) => {
    flags.open = false;
  },
  '--renew-token': (flags) => {
    flags.renewToken = true;
  },
};

/** Applies a flag's value; returns the rule that it breaks, if any. */
const READERS: Record<string, Reader> = {
  '--host': (value, flags) => {
    if (value !== 'electron' && value !== 'browser') return 'must be electron or browser';
    flags.host = value;
  },
  '--data-dir': (value, flags) => {
    if (value === '') return 'must be a folder';
    flags.dataDir = value;
  },
  '--port': (value, flags) => {
    if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) return 'must be a whole number from 0 to 65535';
    flags.port = Number(value);
  },
  '--public-url': (value, flags) => {
    const address = parsePublicUrl(value);
    if (typeof address === 'string') return address;
    flags.publicAddress = address;
  },
  '--language': (value, flags) => {
    if (!LANGUAGE_TAG.test(value)) return 'must be the tag of a language, such as de';
    flags.language = value;
  },
  '--sandbox-speed': (value, flags) => {
    const speed = parseSpeed(value);
    if (speed === undefined) return "must be a number above 0, or 'fast'";
    flags.sandboxSpeed = speed;
  },
  '--sandbox-media': (value, flags) => {
    if (value !== 'full' && value !== 'tiny') return 'must be full or tiny';
    flags.sandboxMedia = value;
  },
};

/** Parses the flags strictly: the first error is one sentence that names the flag and the rule. */
export function parseFlags(argv: string[]): Parsed {
  const flags: Flags = { port: 0, open: true };
  const seen = new Set<string>();
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [name = '', inline] = splitOnce(word);
    if (seen.has(name)) return { ok: false, message: `${name} is given twice.` };
    seen.add(name);
    const set = inline === undefined && Object.hasOwn(SWITCHES, name) ? SWITCHES[name] : undefined;
    if (set) {
      set(flags);
      continue;
    }
    const read = READERS[name];
    if (!read) return { ok: false, message: `${word}: there is no such flag. Usage: ${USAGE}` };
    const value = inline ?? words.shift();
    if (value === undefined) return { ok: false, message: `${name} needs a value. Usage: ${USAGE}` };
    const broken = read(value, flags);
    if (broken !== undefined) return { ok: false, message: `${name} ${broken}.` };
  }
  return { ok: true, flags };
}

/** Flags that only the browser host supports, as one sentence: the desktop window has no address and no token. */
export function whyNotInWindow({ port, publicAddress, renewToken }: Flags): string | undefined {
  const flag = renewToken ? '--renew-token' : publicAddress ? '--public-url' : port !== 0 ? '--port' : undefined;
  return flag && `${flag} is for the browser host, and a desktop window would open: add --host browser.`;
}

/** Our flags in a command line that Electron and Chromium also use. */
export function knownFlags(argv: string[]): string[] {
  const known: string[] = [];
  argv.forEach((word, at) => {
    const [name, inline] = splitOnce(word);
    if (Object.hasOwn(SWITCHES, name)) known.push(word);
    if (!READERS[name]) return;
    const next = argv[at + 1];
    known.push(word, ...(inline === undefined && next !== undefined ? [next] : []));
  });
  return known;
}

/** `fast`, or a factor above 0; undefined for anything else. */
export function parseSpeed(text: string): SandboxSpeed | undefined {
  if (text === 'fast') return 'fast';
  const factor = Number(text);
  return text.trim() !== '' && Number.isFinite(factor) && factor > 0 ? factor : undefined;
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
