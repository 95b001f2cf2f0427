import { Hono } from 'hono';
import { bearerKey, imageKey } from './auth.ts';
import { billReport } from './bill.ts';
import { chatCompletion } from './chat/chatRoute.ts';
import type { Env, Gateway, RequestContext } from './context.ts';
import { ApiError } from './errors.ts';
import { faultActions } from './faultActions.ts';
import { parseFaults } from './faults.ts';
import { IdempotencyGuard } from './idempotency.ts';
import { cancelTask, fetchTask, listTasks, submitImage } from './images/imageRoutes.ts';
import type { ImageWork } from './images/imageWork.ts';
import { serveMedia } from './mediaRoute.ts';
import { kindOfModel, modelList } from './models.ts';
import { originGuard, strangerGuard } from './originGuard.ts';
import { bodyObject, parseRequest } from './parseRequest.ts';
import type { RequestLog } from './requestLog.ts';
import { readOperation, videoCompletion } from './video/videoRoutes.ts';
import type { VideoWork } from './video/videoWork.ts';

interface Work {
  videos: VideoWork;
  images: ImageWork;
}

/** The whole gateway as one app: request parsing, scripted faults, keys, then the endpoints of spec 4. */
export function createApp(gateway: Gateway, work: Work, log: RequestLog): Hono<Env> {
  const idempotency = new IdempotencyGuard(gateway.state, gateway.clock.now, gateway.settings.honoursKeys);
  const app = new Hono<Env>();
  app.onError((error, c) => refuse(error, c));
  app.notFound((c) =>
    c.json(new ApiError(404, `Unknown path: ${c.req.method} ${c.req.path}`, { code: 'not_found' }).toBody(), 404),
  );
  app.use(strangerGuard(gateway), originGuard, parseRequest(gateway, log), faultActions(gateway));

  app.use('/v1/*', bearerKey(gateway));
  app.get('/v1/models', (c) => c.json(modelList(gateway.settings.statesPrices)));
  app.post('/v1/chat/completions', (c) => {
    const body = bodyObject(c.get('body'));
    return kindOfModel(body.model) === 'video'
      ? videoCompletion(gateway, idempotency, work.videos, c, body)
      : chatCompletion(gateway, idempotency, c, body);
  });
  app.get('/v1/operations/*', (c) => readOperation(gateway, work.videos, c));

  const images = `/${gateway.settings.imagePrefix}`;
  app.use(`${images}/*`, imageKey(gateway));
  app.post(`${images}/submit/imagine`, (c) => submitImage(gateway, idempotency, work.images, c, 'imagine'));
  app.post(`${images}/submit/edits`, (c) => submitImage(gateway, idempotency, work.images, c, 'edits'));
  app.on(['POST', 'GET'], `${images}/task/:id/fetch`, (c) => fetchTask(gateway, c));
  app.post(`${images}/task/:id/cancel`, (c) => cancelTask(gateway, c));
  app.post(`${images}/task/list-by-condition`, (c) => listTasks(gateway, c));

  app.get('/media/:name', (c) => serveMedia(gateway, c));
  addControlRoutes(app, gateway, log);
  return app;
}

/** Control routes for tests and users: without key and log, and refused to strangers like everything else. */
function addControlRoutes(app: Hono<Env>, gateway: Gateway, log: RequestLog): void {
  app.get('/__sandbox/bill', (c) => c.json(billReport(gateway.state.bill)));
  app.get('/__sandbox/requests', (c) => c.json({ requests: log.list() }));
  app.put('/__sandbox/faults', (c) => {
    const read = parseFaults(c.get('body'));
    if (!read.ok) throw new ApiError(400, read.message);
    gateway.faults.set(read.rules);
    return c.json({ rules: read.rules.length });
  });
}

function refuse(error: Error, c: RequestContext): Response {
  const known = error instanceof ApiError ? error : new ApiError(500, `The sandbox failed: ${error.message}`);
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value);
  return c.json(known.toBody(), known.status as 400);
}
