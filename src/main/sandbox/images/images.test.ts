import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSandboxHarness, refusalOf, type SandboxHarness, until } from '../testHarness.ts';
import { readImaginePrompt } from './promptFlags.ts';

interface Task {
  id: string;
  status: string;
  progress: string;
  failReason: string;
  cdnImage?: string;
  width?: number;
  height?: number;
}

const submit = async (harness: SandboxHarness, path: string, body: object) =>
  (await (await harness.send('POST', `/image/submit/${path}`, body)).json()) as {
    code: number;
    result: string;
    jobId: string;
  };

const finished = (harness: SandboxHarness, id: string) =>
  until(
    async () => (await (await harness.send('POST', `/image/task/${id}/fetch`, { jobId: id })).json()) as Task,
    (task) => ['SUCCESS', 'FAILURE'].includes(task.status),
  );

async function pixelsAt(url: string) {
  const image = await loadImage(Buffer.from(await (await fetch(url)).arrayBuffer()));
  const pen = createCanvas(image.width, image.height).getContext('2d');
  pen.drawImage(image, 0, 0);
  return {
    width: image.width,
    height: image.height,
    pixels: new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer),
  };
}

function maskOf(width: number, height: number, white: [number, number, number, number], ink = '#fff'): string {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#000';
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = ink;
  pen.fillRect(...white);
  return canvas.toBuffer('image/png').toString('base64');
}

let harness: SandboxHarness;
let base: Task;
beforeAll(async () => {
  harness = await openSandboxHarness();
  base = await finished(
    harness,
    (await submit(harness, 'imagine', { prompt: 'night quay --ar 16:9 --q 0.25 --seed 4', mode: 'turbo' })).jobId,
  );
});
afterAll(() => harness.sandbox.close());

describe('imagine', () => {
  it('makes a PNG of the requested ratio under both image fields', async () => {
    expect(base).toMatchObject({ status: 'SUCCESS', progress: '100%', failReason: '' });
    const { width, height } = await pixelsAt(base.cdnImage ?? '');
    expect(width * 9).toBe(height * 16);
    expect((await fetch(base.cdnImage ?? '')).headers.get('content-type')).toBe('image/png');
  });

  it('gives its tasks ids with more digits than a double holds, and bills them at 0', async () => {
    const answer = await submit(harness, 'imagine', { prompt: 'pier --q 0.25' });
    expect(answer).toMatchObject({ code: 1, result: answer.jobId });
    expect(answer.jobId).toMatch(/^\d{19}$/);
    expect(harness.sandbox.bill().entries.at(-1)).toMatchObject({
      id: answer.jobId,
      kind: 'imagine',
      nano: 0,
      prompt: 'pier --q 0.25',
    });
  });

  it.each([
    ['X-API-Key', 200],
    ['SANDBOX-API-KEY', 200],
    ['sandbox-key', 200],
    ['Authorization', 401],
  ])('returns a task by GET too, with the key in %s: %i', async (header, status) => {
    const key = header === 'Authorization' ? `Bearer ${harness.sandbox.apiKey}` : harness.sandbox.apiKey;
    const headers = header === 'Authorization' ? { [header]: key } : { [header]: key, Authorization: 'Bot token' };
    expect((await fetch(`${harness.sandbox.baseUrl}/image/task/${base.id}/fetch`, { headers })).status).toBe(status);
  });

  it.each([
    [{ prompt: ' ' }, 'prompt'],
    [{ prompt: '--ar 16:9' }, 'prompt'],
    [{ prompt: 'x', mode: 'slow' }, 'mode'],
    [{ prompt: 'x', hookUrl: 'ftp://x' }, 'hookUrl'],
    [{ prompt: 'x --ar 16' }, 'prompt --ar'],
    [{ prompt: 'x --q 3' }, 'prompt --q'],
    [{ prompt: 'x --v seven' }, 'prompt --v'],
  ])('refuses %j, naming %s', async (body, field) => {
    expect(await refusalOf(await harness.send('POST', '/image/submit/imagine', body))).toMatchObject({
      status: 400,
      param: field,
    });
  });

  it('refuses a banned word with a code of its own, and an unknown task with a 400', async () => {
    expect(await submit(harness, 'imagine', { prompt: 'something forbidden' })).toMatchObject({ code: 24 });
    expect((await harness.send('POST', '/image/task/1/fetch', { jobId: '1' })).status).toBe(400);
    expect((await harness.send('POST', `/image/task/${base.id}/fetch`, { jobId: '1' })).status).toBe(400);
  });

  it('keeps ratios exact in whole pixels and grows with quality', () => {
    for (const ratio of ['1:1', '3:2', '2:3', '16:9', '9:16', '21:9']) {
      const { width, height } = readImaginePrompt(`x --ar ${ratio}`);
      const [across = 1, down = 1] = ratio.split(':').map(Number);
      expect(width * down).toBe(height * across);
    }
    expect(readImaginePrompt('x --q 2').width).toBeGreaterThan(readImaginePrompt('x').width);
    expect(readImaginePrompt('a pier, --v 6.1 --no rain at dusk --ar 3:2')).toMatchObject({
      words: 'a pier, at dusk',
      version: '6.1',
    });
  });
});

