import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/**
 * `npm run test:repeat [-- --times N] [--load N] [ARGUMENTS OF VITEST …]`: repeats the tests beside processes that keep the machine busy,
 * and reports the number of green runs. Default: 10 times, two busy processes per core.
 */
const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '10' }, load: { type: 'string' } },
  allowPositionals: true,
});
const times = Number(values.times);
const load = Number(values.load ?? 2 * availableParallelism());
if (!Number.isSafeInteger(times) || times < 1 || !Number.isSafeInteger(load) || load < 0) {
  console.error('--times must be a whole number from 1 on, --load one from 0 on.');
  process.exit(2);
}

/** Busy until it is ended, or until this program is gone. */
const BUSY = 'const { ppid } = process; while (process.ppid === ppid);';
const busy = Array.from({ length: load }, () => spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }));

const runOnce = (): Promise<boolean> => {
  const child = spawn('npx', ['vitest', 'run', ...positionals], { stdio: 'inherit' });
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done(code === 0));
  });
};

let green = 0;
try {
  for (let run = 1; run <= times; run++) {
    const isGreen = await runOnce();
    green += isGreen ? 1 : 0;
    console.log(`run ${run} of ${times}: ${isGreen ? 'green' : 'red'}`);
  }
} finally {
  for (const child of busy) child.kill('SIGKILL');
}
console.log(`${green} of ${times} green, beside ${load} busy processes`);
process.exitCode = green === times ? 0 : 1;
