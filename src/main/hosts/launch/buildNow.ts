import { join } from 'node:path';
import { ensureBuilt } from './build.ts';

/** `npm run build`: does nothing if `out/` is up to date. */
await ensureBuilt(join(import.meta.dirname, '..', '..', '..', '..'));
