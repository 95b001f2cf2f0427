import { afterEach } from 'vitest';
import { type EngineHarness, startEngine } from './engineHarness.ts';

/** Starts engines for the tests of one file, and closes after each test what it started. */
export function engineHarnesses(): typeof startEngine {
  const harnesses: EngineHarness[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.close();
  });
  return (options) => {
    const harness = startEngine(options);
    harnesses.push(harness);
    return harness;
  };
}
