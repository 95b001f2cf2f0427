import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every temporary folder of a run is made inside one, which goes with the run: tests that are killed cannot leave theirs behind. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dailies-run-')));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
