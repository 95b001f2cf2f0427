import { afterEach } from 'vitest';
import { type Rig, startRig } from './engineRig.ts';

/** Starts engines for the tests of one file, and closes after each test what it started. */
export function rigsOfThisFile(): typeof startRig {
  const rigs: Rig[] = [];
  afterEach(async () => {
    for (const rig of rigs.splice(0)) await rig.close();
  });
  return (options) => {
    const rig = startRig(options);
    rigs.push(rig);
    return rig;
  };
}
