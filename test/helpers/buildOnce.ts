import { join } from 'node:path';
import { ensureBuilt } from '../../src/main/hosts/launch/build.ts';

/** Builds `out/` before any test. */
export const setup = (): Promise<void> => ensureBuilt(join(import.meta.dirname, '..', '..'));
