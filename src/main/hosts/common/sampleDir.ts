import { join } from 'node:path';

/** The sample film, two folders above the built program, like the other resources. */
export const sampleDir: string = join(import.meta.dirname, '..', '..', 'resources', 'sample');
