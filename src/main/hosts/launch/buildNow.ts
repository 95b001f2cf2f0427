import { join } from 'node:path';
import { ensureBuilt } from './build.ts';

/** `npm run build`: does nothing where `out/` is already made from the sources as they are. */
await ensureBuilt(join(import.meta.dirname, '..', '..', '..', '..'));
