import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { Env, Gateway, RequestContext } from './context.ts';
import type { FaultAction } from './faults.ts';
import { promptOf } from './parseRequest.ts';

const FOREVER_MS = 2_147_483_647;

/** Applies the scripted fault of this request, before, after or instead of the handler. */
export function faultActions(gateway: Gateway): MiddlewareHandler<Env> {
  return async (c, next) => {
    const endpoint = c.get('endpoint');
    const action = endpoint && gateway.faults.take(endpoint, promptOf(c.get('body')));
    if (!action) return next();
    const instead = await before(gateway, c, action);
    if (instead) return instead;
    c.set('fault', action);
    await next();
    // Keeps the gateway's own error: a fault that means "accepted and billed" must not hide a 400.
    if (c.res.status >= 400 && action.kind !== 'delay') return;
    await after(gateway, c, action);
  };
}

async function before(gateway: Gateway, c: RequestContext, action: FaultAction): Promise<Response | null> {
  if (action.kind === 'drop' && action.when === 'before') return hangUp(c);
  if (action.kind === 'delay' && action.before) await gateway.clock.delay(action.ms, gateway.closing);
  return action.kind === 'status' && !action.accept ? scripted(action) : null;
}

async function after(gateway: Gateway, c: RequestContext, action: FaultAction): Promise<void> {
  if (action.kind === 'delay' && !action.before) await gateway.clock.delay(action.ms, gateway.closing);
  if (action.kind === 'status') replace(c, scripted(action));
  if (action.kind === 'malformed') replace(c, await malformed(c.res));
  if (action.kind === 'truncate') replace(c, await truncated(c.res, action.events ?? 2));
  if (action.kind === 'drop') replace(c, action.when === 'during' ? await hangUpHalfway(c) : hangUp(c));
  if (action.kind === 'stall') {
    await gateway.clock.delay(action.ms ?? FOREVER_MS, gateway.closing).catch(() => undefined);
    replace(c, hangUp(c));
  }
}

/** Hono merges the headers of a replaced response, which must not happen here. */
function replace(c: RequestContext, response: Response): void {
  c.res = undefined;
  c.res = response;
}

function hangUp(c: RequestContext): Response {
  c.env.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
}

/** Announces the length of the whole answer, sends half of it, and disconnects. */
async function hangUpHalfway(c: RequestContext): Promise<Response> {
  const bytes = Buffer.from(await c.res.arrayBuffer());
  const { outgoing } = c.env;
  outgoing.writeHead(c.res.status, {
    'content-type': c.res.headers.get('content-type') ?? 'application/json',
    'content-length': bytes.length,
  });
  await new Promise<void>((sent) => outgoing.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => sent()));
  return hangUp(c);
}

function scripted(action: Extract<FaultAction, { kind: 'status' }>): Response {
  const headers = new Headers(action.headers);
  if (action.retryAfter !== undefined) headers.set('retry-after', String(action.retryAfter));
  if (action.as === 'empty' || [204, 205, 304].includes(action.status)) {
    return new Response(null, { status: action.status, headers });
  }
  if (action.as === 'html') {
    if (!headers.has('content-type')) headers.set('content-type', 'text/html; charset=utf-8');
    const page = `<html><head><title>${action.status}</title></head><body><h1>${action.status}</h1></body></html>`;
    return new Response(typeof action.body === 'string' ? action.body : page, { status: action.status, headers });
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  const body = action.body ?? {
    error: { message: `Scripted fault: ${action.status}`, type: 'scripted', code: null, param: null },
  };
  return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: action.status, headers });
}

async function malformed(response: Response): Promise<Response> {
  const text = await response.text();
  return new Response(`${text.slice(0, Math.max(1, Math.floor(text.length * 0.6)))}\u0000}}`, {
    status: 200,
    headers: { 'content-type': response.headers.get('content-type') ?? 'application/json' },
  });
}

async function truncated(response: Response, events: number): Promise<Response> {
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  const bytes = Buffer.from(await response.arrayBuffer());
  const cut = type.startsWith('text/event-stream')
    ? Buffer.from(
        bytes
          .toString()
          .split('\n\n')
          .slice(0, events)
          .map((event) => `${event}\n\n`)
          .join(''),
      )
    : bytes.subarray(0, Math.floor(bytes.length / 2));
  return new Response(cut, { status: response.status, headers: { 'content-type': type } });
}
