import { type Cdp, connectCdp } from './cdp.ts';

const endpoint = process.env.DOUBLE_CDP;
if (endpoint === undefined) throw new Error('DOUBLE_CDP must be the address of a running Chromium.');

/** The Chromium that renders the double's windows. */
export const cdp: Cdp = await connectCdp(endpoint);
await cdp.send('Target.setDiscoverTargets', { discover: true });
