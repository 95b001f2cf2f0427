import { open, stat } from 'node:fs/promises';
import type { StudioError } from '../../../shared/contract/result.ts';
import { withBareAddresses } from '../../../shared/gateway/bareAddress.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import type { MediaFile } from '../../core/ports.ts';

/** Bytes read from disk at a time. */
const CHUNK_BYTES = 256 * 1024;

interface Span {
  start: number;
  /** Inclusive. */
  end: number;
}

/** A library file as an HTTP response: whole, or one range (RFC 9110, 14.2). */
export async function mediaResponse(file: MediaFile, method: string, headers: Headers): Promise<Response> {
  const etag = await tagOf(file);
  const common = mediaHeaders(file, etag);
  if (headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: common });
  const asked = askedRange(headers, etag);
  const span = asked === null ? null : spanOf(asked, file.bytes);
  if (span === 'outside') {
    return new Response(null, { status: 416, headers: { ...common, 'content-range': `bytes */${file.bytes}` } });
  }
  const { start, end } = span ?? { start: 0, end: file.bytes - 1 };
  const sized: Record<string, string> = { ...common, 'content-length': String(end - start + 1) };
  if (span) sized['content-range'] = `bytes ${start}-${end}/${file.bytes}`;
  const status = span ? 206 : 200;
  if (method === 'HEAD') return new Response(null, { status, headers: sized });
  const stream = await fileStream(file.path, start, end).catch((error: NodeJS.ErrnoException) => error);
  if (stream instanceof ReadableStream) return new Response(stream, { status, headers: sized });
  return new Response(null, { status: stream.code === 'ENOENT' ? 404 : 503 });
}

/** A library file as it is; with `?shown`, which pages use, a picture that Chromium would rotate is upright. */
export async function assetResponse(file: MediaFile, { url, method, headers }: Request): Promise<Response> {
  const isShown = new URL(url).searchParams.has('shown');
  const upright = isShown && (await file.upright?.().catch(() => undefined));
  if (!upright) return mediaResponse(file, method, headers);
  const common = { ...mediaHeaders(file, `"${file.sha256}-upright"`), 'accept-ranges': 'none' };
  const sized = { ...common, 'content-length': String(upright.length) };
  return new Response(method === 'HEAD' ? null : new Uint8Array(upright), { headers: sized });
}

/** The recorded hash and the file's time: after a damaged file was replaced, the bytes may differ from the record. */
async function tagOf({ path, sha256 }: MediaFile): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return `"${sha256}-${Math.trunc(found?.mtimeMs ?? 0)}"`;
}

/** 404 for a missing file, 503 for one that may be readable later. */
export const refusedFileStatus = ({ code }: StudioError): 404 | 503 => (code === 'internal' ? 503 : 404);

function mediaHeaders(file: MediaFile, etag: string): Record<string, string> {
  const shown = /^(image|video|audio)\//.test(file.mime) && file.mime !== 'image/svg+xml';
  return {
    'content-type': file.mime,
    'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(safeName(withBareAddresses(file.name)))}`,
    'accept-ranges': 'bytes',
    etag,
    // The file may be repaired later; until then pages that are scrolled do not request it again.
    'cache-control': 'private, max-age=60',
    // Untrusted content is shown, never executed.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };
}

/** The `Range` header, unless `If-Range` shows that the bytes have changed. */
function askedRange(headers: Headers, etag: string): string | null {
  const condition = headers.get('if-range');
  return condition !== null && condition !== etag ? null : headers.get('range');
}

/** Null for a header to ignore (another unit, several ranges); 'outside' if the range is beyond the file. */
function spanOf(header: string, size: number): Span | null | 'outside' {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'outside' : { start, end };
}

/** Reads at the reader's pace; closes the file when the reader stops. */
async function fileStream(path: string, start: number, end: number): Promise<ReadableStream<Uint8Array>> {
  const handle = await open(path, 'r');
  let at = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const want = Math.min(CHUNK_BYTES, end + 1 - at);
        const { bytesRead, buffer } =
          want > 0 ? await handle.read(new Uint8Array(want), 0, want, at) : { bytesRead: 0, buffer: null };
        if (buffer && bytesRead > 0) {
          at += bytesRead;
          controller.enqueue(bytesRead === want ? buffer : buffer.subarray(0, bytesRead));
        }
        if (at <= end && bytesRead > 0) return;
        await handle.close();
        // A file that ends early must not look complete.
        if (at <= end) controller.error(new Error('The file is shorter than the library knows.'));
        else controller.close();
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 1 },
  );
}
