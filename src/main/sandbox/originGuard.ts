import type { MiddlewareHandler } from 'hono';
import type { Env, Gateway } from './context.ts';
import { ApiError } from './errors.ts';

const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;

/**
 * Allows only requests that address this machine by a loopback name and come from no web page. Neither a foreign name that resolves to
 * 127.0.0.1 (DNS rebinding) nor a page of another origin may submit work or read results. Any port is allowed, since a forwarder may be in
 * between.
 */
export const originGuard: MiddlewareHandler<Env> = async (c, next) => {
  const host = c.req.header('host') ?? '';
  if (!LOOPBACK.test(host)) throw refusal('Host', 'must be 127.0.0.1 or localhost');
  const origin = c.req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    throw refusal('Origin', 'must not be another page');
  }
  if (!['none', 'same-origin'].includes(c.req.header('sec-fetch-site') ?? 'none')) {
    throw refusal('Sec-Fetch-Site', 'must not be another page');
  }
  return next();
};

/** Without this, any program that reaches the keyless port could read requests, send more, and script faults. */
export function strangerGuard({ isStranger }: Gateway): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isStranger(c.env.incoming.socket))
      throw new ApiError(403, 'This sandbox is of another user of this machine.', { code: 'foreign_user' });
    return next();
  };
}

const refusal = (header: string, rule: string) =>
  new ApiError(403, `${header}: ${rule}.`, { code: 'foreign_origin', param: header });
