import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A gateway whose answers need the user's decision: every chat states a cost that no price book allows, and every video connection is cut
 * after the request was sent.
 */
export class OddGateway {
  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<OddGateway> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        if (!body.includes('"language"')) return void request.socket.destroy();
        const answer = {
          id: 'chatcmpl-1',
          choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6, cost: 0.5 },
        };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new OddGateway(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
