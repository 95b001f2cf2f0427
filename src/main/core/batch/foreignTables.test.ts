import { describe, expect, it } from 'vitest';
import type { BatchFormat } from '../../../shared/jobs/batch.ts';
import { readBatch } from './readBatch.ts';

/** The rows, and the number of requests that were validated for them. */
async function read(text: string, format: BatchFormat, defaults?: Record<string, unknown>) {
  let looked = 0;
  const models = [{ kind: 'video', id: 'm' }];
  const reasons = async () => {
    looked += 1;
    return [];
  };
  const facts = {
    reasons,
    secretIn: () => undefined,
    price: () => ({ nano: 1, lowNano: 1 }),
    kept: new Map<string, never>(),
    nextTurn: async () => undefined,
  };
  const answer = await readBatch({ text, format, ...(defaults ? { defaults } : {}) }, { models, projects: [] }, facts);
  return { answer, looked };
}

async function requestsIn(text: string, format: BatchFormat) {
  const { answer } = await read(text, format);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.data.map(({ request, errors }) => request ?? errors);
}

const CONFIG = { durationSeconds: 8, aspectRatio: '16:9', generateAudio: true, sampleCount: 2 };
const CLIPS = [
  { kind: 'video', model: 'm', prompt: 'Sea', config: CONFIG, image: { assetId: 'a' }, lastFrame: { assetId: 'b' } },
  { kind: 'video', model: 'm', prompt: 'Sea', config: CONFIG, referenceImages: [{ assetId: 'a' }, { assetId: 'c' }] },
];

describe('a table of another program', () => {
  it('names the separator, has decimal commas, localized words and the fields of the request', async () => {
    const table = [
      'sep=;',
      'kind;prompt;durationSeconds;aspectRatio;generateAudio;Sample Count;image;last_frame;referenceImages',
      'video;Sea;8,0;16:9;WAHR;2;a;b;',
      'video;Sea;8;16:9;ja;2;;;"a;c"',
    ];
    expect(await requestsIn(table.join('\r\n'), 'csv')).toEqual(CLIPS);
  });

  it('may have a column once, under one of its names', async () => {
    expect(await requestsIn('kind,prompt,seconds,durationSeconds\nvideo,Sea,8,8', 'csv')).toContainEqual([
      { field: 'seconds', message: 'is a column twice.' },
    ]);
  });
});

describe('a JSON line', () => {
  const line = {
    kind: 'video',
    prompt: 'Sea',
    durationSeconds: 8,
    aspectRatio: '16:9',
    generateAudio: true,
    sampleCount: 2,
  };

  it('may have the fields of the request beside the columns', async () => {
    const said = [
      { ...line, image: 'a', lastFrame: 'b' },
      { ...line, referenceImages: ['a', 'c'] },
      { ...line, image: { assetId: 'a' }, lastFrame: { assetId: 'b' } },
      { ...line, referenceImages: [{ assetId: 'a' }, { assetId: 'c' }] },
    ];
    const read = await requestsIn(said.map((one) => JSON.stringify(one)).join('\n'), 'jsonl');
    expect(read).toEqual([...CLIPS, ...CLIPS]);
  });

  it('may say a value once', async () => {
    expect(await requestsIn(JSON.stringify({ ...line, seconds: 4 }), 'jsonl')).toEqual([
      [{ field: 'seconds', message: 'is a column twice.' }],
    ]);
  });
});

describe('a text of too many lines is refused before one of them is read', () => {
  const MOST = 10_000;
  it.each<[BatchFormat, string, number]>([
    ['lines', 'Sea\n\n'.repeat(MOST + 1), MOST + 1],
    ['jsonl', '{"prompt":"Sea"}\n'.repeat(MOST + 2), MOST + 2],
    ['csv', `kind,prompt\n${'video,"Sea\nand land"\n,\n'.repeat(MOST + 3)}`, MOST + 3],
  ])('%s', async (format, text, count) => {
    const { answer, looked } = await read(text, format, { kind: 'video' });
    const message = `text: makes ${count.toLocaleString('en')} lines; at most 10,000 are read at once.`;
    expect([looked, answer]).toEqual([0, expect.objectContaining({ error: expect.objectContaining({ message }) })]);
  });
});
