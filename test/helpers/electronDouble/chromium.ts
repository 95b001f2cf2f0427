import { type Cdp, connectCdp } from './cdp.ts';

const endpoint = process.env.DOUBLE_CDP;

/** For a start without a window: opening one fails. */
const noChromium: Cdp = {
  send: async (method) => {
    if (method === 'Target.createTarget') throw new Error('DOUBLE_CDP must be the address of a running Chromium.');
    return {};
  },
  on: () => {},
};

/** The Chromium that renders the double's windows. */
export const cdp: Cdp = endpoint === undefined ? noChromium : await connectCdp(endpoint);
await cdp.send('Target.setDiscoverTargets', { discover: true });
