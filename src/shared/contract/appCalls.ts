import { z } from 'zod';
import { command, nothing, query } from './call.ts';

/** The calls about the program itself: updates, start at login, diagnostics. */

/**
 * `none`: this copy has no update server (`why`); `off`: switched off; `current`: up to date; `found`: a newer version can be downloaded;
 * `ready`: it is downloaded and installed when Dailies quits.
 */
export interface UpdateState {
  state: 'none' | 'off' | 'current' | 'checking' | 'found' | 'downloading' | 'ready';
  version?: string;
  /** The last check, in milliseconds since 1970. */
  checkedAt?: number;
  /** Quitting now installs the download: nothing is being sent and no run is open or near, or the system installs it anyway. */
  installsAtQuit?: true;
  /** The system installs the download at any end of Dailies, as on a Mac, even if updates were switched off since. */
  installsAtAnyEnd?: true;
  /** Why there are none, or why the last step failed, as one sentence. */
  why?: string;
}

export const updateCalls = {
  'updates.get': query<UpdateState>()(nothing),
  /** Asks the server now. Refused, like the two below, while a request is sent and from two hours before an overnight run until its end. */
  'updates.check': command<UpdateState>()(nothing),
  /** Downloads the new version and makes a backup; it is installed when Dailies quits. */
  'updates.download': command<UpdateState>()(nothing),
  /** Makes a backup, quits and installs. */
  'updates.install': command<UpdateState>()(nothing),
} as const;

/** Whether the system opens Dailies in the tray at login; `none`: not possible in this copy or host. */
export interface LoginState {
  state: 'on' | 'off' | 'none';
}

export const loginCalls = {
  'login.get': query<LoginState>()(nothing),
  /** Refused if the system refuses it. */
  'login.set': command<LoginState>()(z.strictObject({ open: z.boolean() })),
} as const;

export const diagnosticsCalls = {
  /**
   * A report for support, to be read before it is copied: versions, counts, gateway settings, the end of the log. It holds no key, token,
   * header value, prompt or user-info, and no query of an address.
   */
  'diagnostics.read': query<{ text: string }>()(nothing),
} as const;
