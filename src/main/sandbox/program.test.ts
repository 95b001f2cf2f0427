import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { tempDir } from '../../../test/helpers/testPorts.ts';
import { readFlags } from './flags.ts';
import { until } from './testHarness.ts';

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Ready {
  ready: boolean;
  baseUrl: string;
  apiKey: string;
  imagePrefix: string;
  vendor: string;
  imageAuthHeaders: string[];
  pid: number;
}

const folder = () => tempDir('sandbox');

async function run(...args: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (!child.stdout) throw new Error('no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ready: JSON.parse(line) as Ready };
}

interface Answer {
  name: string;
  jobId: string;
  status: string;
  cdnImage: string;
  done: boolean;
  response: object;
  totalNano: number;
  entries: { id: string }[];
  object: string;
}

/** Asks the running sandbox with both kinds of key. A body makes it a POST. */
async function ask({ baseUrl, apiKey }: Ready, path: string, body?: object): Promise<Answer> {
  const keys = { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}`, 'idempotency-key': 'k1' };
  const headers = { ...keys, 'content-type': 'application/json' };
  const post = body && { method: 'POST', body: JSON.stringify(body) };
  return (await fetch(`${baseUrl}${path}`, { headers, ...post })).json() as Promise<Answer>;
}

describe('the sandbox program', () => {
  it('prints that it is ready, its address and its key, and ends on SIGTERM', async () => {
    const { child, ready } = await run('--speed', 'fast', '--port=0');
    expect(ready).toMatchObject({ ready: true, imagePrefix: 'image', vendor: 'sandbox', pid: child.pid });
    expect(ready.imageAuthHeaders).toContain('X-API-Key');
    expect(await ask(ready, '/v1/models')).toMatchObject({ object: 'list' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('keeps work, bill and keys over a SIGKILL and finishes what it had accepted', async () => {
    const state = folder();
    const faults = join(folder(), 'faults.json');
    writeFileSync(faults, JSON.stringify([{ match: { endpoint: 'imagine' }, action: { kind: 'slow', factor: 100 } }]));
    const first = await run('--state', state, '--faults', faults);
    const submit = (to: Ready) => ask(to, '/image/submit/imagine', { prompt: 'a pier --q 0.25', mode: 'turbo' });
    const { jobId } = await submit(first.ready);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await run('--state', state, '--speed', 'fast');
    expect((await submit(second.ready)).jobId).toBe(jobId);
    expect((await ask(second.ready, '/__sandbox/bill')).entries.map(({ id }) => id)).toEqual([jobId]);
    const { status } = await ask(second.ready, `/image/task/${jobId}/fetch`);
    expect(['SUBMITTED', 'IN_PROGRESS']).toContain(status);
  });

  it('finishes a clip that a SIGKILL interrupted', async () => {
    const state = folder();
    const first = await run('--state', state);
    const { name } = await ask(first.ready, '/v1/chat/completions', {
      model: 'video-standard',
      messages: [{ role: 'user', content: 'salt flat' }],
      extra_body: { sandbox: { config: { durationSeconds: 4 } } },
    });
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const { ready } = await run('--state', state, '--speed', 'fast', '--media', 'tiny');
    const { response } = await until(
      () => ask(ready, `/v1/${name}`),
      ({ done }) => done,
    );
    expect(JSON.stringify(response)).toContain(`${ready.baseUrl}/media/`);
    expect((await ask(ready, '/__sandbox/bill')).totalNano).toBe(1_600_000_000);
  });

  it('renders at an eighth of the size, and treats a repeated key as a new request, if configured to', async () => {
    const { ready } = await run('--speed', 'fast', '--media', 'tiny', '--keys', 'ignored');
    const submit = () => ask(ready, '/image/submit/imagine', { prompt: 'a pier --ar 16:9' });
    const [first, second] = [await submit(), await submit()];
    expect(second.jobId).not.toBe(first.jobId);
    expect((await ask(ready, '/__sandbox/bill')).entries).toHaveLength(2);
    const task = await until(
      () => ask(ready, `/image/task/${first.jobId}/fetch`),
      ({ status }) => status === 'SUCCESS',
    );
    const png = Buffer.from(await (await fetch(task.cdnImage)).arrayBuffer());
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(width * height).toBeLessThan(20_000);
    expect(width / height).toBeCloseTo(16 / 9, 1);
  });

  it('refuses a bad flag with one sentence and exit code 2', async () => {
    const child = spawn(process.execPath, [PROGRAM, '--speed', 'slow'], { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(said.trim()).toBe("--speed must be 'fast' or a number above 0, such as 2.");
  });
});

describe('the flags', () => {
  it.each([
    [['--port', '70000'], '--port must be'],
    [['--port', '1.5'], '--port must be'],
    [['--seed', '-1'], '--seed must be'],
    [['--speed', '0'], '--speed must be'],
    [['--speed'], '--speed needs a value'],
    [['--video', 'later'], '--video must be'],
    [['--media', 'small'], '--media must be'],
    [['--keys', 'yes'], '--keys must be'],
    [['--faults', '/nowhere.json'], '--faults must be a JSON file'],
    [['--loud'], '--loud is not a flag'],
    [['8080'], '8080 is not a flag'],
  ])('%j is refused', (args, message) => {
    const read = readFlags(args);
    expect(read.ok ? 'accepted' : read.message).toContain(message);
  });

  it('are read, with = or a space', () => {
    const read = readFlags(['--port=0', '--seed', '4', '--speed', '2.5', '--video', 'immediate', '--state', 'x']);
    expect(read).toEqual({
      ok: true,
      options: { port: 0, seed: 4, speed: 2.5, videoAnswer: 'immediate', stateDir: 'x' },
    });
  });

  it('name the rule a fault file breaks', () => {
    const path = join(folder(), 'faults.json');
    writeFileSync(path, '[{"action":{"kind":"status","status":7}}]');
    expect(readFlags(['--faults', path])).toEqual({
      ok: false,
      message: '--faults faults[0].action.status: must be 200 to 599.',
    });
  });
});
