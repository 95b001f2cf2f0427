import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readFlags } from './flags.ts';
import { until } from './testHarness.ts';

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url));
const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
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

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  folders.push(path);
  return path;
}

async function run(...args: string[]): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  if (!child.stdout) throw new Error('no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, ready: JSON.parse(line) as Ready };
}

const json = async (answer: Response | Promise<Response>) => (await answer).json() as Promise<never>;

describe('the sandbox program', () => {
  it('prints that it is ready, its address and its key, and ends on SIGTERM', async () => {
    const { child, ready } = await run('--speed', 'fast', '--port=0');
    expect(ready).toMatchObject({ ready: true, imagePrefix: 'image', vendor: 'sandbox', pid: child.pid });
    expect(ready.imageAuthHeaders).toContain('X-API-Key');
    const models = await fetch(`${ready.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${ready.apiKey}` } });
    expect((await json(models)) as { data: object[] }).toMatchObject({ object: 'list' });
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('keeps work, bill and keys over a SIGKILL and finishes what it had accepted', async () => {
    const state = folder();
    const faults = join(folder(), 'faults.json');
    writeFileSync(faults, JSON.stringify([{ match: { endpoint: 'imagine' }, action: { kind: 'slow', factor: 100 } }]));
    const first = await run('--state', state, '--faults', faults);
    const headers = { 'x-api-key': first.ready.apiKey, 'idempotency-key': 'k1', 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'a pier --q 0.25', mode: 'turbo' });
    const submit = (baseUrl: string) =>
      json(fetch(`${baseUrl}/image/submit/imagine`, { method: 'POST', headers, body }));
    const { jobId } = (await submit(first.ready.baseUrl)) as { jobId: string };
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');

    const second = await run('--state', state, '--speed', 'fast');
    expect(((await submit(second.ready.baseUrl)) as { jobId: string }).jobId).toBe(jobId);
    const bill = (await json(fetch(`${second.ready.baseUrl}/__sandbox/bill`))) as { entries: { id: string }[] };
    expect(bill.entries.map(({ id }) => id)).toEqual([jobId]);
    const task = (await json(fetch(`${second.ready.baseUrl}/image/task/${jobId}/fetch`, { headers }))) as {
      status: string;
    };
    expect(['SUBMITTED', 'IN_PROGRESS']).toContain(task.status);
  });

  it('finishes a clip that a SIGKILL has cut off', async () => {
    const state = folder();
    const start = (baseUrl: string, apiKey: string) =>
      json(
        fetch(`${baseUrl}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'video-standard',
            messages: [{ role: 'user', content: 'salt flat' }],
            extra_body: { sandbox: { config: { durationSeconds: 4 } } },
          }),
        }),
      );
    const first = await run('--state', state);
    const { name } = (await start(first.ready.baseUrl, first.ready.apiKey)) as { name: string };
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const { ready } = await run('--state', state, '--speed', 'fast', '--media', 'tiny');
    const headers = { authorization: `Bearer ${ready.apiKey}` };
    const done = await until(
      async () =>
        (await json(fetch(`${ready.baseUrl}/v1/${name}`, { headers }))) as { done: boolean; response?: never },
      (operation) => operation.done,
    );
    expect(JSON.stringify(done.response)).toContain(`${ready.baseUrl}/media/`);
    const bill = (await json(fetch(`${ready.baseUrl}/__sandbox/bill`))) as { totalNano: number };
    expect(bill.totalNano).toBe(1_600_000_000);
  });

  it('renders at an eighth of the size, and treats a repeated key as a new request, if configured to', async () => {
    const { ready } = await run('--speed', 'fast', '--media', 'tiny', '--keys', 'ignored');
    const headers = { 'x-api-key': ready.apiKey, 'idempotency-key': 'k1', 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'a pier --ar 16:9' });
    const submit = () => json(fetch(`${ready.baseUrl}/image/submit/imagine`, { method: 'POST', headers, body }));
    const [first, second] = [(await submit()) as { jobId: string }, (await submit()) as { jobId: string }];
    expect(second.jobId).not.toBe(first.jobId);
    const bill = (await json(fetch(`${ready.baseUrl}/__sandbox/bill`))) as { entries: object[] };
    expect(bill.entries).toHaveLength(2);
    const task = await until(
      async () =>
        (await json(fetch(`${ready.baseUrl}/image/task/${first.jobId}/fetch`, { headers }))) as {
          status: string;
          cdnImage: string;
        },
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
