import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { protocol, type Session } from 'electron';
import { fail } from '../../../shared/result.ts';
import { shownName } from '../../../shared/shownName.ts';
import type { Studio } from '../../core/studio.ts';
import { systemClock } from '../common/clock.ts';
import { mediaResponse } from '../common/mediaResponse.ts';
import { refusedUpload } from '../common/mediaRights.ts';
import type { Pages } from '../common/pages.ts';
import { APP_ORIGIN, APP_SCHEME, isOwnPage, MEDIA_SCHEME } from './origin.ts';
import { PieceUploads, pieceOf } from './pieces.ts';

/** Must be called before the app is ready. */
export function registerSchemes(): void {
  const common = { standard: true, secure: true, supportFetchAPI: true };
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { ...common, codeCache: true } },
    { scheme: MEDIA_SCHEME, privileges: { ...common, stream: true, corsEnabled: true } },
  ]);
}

/** Files to be saved, on the pages' own origin: a link to another origin would be followed, not saved. */
const SAVED = '/media/';

/**
 * Both schemes, for the pages of one session. That of the media worker is a session of its own, since a request does not tell which
 * window it comes from: there nothing is saved, and only what a task asked for is uploaded.
 */
export function serveSchemes(
  of: Session,
  pages: Pages,
  studio: () => Promise<Studio>,
  visitor: 'page' | 'mediaWorker',
): void {
  const pieces = new PieceUploads(systemClock);
  of.protocol.handle(APP_SCHEME, async (request) => {
    if (!isOwnPage(request.url) || request.method !== 'GET') return new Response(null, { status: 404 });
    const { pathname } = new URL(request.url);
    if (visitor === 'page' && pathname.startsWith(SAVED))
      return savedMedia(request, pathname.slice(SAVED.length), await studio());
    const page = await pages.serve(pathname);
    return page ?? new Response('There is no such page.', { status: 404 });
  });
  of.protocol.handle(MEDIA_SCHEME, async (request) =>
    readableByPages(await serveMedia(request, { studio: await studio(), pieces, visitor })),
  );
}

interface Served {
  studio: Studio;
  pieces: PieceUploads;
  visitor: 'page' | 'mediaWorker';
}

/** Never shown as a page: it is an attachment, whatever asks for it. */
async function savedMedia(request: Request, id: string, studio: Studio): Promise<Response> {
  const file = studio.media.open(decodeURIComponent(id));
  if (!file.ok) return Response.json(file, { status: 404 });
  const response = await mediaResponse(file.data, request.method, request.headers);
  response.headers.set(
    'content-disposition',
    `attachment; filename*=UTF-8''${encodeURIComponent(shownName(file.data.name))}`,
  );
  return response;
}

/** `studio-media://asset/<id>` with ranges; `PUT studio-media://upload/?name=…&role=…&task=…` takes bytes, large ones in pieces. */
async function serveMedia(request: Request, served: Served): Promise<Response> {
  const url = new URL(request.url);
  if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
  if (url.host === 'upload' && request.method === 'PUT') return upload(request, url, served);
  const readable = request.method === 'GET' || request.method === 'HEAD';
  if (url.host !== 'asset' || !readable) return new Response(null, { status: 404 });
  const file = served.studio.media.open(decodeURIComponent(url.pathname.slice(1)));
  return file.ok ? mediaResponse(file.data, request.method, request.headers) : Response.json(file, { status: 404 });
}

async function upload(request: Request, url: URL, { studio, pieces, visitor }: Served): Promise<Response> {
  const fields = url.searchParams;
  const taskId = fields.get('task');
  const refusal = refusedUpload(visitor, taskId);
  if (refusal) return Response.json(refusal, { status: 403 });
  const name = fields.get('name') ?? '';
  if (name === '') return Response.json(fail('invalid_input', 'name: must be the file name.', { field: 'name' }));
  const bytes = request.body ? Readable.fromWeb(request.body as NodeStream) : Readable.from([]);
  const role = fields.get('role');
  const said = { ...(taskId ? { taskId } : {}), ...(role === null ? {} : { role }) };
  const take = (body: Readable) => studio.media.upload({ name, body, ...said });
  const piece = pieceOf(fields);
  if (piece) return Response.json(await pieces.put(piece, bytes, take));
  if (fields.has('upload')) {
    return Response.json(fail('invalid_input', 'upload: must be a UUID, with at and of.', { field: 'upload' }));
  }
  const body = new PassThrough();
  // Whoever reads hears of a cut too; where nobody reads any more, it is no fault.
  body.on('error', () => {});
  bytes.on('error', (error) => body.destroy(error)).pipe(body);
  const result = await take(body);
  bytes.destroy();
  return Response.json(result);
}

/** Pages and media are two schemes, so two origins: our pages, and only they, may read the bytes. */
function readableByPages(response: Response): Response {
  response.headers.set('access-control-allow-origin', APP_ORIGIN);
  response.headers.set('access-control-allow-methods', 'GET, HEAD, PUT');
  response.headers.set('access-control-allow-headers', 'range, content-type');
  response.headers.set('access-control-expose-headers', 'content-range, content-length, accept-ranges, etag');
  response.headers.set('cross-origin-resource-policy', 'cross-origin');
  return response;
}
