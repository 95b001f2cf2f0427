import { type ChildProcess, spawn } from 'node:child_process';

/**
 * What the host in Electron exits with when it has told by itself why it does not go on. Chromium's own ways to fail use 1 and 2 too;
 * these are used by nothing else. The launcher makes them 1 and 2 again.
 */
const OWN_REFUSALS = new Map([
  [65, 1],
  [66, 2],
]);
/** Set by the launcher: whoever starts Electron himself is answered with the plain codes. */
const LAUNCHED = 'DAILIES_LAUNCHED';

/** The exit code that tells the launcher, where there is one, that the reason has been said. */
export function refusalCode(code: number, env: NodeJS.ProcessEnv = process.env): number {
  const [own] = [...OWN_REFUSALS].find(([, plain]) => plain === code) ?? [code];
  return env[LAUNCHED] ? own : code;
}

/**
 * Whether someone reads what is said on stderr, so that no box has to say it: the launcher runs in a terminal, or is told to open
 * nothing. A box would keep it from ending until someone finds and closes it.
 */
export const isReadInTerminal = (argv: string[], isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(env[LAUNCHED]) && (isTerminal || argv.includes('--no-open'));

/** `ended`: it ran, or said why not. `reason`: this machine cannot run it, in one phrase. */
export type ElectronEnd = { ended: number } | { reason: string };

/** What is kept of stderr before it is ready; beyond it is passed on as it comes. */
const MOST_HELD = 256 * 1024;

/**
 * Runs Electron to its end. What it says before it is ready is held back, a note of ours too: where it cannot run on this machine,
 * the pages of Chromium's own words are not what the user needs.
 */
export function runElectron(binary: string, args: string[], note = ''): Promise<ElectronEnd> {
  const child = spawn(binary, args, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: environmentFor(process.env),
  });
  const words = holdWords(child, note);
  const signals = passSignals(child);
  return new Promise((resolve) => {
    child.once('error', (error) => {
      signals.stop();
      resolve({ reason: startFault(error) });
    });
    child.once('close', (code, signal) => {
      signals.stop();
      const own = code === null ? undefined : OWN_REFUSALS.get(code);
      if (own === undefined && code !== 0 && !words.isReady() && !signals.came())
        return resolve({ reason: reasonOf(words.held(), code, signal) });
      words.letGo();
      resolve({ ended: own ?? code ?? (signal === 'SIGKILL' ? 137 : 1) });
    });
  });
}

/** With `ELECTRON_RUN_AS_NODE`, which editors set in their terminals, the binary would be a plain Node. */
function environmentFor({ ELECTRON_RUN_AS_NODE: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [LAUNCHED]: '1' };
}

/**
 * Ctrl+C reaches Electron by itself, and the second signal of one kind would kill it at once: it is passed on as SIGTERM, which asks
 * for an end in order however often it comes first.
 */
function passSignals(child: ChildProcess) {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  let came = false;
  const pass = () => {
    came = true;
    child.kill('SIGTERM');
  };
  for (const signal of signals) process.on(signal, pass);
  return {
    came: () => came,
    stop() {
      for (const signal of signals) process.off(signal, pass);
    },
  };
}

function holdWords(child: ChildProcess, note: string) {
  const parts: Buffer[] = [Buffer.from(note)];
  let size = 0;
  let ready = false;
  let holding = true;
  // A terminal that was closed must not end a night's work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const letGo = () => {
    holding = false;
    for (const part of parts.splice(0)) process.stderr.write(part);
  };
  child.stderr?.on('data', (part: Buffer) => {
    if (!holding) return void process.stderr.write(part);
    parts.push(part);
    size += part.length;
    if (size > MOST_HELD) letGo();
  });
  let line = '';
  child.stdout?.on('data', (part: Buffer) => {
    process.stdout.write(part);
    if (ready) return;
    line = (line + part.toString('utf8')).slice(-1_000);
    ready = line.includes('{"ready":true');
    if (ready) letGo();
  });
  return { isReady: () => ready, held: () => Buffer.concat(parts).toString('utf8'), letGo };
}

function startFault(error: Error & { code?: unknown }): string {
  if (error.code === 'EACCES') return 'it may not be run';
  return error.code === 'ENOENT'
    ? 'it, or what it needs to be run by, is not there'
    : `it does not start (${error.message})`;
}

/** What Chromium and the system's loader say, and what it means. */
const REASONS: [RegExp, (match: RegExpExecArray) => string][] = [
  [/SUID sandbox helper|No usable sandbox/i, () => "this system does not let Chromium's sandbox start"],
  [
    /Missing X server|cannot open display|Unable to open X display|platform failed to initialize/i,
    () => 'it reaches no display',
  ],
  [/error while loading shared libraries: ([^\s:]{1,200})/, ([, library]) => `the library ${library} is missing`],
  [/version `(GLIBC_[\d.]{1,20})' not found/, ([, version]) => `this system is too old for it (no ${version})`],
];

function reasonOf(words: string, code: number | null, signal: string | null): string {
  for (const [pattern, say] of REASONS) {
    const match = pattern.exec(words);
    if (match) return say(match);
  }
  return signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`;
}
