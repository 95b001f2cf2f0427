import { command, nothing, query } from './call.ts';

/**
 * Updates of the program. `none`: this copy has no update server (`why`); `off`: switched off; `current`: nothing newer is known; `found`: a
 * newer version can be downloaded; `ready`: it is here, and is installed when Dailies quits.
 */
export interface UpdateState {
  state: 'none' | 'off' | 'current' | 'checking' | 'found' | 'downloading' | 'ready';
  version?: string;
  /** When the server was asked last; milliseconds since 1970. */
  checkedAt?: number;
  /** What is here is installed if Dailies quits now: nothing is sent, and no night is open or about to open, or the system does it. */
  installsAtQuit?: true;
  /** What is here is installed by the system at any end of Dailies, as on a Mac, also where updates were switched off since. */
  installsAtAnyEnd?: true;
  /** Why there are none, or why the last step failed, as one sentence. */
  why?: string;
}

export const updateCalls = {
  'updates.get': query<UpdateState>()(nothing),
  /** Asks the server now. Refused while something is sent, and from two hours before a night to its end, like the two below. */
  'updates.check': command<UpdateState>()(nothing),
  /** Downloads what was found, and makes a backup; it is installed when Dailies quits. */
  'updates.download': command<UpdateState>()(nothing),
  /** Makes a backup, quits and installs. */
  'updates.install': command<UpdateState>()(nothing),
} as const;
