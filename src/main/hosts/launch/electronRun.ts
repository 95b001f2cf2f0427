import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Exit codes of the Electron host after it has reported why it stops, which the launcher maps back to 1 and 2. Chromium's own failures use 1
 * and 2; nothing else uses these.
 */
const OWN_REFUSALS = new Map([
  [65, 1],
  [66, 2],
]);
/** Set by the launcher: Electron started directly exits with the plain codes. */
const LAUNCHED = 'DAILIES_LAUNCHED';

/** The exit code that tells the launcher, if there is one, that the reason has been reported. */
export function refusalCode(code: number, env: NodeJS.ProcessEnv = process.env): number {
  const [own] = [...OWN_REFUSALS].find(([, plain]) => plain === code) ?? [code];
  return env[LAUNCHED] ? own : code;
}

/**
 * Whether somebody reads stderr, so that no dialog is needed: the launcher runs in a terminal, or was told to open nothing. A dialog would
 * keep it from ending.
 */
export const isReadInTerminal = (argv: string[], isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): boolean =>
  Boolean(env[LAUNCHED]) && (isTerminal || argv.includes('--no-open'));

/** `ended`: it ran, or reported why not. `reason`: this machine cannot run it, in one phrase. */
export type ElectronEnd = { ended: number } | { reason: string };

/** Bytes of stderr buffered before it is ready; more is passed on directly. */
const MAX_HELD_BYTES = 256 * 1024;

/**
 * Runs Electron until it exits. Output before it is ready is held back, and so is our note: if it cannot run here, Chromium's pages of
 * output do not help the user.
 */
export function runElectron(binary: string, args: string[], note = ''): Promise<ElectronEnd> {
  const child = spawn(binary, args, {
    stdio: ['inherit', 'pipe', 'pipe'],
    env: environmentFor(process.env),
  });
  const words = bufferStderr(child, note);
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
      words.flush();
      resolve({ ended: own ?? code ?? (signal === 'SIGKILL' ? 137 : 1) });
    });
  });
}

/** With `ELECTRON_RUN_AS_NODE`, which editors set in their terminals, the binary would run as plain Node. */
function environmentFor({ ELECTRON_RUN_AS_NODE: _, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, [LAUNCHED]: '1' };
}

/**
 * Ctrl+C reaches Electron by itself, and a second signal of the same kind would kill it: signals are forwarded as SIGTERM, which requests an
 * orderly shutdown however often it is sent.
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

function bufferStderr(child: ChildProcess, note: string) {
  const parts: Buffer[] = [Buffer.from(note)];
  let size = 0;
  let ready = false;
  let holding = true;
  // A closed terminal must not end overnight work.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const flush = () => {
    holding = false;
    for (const part of parts.splice(0)) process.stderr.write(part);
  };
  child.stderr?.on('data', (part: Buffer) => {
    if (!holding) return void process.stderr.write(part);
    parts.push(part);
    size += part.length;
    if (size > MAX_HELD_BYTES) flush();
  });
  let line = '';
  child.stdout?.on('data', (part: Buffer) => {
    process.stdout.write(part);
    if (ready) return;
    line = (line + part.toString('utf8')).slice(-1_000);
    ready = line.includes('{"ready":true');
    if (ready) flush();
  });
  return { isReady: () => ready, held: () => Buffer.concat(parts).toString('utf8'), flush };
}

function startFault(error: Error & { code?: unknown }): string {
  if (error.code === 'EACCES') return 'it may not be run';
  return error.code === 'ENOENT'
    ? 'it, or what it needs to be run by, is not there'
    : `it does not start (${error.message})`;
}

/** Messages of Chromium and the system's loader, explained. */
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
