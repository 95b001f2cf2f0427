import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Env, Gateway } from './context.ts';
import { ApiError } from './errors.ts';
import type { Endpoint } from './faults.ts';
import { newRequestId } from './ids.ts';
import { kindOfModel } from './models.ts';
import type { RequestLog } from './requestLog.ts';

const MAX_BODY_BYTES = 96 * 1024 * 1024;

/** Reads the body once, identifies the endpoint, assigns a request id and logs the request before anything can fail. */
export function parseRequest(gateway: Gateway, log: RequestLog): MiddlewareHandler<Env> {
  return async (c, next) => {
    const url = new URL(c.req.url);
    const text = c.req.method === 'GET' || c.req.method === 'HEAD' ? '' : await c.req.text();
    if (text.length > MAX_BODY_BYTES) throw new ApiError(413, 'The body is larger than 96 MB.');
    const body = parseJson(text);
    c.set('body', body);
    c.set('bodyHash', createHash('sha256').update(text).digest('hex'));
    c.set('endpoint', endpointOf(c.req.method, url.pathname, body, gateway.settings.imagePrefix));
    c.set('fault', null);
    c.set('requestId', newRequestId());
    if (url.pathname.startsWith('/__sandbox/')) return next();
    const entry = log.add({
      at: new Date(gateway.clock.now()).toISOString(),
      method: c.req.method,
      path: url.pathname + url.search,
      headers: c.req.header(),
      body: body === undefined && text ? text : (body ?? null),
    });
    await next();
    const dropped = c.res.headers.has('x-hono-already-sent');
    entry.status = dropped ? 0 : c.res.status;
    if (!dropped) c.res.headers.set('x-request-id', c.get('requestId'));
  };
}

function parseJson(text: string): unknown {
  if (!text.trim()) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    return isTooDeep(body) ? undefined : body;
  } catch {
    return undefined;
  }
}

const MAX_JSON_DEPTH = 100;

/** Checks the depth level by level: recursion would overflow the stack on just the bodies that it should find. */
function isTooDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}

function endpointOf(method: string, path: string, body: unknown, imagePrefix: string): Endpoint | null {
  if (path === '/v1/chat/completions') return kindOfModel(fieldOf(body, 'model')) === 'video' ? 'video' : 'chat';
  if (path === '/v1/models') return 'models';
  if (path.startsWith('/v1/operations/')) return 'operation';
  if (path.startsWith('/media/')) return 'media';
  const image = path.startsWith(`/${imagePrefix}/`) ? path.slice(imagePrefix.length + 2) : '';
  if (image === 'submit/imagine') return 'imagine';
  if (image === 'submit/edits') return 'edits';
  if (image.endsWith('/cancel') && method === 'POST') return 'cancel';
  return image.startsWith('task/') ? 'fetch' : null;
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

/** The body as a JSON object, or a 400 error. */
export function bodyObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError(400, 'body: must be a JSON object', { code: 'invalid_json' });
  }
  return body as Record<string, unknown>;
}

/** The prompt that fault rules match: that of an image, or the last user message of a chat. */
export function promptOf(body: unknown): string {
  const prompt = fieldOf(body, 'prompt');
  if (typeof prompt === 'string') return prompt;
  const messages = fieldOf(body, 'messages');
  if (!Array.isArray(messages)) return '';
  const last = messages.findLast((message) => fieldOf(message, 'role') === 'user');
  const content = fieldOf(last, 'content');
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => String(fieldOf(part, 'text') ?? '')).join(' ') : '';
}
