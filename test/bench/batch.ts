import { performance } from 'node:perf_hooks';
import { openStudio, type TestStudio } from '../helpers/testStudio.ts';
import { type Figure, quantile, realClock } from './figures.ts';
import { longest, measured } from './turns.ts';

/** Reads and enqueues 10,000 jobs from one text; measures the longest turn of the event loop. */

const LINES = 10_000;

export async function benchBatch(): Promise<Figure[]> {
  const program = await openStudio({ ports: { clock: realClock } });
  await program.ask('queue.pause');
  const text = table();
  // A warm-up, as for the compared parser.
  await program.ask('batch.read', { text, format: 'csv' });
  const read = await measured(() => program.ask('batch.read', { text, format: 'csv' }));
  const enqueue = await measured(() => program.ask('batch.enqueue', { readId: read.value.readId }));
  const parse = parseMs(read.value.good, await requestsOf(program, read.value.readId));
  await program.close();
  return [
    { name: `${LINES} lines read, judged and priced`, value: read.ms, unit: 'ms' },
    { name: 'JSON.parse of the same requests', value: parse, unit: 'ms' },
    { name: 'ours beside JSON.parse', value: read.ms / parse, unit: '×' },
    { name: 'longest turn of reading', value: longest(read.turns), unit: 'ms' },
    { name: `${LINES} jobs enqueued, all or none`, value: enqueue.ms, unit: 'ms' },
    { name: 'longest turn of enqueuing', value: longest(enqueue.turns), unit: 'ms' },
    { name: '99 of 100 turns of enqueuing are shorter than', value: quantile(enqueue.turns, 0.99), unit: 'ms' },
  ];
}

const table = (): string =>
  [
    'kind,prompt,model,seconds',
    ...Array.from(
      { length: LINES },
      (_, index) => `video,"Harbour ${index} at night, rain on the quay, the boat still lit",video-standard,8`,
    ),
  ].join('\n');

async function requestsOf(program: TestStudio, readId: string): Promise<string> {
  const requests: unknown[] = [];
  let cursor: string | undefined = '0';
  while (cursor !== undefined) {
    const page: { rows: { request?: unknown }[]; nextCursor?: string } = await program.ask('batch.rows', {
      readId,
      cursor,
      limit: 500,
    });
    requests.push(...page.rows.map(({ request }) => request));
    cursor = page.nextCursor;
  }
  return requests.map((request) => JSON.stringify(request)).join('\n');
}

function parseMs(count: number, lines: string): number {
  const start = performance.now();
  const parsed = lines.split('\n').map((line) => JSON.parse(line) as unknown);
  if (parsed.length !== count) throw new Error(`${parsed.length} requests, not ${count}`);
  return performance.now() - start;
}
