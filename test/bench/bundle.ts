import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawZip } from '../helpers/rawZip.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { openStudio } from '../helpers/testStudio.ts';
import type { Figure } from './figures.ts';
import { longest, measured } from './turns.ts';

/** Opens a bundle with 5,000 takes; measures the longest turn of the thread that answers pages. */

const TAKES = 5_000;
const SHOTS = 500;
const CHATS = 10;
const MESSAGES = 400;
const LONG_MS = 20;

export async function benchBundle(): Promise<Figure[]> {
  const path = join(tempDir('bundle'), 'film.dailies');
  writeFileSync(path, bundle());
  const studio = await openStudio();
  const figures: Figure[] = [];
  for (const name of ['bundle.read', 'bundle.open'] as const) {
    const { ms, busy } = await measured(() => studio.ask(name, { path }));
    figures.push(
      { name: `${name} of ${TAKES} takes, ${SHOTS} shots and ${CHATS * MESSAGES} messages`, value: ms, unit: 'ms' },
      { name: '  turn on a processor, longest', value: longest(busy), unit: 'ms' },
      {
        name: `  turns over ${LONG_MS} ms on a processor`,
        value: busy.filter((turn) => turn > LONG_MS).length,
        unit: '',
      },
    );
  }
  await studio.close();
  return figures;
}

/** Without files, whose copying the download bench measures. */
function bundle(): Buffer {
  const lines = (count: number, make: (at: number) => object) =>
    Array.from({ length: count }, (_, at) => `${JSON.stringify(make(at))}\n`).join('');
  const chat = {
    ...{ dailies: 'chat', form: 1, title: 'Notes', createdAt: 5, active: 'b' },
    branches: [{ id: 'b', createdAt: 5 }],
    messages: Array.from({ length: MESSAGES }, (_, at) => ({
      ...{ id: `m${at}`, branch: 'b', role: 'user', text: `What is said of the lighthouse, ${at}. `.repeat(10) },
      ...(at === 0 ? {} : { after: `m${at - 1}` }),
      createdAt: 5,
    })),
  };
  const counts = { shots: SHOTS, jobs: TAKES, assets: TAKES, chats: CHATS, bytes: 0 };
  const manifest = { dailies: 'bundle', form: 1, version: '9.9.9', title: 'Lighthouse', createdAt: 5, ...counts };
  const perShot = TAKES / SHOTS;
  const takesOf = (shot: number) => Array.from({ length: perShot }, (_, at) => `job_${shot * perShot + at}`);
  return rawZip([
    { name: 'dailies.json', data: JSON.stringify(manifest) },
    { name: 'film.json', data: '{}' },
    {
      name: 'shots.jsonl',
      data: lines(SHOTS, (at) => ({ id: `s${at}`, prompt: `A lighthouse, shot ${at}`, takes: takesOf(at) })),
      packed: true,
    },
    {
      name: 'jobs.jsonl',
      data: lines(TAKES, (at) => ({
        ...{ id: `job_${at}`, state: 'succeeded', createdAt: 5 + at },
        request: { kind: 'imagine', prompt: `A lighthouse at night, seen from the quay, take ${at}` },
        elsewhere: { gateway: 'Theirs', costNano: 800_000_000, costLowNano: 800_000_000 },
      })),
      packed: true,
    },
    {
      name: 'assets.jsonl',
      data: lines(TAKES, (at) => ({
        ...{ id: `as_${at}`, role: 'output', name: `Lighthouse ${at}`, createdAt: 5 + at, mime: 'image/png' },
        ...{ jobId: `job_${at}`, outputIndex: 0, model: 'model' },
      })),
      packed: true,
    },
    ...Array.from({ length: CHATS }, (_, at) => ({
      name: `chats/${String(at + 1).padStart(4, '0')}.json`,
      data: JSON.stringify(chat),
      packed: true,
    })),
  ]);
}
