import { z } from 'zod';
import { command, nothing, query } from './call.ts';

/** The calls about the program itself: its updates, its start at login, and what it tells whoever helps. */

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

/** Whether the system opens Dailies when the user logs in, in the tray; `none`: this copy, or this host, cannot be opened so. */
export interface LoginState {
  state: 'on' | 'off' | 'none';
}

export const loginCalls = {
  'login.get': query<LoginState>()(nothing),
  /** Refused where the system does not take it. */
  'login.set': command<LoginState>()(z.strictObject({ open: z.boolean() })),
} as const;

export const diagnosticsCalls = {
  /**
   * What whoever helps needs to know of this studio, as text to be read before it is copied: versions, counts, settings of the gateways,
   * the last lines of the log. No key, token, header value, prompt or user-info, and no query of an address.
   */
  'diagnostics.read': query<{ text: string }>()(nothing),
} as const;
