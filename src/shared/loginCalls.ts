import { z } from 'zod';
import { command, nothing, query } from './call.ts';

/** Whether the system opens Dailies when the user logs in, in the tray; `none`: this copy, or this host, cannot be opened so. */
export interface LoginState {
  state: 'on' | 'off' | 'none';
}

export const loginCalls = {
  'login.get': query<LoginState>()(nothing),
  /** Refused where the system does not take it. */
  'login.set': command<LoginState>()(z.strictObject({ open: z.boolean() })),
} as const;
