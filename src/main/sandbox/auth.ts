import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Env, Gateway } from './context.ts';
import { ApiError } from './errors.ts';

/** Chat and video: `Authorization: Bearer <key>` (spec 5.2). */
export function bearerKey({ settings }: Gateway): MiddlewareHandler<Env> {
  return async (c, next) => {
    const sent = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (settings.requireKey && !isSame(sent, settings.apiKey)) {
      throw refusal(sent, 'Send it as "Authorization: Bearer <key>".');
    }
    return next();
  };
}

/** Images: any of the custom headers of spec 5.3. An additional `Authorization` (the bot's) is ignored. */
export function imageKey({ settings }: Gateway): MiddlewareHandler<Env> {
  return async (c, next) => {
    const sent = settings.imageAuthHeaders.map((name) => c.req.header(name)).filter((value) => value !== undefined);
    if (settings.requireKey && !sent.some((value) => isSame(value.trim(), settings.apiKey))) {
      throw refusal(sent[0], `Send it as one of ${settings.imageAuthHeaders.join(', ')}.`);
    }
    return next();
  };
}

function refusal(sent: string | undefined, how: string): ApiError {
  return sent
    ? new ApiError(401, 'Incorrect API key provided.', { code: 'invalid_api_key' })
    : new ApiError(401, `You did not provide an API key. ${how}`, { code: 'missing_api_key' });
}

function isSame(sent: string | undefined, key: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return sent !== undefined && timingSafeEqual(digest(sent), digest(key));
}
