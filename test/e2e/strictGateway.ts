import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Ready {
  baseUrl: string;
  vendor: string;
}

/** A request for a video, as it was sent. */
export interface SentVideo {
  extra_body: Record<string, { config?: Record<string, unknown>; video?: { uri: string } }>;
}

const VENDOR = 'acme';

/**
 * A gateway before the sandbox that knows the options of videos only under a vendor of its own and in snake_case, refuses every other by its
 * name, and states in its list when a model ends.
 */
export class StrictGateway {
  /** Every request for a video, the refused ones too. */
  readonly videos: SentVideo[] = [];
  /** Days on which models end, by id, as the list states them. */
  ends: Record<string, string> = {};
  private readonly server: Server;
  private readonly inner: Ready;

  private constructor(inner: Ready) {
    this.inner = inner;
    this.server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(inner: Ready): Promise<StrictGateway> {
    const gateway = new StrictGateway(inner);
    await new Promise<void>((done) => gateway.server.listen(0, '127.0.0.1', done));
    return gateway;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const asked = body.includes('"extra_body"') ? (JSON.parse(body) as SentVideo) : undefined;
    const refusal = asked && this.refusalOf(asked);
    if (refusal !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: refusal, type: 'invalid_request_error' } }));
      return;
    }
    const sent = asked ? body.replace(`"${VENDOR}":`, `"${this.inner.vendor}":`) : body;
    const answer = await fetch(this.inner.baseUrl + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      ...(sent === '' ? {} : { body: sent }),
    });
    const said = request.url?.endsWith('/v1/models') ? this.listed(await answer.text()) : await answer.arrayBuffer();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(typeof said === 'string' ? said : Buffer.from(said));
  }

  private refusalOf(asked: SentVideo): string | undefined {
    this.videos.push(asked);
    const [name = ''] = Object.keys(asked.extra_body);
    if (name !== VENDOR)
      return `extra_body.${name}: is not known here: this service's options are in extra_body.${VENDOR}`;
    const { config = {} } = asked.extra_body[VENDOR] ?? {};
    const unknown = Object.keys(config).find((field) => /[A-Z]/.test(field));
    return unknown && `extra_body.${VENDOR}.config.${unknown}: Extra inputs are not permitted`;
  }

  private listed(text: string): string {
    const list = JSON.parse(text) as { data: { id: string }[] };
    const data = list.data.map((model) => {
      const end = this.ends[model.id];
      return end === undefined ? model : { ...model, shutdown_date: end };
    });
    return JSON.stringify({ ...list, data });
  }
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['authorization', 'content-type', 'x-api-key', 'idempotency-key'];
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}
