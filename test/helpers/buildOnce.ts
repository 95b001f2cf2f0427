import { join } from 'node:path';
import { ensureBuilt } from '../../src/main/hosts/launch/build.ts';

/** Before any test: `out/` is made from the sources as they are. */
export const setup = (): Promise<void> => ensureBuilt(join(import.meta.dirname, '..', '..'));
