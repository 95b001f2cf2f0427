import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that drops the last byte of the first answers to paid requests; the task that they name stays readable. */
export async function cutAnswers(service: string, count: number): Promise<{ baseUrl: string; close(): void }> {
  const { hostname, port } = new URL(service);
  let left = count;
  const server = http.createServer((request, response) => {
    const { method, headers, url: path } = request;
    const isCut = method === 'POST' && headers['idempotency-key'] !== undefined && left-- > 0;
    const forward = http.request({ hostname, port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => void parts.push(part));
      answer.on('end', () => {
        const whole = Buffer.concat(parts);
        const { 'content-length': _length, 'transfer-encoding': _coding, ...rest } = answer.headers;
        const body = isCut ? whole.subarray(0, -1) : whole;
        response.writeHead(answer.statusCode ?? 502, { ...rest, 'content-length': body.length });
        response.end(body);
      });
    });
    forward.on('error', () => response.destroy());
    request.pipe(forward);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port: own } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${own}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
