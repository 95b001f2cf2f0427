import { join } from 'node:path';

/** The sample film, two folders above the built program. */
export const sampleDir: string = join(import.meta.dirname, '..', '..', 'resources', 'sample');
