import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { protocol, type Session } from 'electron';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import type { MediaFile } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import { filmPieceFrom } from '../common/filmPiece.ts';
import { refusedUpload } from '../common/mediaPagePermissions.ts';
import { assetResponse, mediaResponse, refusedFileStatus } from '../common/mediaResponse.ts';
import { type Pages, SCRIPTS } from '../common/pages.ts';
import { takeUpload, uploadFields } from '../common/uploadFields.ts';
import { ChunkedUploads, chunkFrom } from './chunkedUploads.ts';
import { APP_ORIGIN, APP_SCHEME, isOwnPage, MEDIA_SCHEME, SAVED_PATH } from './origin.ts';

/** Must be called before the app is ready. */
export function registerSchemes(): void {
  const common = { standard: true, secure: true, supportFetchAPI: true };
  protocol.registerSchemesAsPrivileged([
    // The sandboxed media frame has an origin of its own, and loads its scripts from this one.
    { scheme: APP_SCHEME, privileges: { ...common, codeCache: true, corsEnabled: true } },
    { scheme: MEDIA_SCHEME, privileges: { ...common, stream: true, corsEnabled: true } },
  ]);
}

/** Like {@link SAVED_PATH}, for exports: the id, and the file's name, which may contain `/`. */
const EXPORTED = /^\/exports\/([^/]+)\/(.+)$/;

/**
 * Serves both schemes for the pages of one session. The media worker has its own session, since a request does not reveal its window: it can
 * save nothing and upload only what a task asked for.
 */
export function serveSchemes(
  of: Session,
  pages: Pages,
  studio: () => Promise<Studio>,
  client: 'page' | 'mediaWorker',
): void {
  const uploads = new ChunkedUploads(systemClock);
  of.protocol.handle(APP_SCHEME, async (request) => {
    if (!isOwnPage(request.url) || request.method !== 'GET') return new Response(null, { status: 404 });
    const { pathname } = new URL(request.url);
    if (client === 'page' && pathname.startsWith(SAVED_PATH)) {
      const file = (await studio()).media.open(decodeURIComponent(pathname.slice(SAVED_PATH.length)));
      return savedFile(request, file);
    }
    const exported = client === 'page' ? EXPORTED.exec(pathname) : null;
    if (exported) {
      const [id = '', name = ''] = exported.slice(1).map(decodeURIComponent);
      return savedFile(request, await (await studio()).exports.open(id, name));
    }
    const page = await pages.serve(pathname);
    if (pathname.startsWith(SCRIPTS)) page?.headers.set('access-control-allow-origin', '*');
    return page ?? new Response('There is no such page.', { status: 404 });
  });
  of.protocol.handle(MEDIA_SCHEME, async (request) =>
    readableByPages(await serveMedia(request, { studio: await studio(), uploads, client })),
  );
}

interface Served {
  studio: Studio;
  uploads: ChunkedUploads;
  client: 'page' | 'mediaWorker';
}

/** Always an attachment, never shown as a page. */
async function savedFile(request: Request, file: Result<MediaFile>): Promise<Response> {
  if (!file.ok) return Response.json(file, { status: refusedFileStatus(file.error) });
  const response = await mediaResponse(file.data, request.method, request.headers);
  response.headers.set(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(safeName(file.data.name))}`,
  );
  return response;
}

/** `studio-media://asset/<id>` with ranges; `PUT studio-media://upload/?name=…&role=…&task=…` takes bytes, large files in chunks. */
async function serveMedia(request: Request, served: Served): Promise<Response> {
  const url = new URL(request.url);
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  if (url.host === 'upload' && request.method === 'PUT') return upload(request, url, served);
  const readable = request.method === 'GET' || request.method === 'HEAD';
  if (url.host !== 'asset' || !readable) return new Response(null, { status: 404 });
  const file = served.studio.media.open(decodeURIComponent(url.pathname.slice(1)));
  if (!file.ok) return Response.json(file, { status: refusedFileStatus(file.error) });
  return assetResponse(file.data, request);
}

async function upload(request: Request, url: URL, { studio, uploads, client }: Served): Promise<Response> {
  const fields = url.searchParams;
  const film = filmPieceFrom(fields);
  if (film) return Response.json(await studio.media.writeFilm(film.taskId, film.at, bodyOf(request)));
  const options = uploadFields(fields);
  const refusal = refusedUpload(client, options);
  if (refusal) return Response.json(refusal, { status: 403 });
  const name = fields.get('name') ?? '';
  if (name === '') return Response.json(fail('invalid_input', 'name: must be the file name.', { field: 'name' }));
  const bytes = bodyOf(request);
  const take = (body: Readable) => takeUpload(studio, { name, body, ...options });
  const chunk = chunkFrom(fields);
  if (chunk) return Response.json(await uploads.put(chunk, bytes, take));
  if (fields.has('upload')) {
    return Response.json(fail('invalid_input', 'upload: must be a UUID, with at and of.', { field: 'upload' }));
  }
  const body = new PassThrough();
  // The reader gets the error too; without a reader it is harmless.
  body.on('error', () => {});
  bytes.on('error', (error) => body.destroy(error)).pipe(body);
  const result = await take(body);
  bytes.destroy();
  return Response.json(result);
}

const bodyOf = (request: Request): Readable =>
  request.body ? Readable.fromWeb(request.body as NodeStream) : Readable.from([]);

/** Pages and media have two schemes, so two origins: only our pages may read the bytes. */
function readableByPages(response: Response): Response {
  response.headers.set('access-control-allow-origin', APP_ORIGIN);
  response.headers.set('access-control-allow-methods', 'GET, HEAD, PUT');
  response.headers.set('access-control-allow-headers', 'range, content-type');
  response.headers.set('access-control-expose-headers', 'content-range, content-length, accept-ranges, etag');
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}
