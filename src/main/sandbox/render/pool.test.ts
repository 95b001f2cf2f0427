import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { RenderPool } from './pool.ts';

const STILL = { width: 32, height: 18, prompt: 'night quay', seed: 3, version: '7', label: 'night quay' };

test('an idle thread ends, and the next work starts another', async () => {
  const threads: Worker[] = [];
  const started = (thread: Worker) => void threads.push(thread);
  process.on('worker', started);
  const pool = new RenderPool({ idleMs: 1 });
  try {
    const first = await pool.still(STILL);
    const [thread] = threads;
    await expect.poll(() => thread?.threadId).toBe(-1);
    expect(await pool.still(STILL)).toEqual(first);
    expect(threads.length).toBe(2);
  } finally {
    process.off('worker', started);
    await pool.close();
  }
});

test('work that arrives while a thread is idle goes to that thread', async () => {
  const threads: Worker[] = [];
  const started = (thread: Worker) => void threads.push(thread);
  process.on('worker', started);
  const pool = new RenderPool({ idleMs: 3_600_000 });
  try {
    for (let n = 0; n < 3; n++) await pool.still(STILL);
    expect(threads.length).toBe(1);
  } finally {
    process.off('worker', started);
    await pool.close();
  }
});
