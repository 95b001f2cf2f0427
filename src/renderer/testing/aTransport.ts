import { fail, ok } from '../../shared/contract/result.ts';
import type { Transport } from '../client/index.ts';

/** A way to a studio that is there, answers nothing and takes no file; what a test looks at is given. */
export const aTransport = (more: Partial<Transport> = {}): Transport => ({
  host: 'browser',
  call: async () => ok(null),
  subscribe: () => {},
  mediaUrl: (id) => id,
  upload: async () => fail('not_found', 'Nothing is uploaded here.'),
  writeFilm: async () => fail('not_found', 'No film is made here.'),
  ...more,
});