describe('edits', () => {
  it('repaint the white pixels, keep the black ones bit for bit, and can be edited again', async () => {
    const { width = 0, height = 0 } = base;
    const before = await pixelsAt(base.cdnImage ?? '');
    const first = await finished(
      harness,
      (
        await submit(harness, 'edits', {
          jobId: base.id,
          mask: maskOf(width, height, [40, 20, 60, 50]),
          prompt: 'a moon',
          timeout: 300,
        })
      ).jobId,
    );
    const after = await pixelsAt(first.cdnImage ?? '');
    expect([after.width, after.height]).toEqual([width, height]);
    for (let at = 0; at < before.pixels.length; at += 1) {
      const [x, y] = [at % width, Math.floor(at / width)];
      const isWhite = x >= 40 && x < 100 && y >= 20 && y < 70;
      if ((before.pixels[at] !== after.pixels[at]) !== isWhite) throw new Error(`pixel ${x},${y}`);
    }
    const again = await submit(harness, 'edits', { jobId: first.id, mask: maskOf(width, height, [0, 0, 10, 10]) });
    expect((await finished(harness, again.jobId)).status).toBe('SUCCESS');
  });

  it.each<[string, (task: Task) => object, string]>([
    ['no base', (task) => ({ jobId: '1', mask: maskOf(task.width ?? 0, task.height ?? 0, [0, 0, 1, 1]) }), 'jobId'],
    ['no mask', (task) => ({ jobId: task.id }), 'mask'],
    [
      'a data: prefix',
      (task) => ({ jobId: task.id, mask: `data:image/png;base64,${maskOf(8, 8, [0, 0, 1, 1])}` }),
      'mask',
    ],
    ['another size', (task) => ({ jobId: task.id, mask: maskOf(8, 8, [0, 0, 1, 1]) }), 'mask'],
    [
      'a soft edge',
      (task) => ({ jobId: task.id, mask: maskOf(task.width ?? 0, task.height ?? 0, [0.5, 0, 4, 4]) }),
      'mask',
    ],
    [
      'grey',
      (task) => ({ jobId: task.id, mask: maskOf(task.width ?? 0, task.height ?? 0, [0, 0, 4, 4], '#777') }),
      'mask',
    ],
    ['no PNG', (task) => ({ jobId: task.id, mask: 'QUJD' }), 'mask'],
    ['a timeout of 0', (task) => ({ jobId: task.id, mask: 'QUJD', timeout: 0 }), 'timeout'],
  ])('refuse %s', async (_, bodyOf, field) => {
    expect(await refusalOf(await harness.send('POST', '/image/submit/edits', bodyOf(base)))).toMatchObject({
      status: 400,
      param: field,
    });
  });
});

describe('webhooks', () => {
  async function receiver() {
    const seen: { path: string; body: Task }[] = [];
    let wake = () => {};
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.end();
      wake();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const reach = (count: number) =>
      new Promise<void>((done) => {
        wake = () => seen.length >= count && done();
        wake();
      });
    return { url, seen, reach, close: () => new Promise((done) => server.close(done)) };
  }

  it('report progress and end with the body of a fetch', async () => {
    const hook = await receiver();
    const { jobId } = await submit(harness, 'imagine', {
      prompt: 'dawn --q 0.25',
      hookUrl: `${hook.url}/hooks/j/secret`,
    });
    await hook.reach(2);
    expect(hook.seen.map(({ body }) => body.status)).toEqual(['IN_PROGRESS', 'SUCCESS']);
    expect(hook.seen[1]).toMatchObject({
      path: '/hooks/j/secret',
      body: { id: jobId, cdnImage: (await finished(harness, jobId)).cdnImage },
    });
    await hook.close();
  });

  it('are repeated and forged by a fault script', async () => {
    const hook = await receiver();
    const scripted = async (what: 'repeated' | 'forged', expected: number) => {
      await harness.send('PUT', '/__sandbox/faults', [
        { match: { endpoint: 'imagine' }, action: { kind: 'hook', what } },
      ]);
      hook.seen.length = 0;
      await submit(harness, 'imagine', { prompt: 'dawn --q 0.25', hookUrl: `${hook.url}/hooks/j/secret` });
      await hook.reach(expected);
      return hook.seen.map(({ path, body }) => `${path} ${body.status} ${body.cdnImage?.includes('forged') ?? false}`);
    };
    expect(await scripted('repeated', 4)).toEqual([
      '/hooks/j/secret IN_PROGRESS false',
      ...Array(3).fill('/hooks/j/secret SUCCESS false'),
    ]);
    expect(await scripted('forged', 4)).toEqual([
      '/hooks/j/secret IN_PROGRESS false',
      '/hooks/j/secret SUCCESS true',
      '/hooks/j/not-the-secret SUCCESS true',
      '/hooks/j/secret SUCCESS false',
    ]);
    await harness.send('PUT', '/__sandbox/faults', []);
    await hook.close();
  });
});

describe('a cancel', () => {
  it('ends an unfinished task with a state like a failure, and leaves a finished one unchanged', async () => {
    const slow = await openSandboxHarness({ speed: 0.01 });
    const { jobId } = await submit(slow, 'imagine', { prompt: 'sea', mode: 'relax' });
    expect((await slow.send('POST', `/image/task/${jobId}/cancel`)).status).toBe(200);
    expect(await finished(slow, jobId)).toMatchObject({ status: 'FAILURE', failReason: 'The task was canceled.' });
    await slow.sandbox.close();
    await harness.send('POST', `/image/task/${base.id}/cancel`);
    expect((await finished(harness, base.id)).status).toBe('SUCCESS');
  });
});
