import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Gateway, RequestContext } from './context.ts';
import { ApiError } from './errors.ts';
import type { MediaRecord } from './state/records.ts';

/** How long a result can be downloaded. */
export const MEDIA_LIFE_MS = 48 * 3600 * 1000;
const TYPES = { mp4: 'video/mp4', png: 'image/png' } as const;

/** The address of a result: no key is needed, since the id cannot be guessed. */
export function mediaUrl(gateway: Gateway, record: MediaRecord): string {
  return `${gateway.baseUrl()}/media/${record.id}.${record.extension}?expires=${Math.floor(record.expiresAt / 1000)}`;
}

/** The media id in one of the sandbox's addresses, whatever its host and port: the port changes between runs. */
export function mediaIdIn(uri: string): string | null {
  return /^(?:https?:\/\/[^/?#]+)?\/media\/([0-9a-f]{32})\.(?:mp4|png)(?:[?#]|$)/.exec(uri)?.[1] ?? null;
}

/** `GET` and `HEAD /media/<id>.<mp4|png>`, with ranges and entity tags. An expired link is 410. */
export function serveMedia(gateway: Gateway, c: RequestContext): Response {
  const id = mediaIdIn(c.req.path);
  const record = id ? gateway.state.media.get(id) : undefined;
  if (!record || !c.req.path.endsWith(`.${record.extension}`))
    throw new ApiError(404, 'No such media.', { code: 'not_found' });
  if (record.expiresAt <= gateway.clock.now()) throw new ApiError(410, 'The link has expired.', { code: 'expired' });
  const headers: Record<string, string> = {
    'content-type': TYPES[record.extension],
    'accept-ranges': 'bytes',
    etag: record.etag,
    'last-modified': new Date(record.createdAt).toUTCString(),
    'cache-control': 'private, max-age=86400',
    'x-expires': new Date(record.expiresAt).toISOString(),
  };
  if (c.req.header('if-none-match') === record.etag) return new Response(null, { status: 304, headers });
  const ifRange = c.req.header('if-range');
  const range = ifRange && ifRange !== record.etag ? undefined : c.req.header('range');
  const part = range ? rangeOf(range, record.bytes) : null;
  if (part === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${record.bytes}` } });
  }
  const { start, end } = part ?? { start: 0, end: record.bytes - 1 };
  headers['content-length'] = String(end - start + 1);
  if (part) headers['content-range'] = `bytes ${start}-${end}/${record.bytes}`;
  const path = gateway.files.mediaPath(`${record.id}.${record.extension}`);
  const body =
    c.req.method === 'HEAD' ? null : (Readable.toWeb(createReadStream(path, { start, end })) as ReadableStream);
  return new Response(body, { status: part ? 206 : 200, headers });
}

/** One byte range (RFC 9110 14.1.2); several, or another unit, are answered whole. */
function rangeOf(header: string, size: number): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || (first === '' && Number(last) === 0)) return 'unsatisfiable';
  return start > end ? null : { start, end };
}
