import { describe, expect, it } from 'vitest';
import { batchesOfThisFile, readTable as read, wrongIn } from '../../../../test/helpers/batches.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import { DEFAULT_PRICES, type Price } from '../../../shared/money/price.ts';
import { ROWS_PER_TURN, readBatch } from './readBatch.ts';

const studio = batchesOfThisFile();

describe('a table', () => {
  it('is read line by line, with a price for each and for all', async () => {
    const program = await studio();
    await program.ask('prices.set', { price: DEFAULT_PRICES[1] as Price });
    const reading = await read(
      program,
      'kind,prompt,model,seconds,seed,mode\r\nvideo,"A harbour, rain",video-standard,8,7,\r\n\r\nimagine,A lamp,,,,fast\r\n',
    );
    expect(reading.rows).toEqual([
      {
        line: 2,
        request: {
          kind: 'video',
          model: 'video-standard',
          prompt: 'A harbour, rain',
          config: { durationSeconds: 8, seed: 7 },
        },
        errors: [],
        estimateNano: 3_200_000_000,
        lowNano: 400_000_000,
      },
      {
        line: 4,
        request: { kind: 'imagine', prompt: 'A lamp', mode: 'fast' },
        errors: [],
        estimateNano: expect.any(Number),
        lowNano: expect.any(Number),
      },
    ]);
    const estimate = await program.ask('ledger.estimate', {
      requests: reading.rows.flatMap(({ request }) => request ?? []),
    });
    expect(reading).toMatchObject({
      good: 2,
      bad: 0,
      estimateNano: estimate.estimateNano,
      lowNano: estimate.lowNano,
      unpriced: 0,
      columns: ['kind', 'prompt', 'model', 'seconds', 'seed', 'mode'],
      sums: [
        { kind: 'video', lines: 1, jobs: 1, seconds: 8 },
        { kind: 'imagine', lines: 1, jobs: 1 },
      ],
    });
    expect((await program.ask('jobs.list', {})).total).toBe(0);
  });

  it('names every wrong cell by line and column', async () => {
    const reading = await read(
      await studio(),
      [
        'kind,prompt,model,seconds,resolution,aspect,audio,samples,seed,image,mode,timeout',
        'video,One,video-standard,5,4k,1:1,maybe,9,-1,,,',
        'video,,video-ultra,4,,,,,,,,',
        'imagine,Two,video-standard,4,,,,,,,slow,',
        'poem,Three,,,,,,,,,,',
        'edit,Four,,,,,,,,asset_none,,0.5',
        ',Five,,,,,,,,,,',
        'video,Six,video-standard,4,,,,,,asset_none,,',
        'video,Se\0ven,video-standard,4,,,,,,,,',
        'video,too,few',
        'video',
        'video,"never closed,video-standard',
      ].join('\n'),
    );
    expect(wrongIn(reading)).toEqual([
      '2 seconds: must be 4, 6, 8, or 7 when extending.',
      "2 resolution: must be '720p' or '1080p'.",
      "2 aspect: must be '16:9' or '9:16'.",
      '2 audio: must be true or false.',
      '2 samples: must be at most 4.',
      '2 seed: must be a whole number from 0 to 4,294,967,295.',
      '3 prompt: is needed here and empty.',
      '3 model: video-ultra is not in this gateway’s list of models for video.',
      '4 model: does not belong to imagine; leave it empty.',
      "4 mode: must be 'fast', 'relax' or 'turbo'.",
      '4 seconds: does not belong to imagine; leave it empty.',
      "5 kind: must be 'chat', 'video', 'imagine' or 'edit'.",
      '6 mask: is needed here and empty.',
      '6 timeout: must be a whole number from 1 to 86,400.',
      "7 kind: must be 'chat', 'video', 'imagine' or 'edit'.",
      '8 image: there is no such asset or job in the library.',
      '9 prompt: has a character that is no text (NUL).',
      '10 : The line has 3 cells and line 1 has 12; a comma inside a cell needs quotes around it.',
      '11 : The line has 1 cell and line 1 has 12; a comma inside a cell needs quotes around it.',
      '12 : The line has a quote that is never closed.',
    ]);
    expect(reading).toMatchObject({
      good: 0,
      bad: 11,
      estimateNano: 0,
      badLines: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    });
    expect(reading.rows[0]?.cells).toMatchObject({ prompt: 'One', seconds: '5' });
  });

  it('says of a header what is none of its columns', async () => {
    const program = await studio();
    const reading = await read(program, 'kind,prompt,colour,prompt\nimagine,A,red,B');
    expect(wrongIn(reading)[0]).toMatch(/^1 colour: is no column of a batch; these are: kind, prompt, model, /);
    expect(wrongIn(reading)[1]).toBe('1 prompt: is a column twice.');
    expect(wrongIn(await read(program, `${'a,'.repeat(99_999)}a\n1,2`))).toEqual([
      '1 : Line 1 has 100,000 columns; a batch has 18.',
    ]);
    expect(wrongIn(await read(program, 'k\0i\0n\0d\0,\0\nv\0'))[0]).toMatch(/^1 k\0i/);
    expect((await read(program, '')).rows).toEqual([]);
  });
});

describe('JSON lines', () => {
  const jsonl = (from: TestStudio, ...lines: string[]) => read(from, lines.join('\n'), { format: 'jsonl' });

  it('send the messages of a request as they are, and expand what a prompt says', async () => {
    const said = (content: string, role: 'user' | 'system' = 'user') => ({ role, content });
    const each = [
      [said('Solve x \\\\ y, set \\{1,2\\}')],
      [said('Answer as {"mood": "good|bad"}')],
      [said('Speak {shortly|at length}', 'system'), said('A {red|blue} boat')],
    ];
    const lines = each.map((messages) => JSON.stringify({ kind: 'chat', model: 'language', messages }));
    const own = await jsonl(
      await studio(),
      ...lines,
      '{"kind":"chat","model":"language","prompt":"A {red|blue} \\\\{boat\\\\}"}',
    );
    const expected = [...each, [said('A red {boat}')], [said('A blue {boat}')]];
    const sent = ({ rows }: typeof own) =>
      rows.map(({ request }) => request && 'messages' in request && request.messages);
    expect(sent(own)).toEqual(expected);
    const defaults = { kind: 'chat', model: 'language', messages: [said('Say {a|b}')] };
    expect(sent(await read(await studio(), '{"project":""}', { format: 'jsonl', defaults }))).toEqual([
      [said('Say {a|b}')],
    ]);
    expect(
      sent(await read(await studio(), lines[1] ?? '', { format: 'jsonl', defaults: { prompt: '{a|b}' } })),
    ).toEqual([each[1]]);
  });

  it('say what is wrong with a hostile line', async () => {
    expect(
      wrongIn(
        await jsonl(
          await studio(),
          '{"__proto__":{"kind":"imagine"},"prompt":"x"}',
          '{"kind":"imagine","prompt":"x","constructor":1}',
          '{"kind":"imagine","prompt":7}',
          '{"kind":"video","prompt":"x","model":"video-standard","config":{"durationSeconds":5}}',
          '{"kind":"video","prompt":"x","model":"video-standard","config":"long","seconds":4}',
          '[1]',
          'nonsense',
          '"text"',
          `${'['.repeat(500)}${']'.repeat(500)}`,
          `{"kind":"imagine","prompt":${'{"a":'.repeat(500)}1${'}'.repeat(500)}}`,
          `{"kind":"imagine","prompt":"${'x'.repeat(300_000)}"}`,
        ),
      ),
    ).toEqual([
      expect.stringMatching(/^1 __proto__: is no column of a batch/),
      '2 constructor: there is no such field here.',
      '3 prompt: must be text.',
      '4 config.durationSeconds: must be 4, 6 or 8, or 7 when extending.',
      expect.stringMatching(/^5 config: /),
      '6 : The line must be a JSON object, such as {"prompt": "…"}.',
      '7 : The line is not valid JSON.',
      '8 : The line must be a JSON object, such as {"prompt": "…"}.',
      '9 : The line must be a JSON object, such as {"prompt": "…"}.',
      '10 : The line nests too deep.',
      '11 : The line has 300,030 characters; at most 300,000 are read.',
    ]);
    expect(({} as { kind?: string }).kind).toBeUndefined();
  });
});

describe('lines of text', () => {
  it('take the rest from the defaults, as columns or as a request', async () => {
    const program = await studio();
    const reading = await read(program, '\nOne\r\n  \r\nTwo  ', {
      format: 'lines',
      defaults: { kind: 'video', model: 'video-standard', config: { durationSeconds: 4 }, resolution: '720p' },
    });
    expect(reading.rows.map(({ line, request }) => [line, request])).toEqual(
      [
        [2, 'One'],
        [4, 'Two'],
      ].map(([line, prompt]) => [
        line,
        {
          kind: 'video',
          model: 'video-standard',
          prompt,
          config: { durationSeconds: 4, resolution: '720p' },
        },
      ]),
    );
    const refused = await program.call('batch.read', { text: 'x', format: 'lines', defaults: { prompt: 'a\0' } });
    expect(refused).toMatchObject({ ok: false, error: { data: { field: 'defaults.prompt' } } });
  });

  it.each([
    [{ kind: 'video', seconds: 8, resolution: '720p' }, { durationSeconds: 4 }, { resolution: '720p' }],
    [
      { kind: 'video', config: { durationSeconds: 8, resolution: '720p' } },
      { durationSeconds: 4 },
      { resolution: '720p' },
    ],
    [{ kind: ' Video', config: { durationSeconds: 4 } }, undefined, { durationSeconds: 4 }],
    [{ kind: 'video', config: { durationSeconds: 4 } }, { seed: 1 }, { durationSeconds: 4 }],
    [{ kind: 'imagine', config: { durationSeconds: 8 } }, { seed: 1 }, {}],
    [{ kind: 'video', samples: 4 }, { numberOfVideos: 1 }, {}],
    [{ kind: 'video', config: { sampleCount: 4 } }, { numberOfVideos: 1 }, {}],
    [{ kind: 'video', config: { numberOfVideos: 4, seed: 2 }, samples: 1 }, undefined, { sampleCount: 1, seed: 2 }],
  ])('say themselves what holds for them, and take the rest from the defaults %j', async (defaults, config, rest) => {
    const line = JSON.stringify({
      prompt: 'A',
      kind: defaults.kind === 'imagine' ? 'video' : '',
      ...(config ? { config } : {}),
    });
    const reading = await read(await studio(), line, { format: 'jsonl', defaults });
    const request = { kind: 'video', model: expect.any(String), prompt: 'A', config: { ...config, ...rest } };
    expect(reading.rows.map((row) => row.request)).toEqual([request]);
  });

  it('make a job of every member of a choice, and leave out those that are named', async () => {
    const reading = await read(await studio(), 'A {red|blue} {boat|car}\nA lamp\nA lamp', {
      format: 'lines',
      defaults: { kind: 'imagine' },
      leaveOut: ['1.2', '3'],
    });
    expect(
      reading.rows.map(({ line, member, request, isLeftOut, know }) => [line, member?.at, request, isLeftOut, know]),
    ).toEqual([
      [1, 1, { kind: 'imagine', prompt: 'A red boat' }, undefined, undefined],
      [1, 2, { kind: 'imagine', prompt: 'A red car' }, true, undefined],
      [1, 3, { kind: 'imagine', prompt: 'A blue boat' }, undefined, undefined],
      [1, 4, { kind: 'imagine', prompt: 'A blue car' }, undefined, undefined],
      [2, undefined, { kind: 'imagine', prompt: 'A lamp' }, undefined, undefined],
      [3, undefined, { kind: 'imagine', prompt: 'A lamp' }, true, [{ type: 'twice', line: 2 }]],
    ]);
    expect(reading).toMatchObject({
      good: 4,
      leftOut: 2,
      lines: { all: 3, bad: 0, know: 2, good: 2 },
      know: [
        { line: 1, fact: { type: 'matrix', jobs: 4 } },
        { line: 3, fact: { type: 'twice', line: 2 } },
      ],
    });
  });

  it('are refused where they make too much, before it is made', async () => {
    const program = await studio();
    const defaults = { kind: 'imagine' };
    const refused = async (text: string) => {
      const answer = await program.call('batch.read', { text, format: 'lines', defaults });
      return answer.ok ? wrongIn(answer.data)[0] : answer.error.message;
    };
    expect(await refused('{1|2}'.repeat(12))).toBe(
      '1 prompt: makes 4,096 prompts; at most 1,000 are made of one text.',
    );
    expect(await refused('x\n'.repeat(10_001))).toBe('text: makes 10,001 lines; at most 10,000 are read at once.');
    expect(await refused(`${'{0|1|2|3|4|5|6|7|8|9}'.repeat(3)}\n`.repeat(11))).toBe(
      'text: makes 11,000 jobs; at most 10,000 are read at once.',
    );
  });
});

it('compares lines with takes that were kept', async () => {
  const program = await studio();
  const request = { kind: 'imagine', prompt: 'A lamp' } as const;
  const { jobs } = await program.ask('jobs.enqueue', { requests: [request] });
  const id = jobs[0]?.id ?? '';
  await program.ask('jobs.cancel', { id });
  await program.ask('jobs.judge', { id, verdict: 'keep' });
  const { rows } = await read(program, 'kind,prompt\nimagine,A lamp');
  expect(rows[0]?.know).toEqual([{ type: 'kept', jobId: id, at: expect.any(Number) }]);
});

it('gives its rows by page, and forgets a text after an hour', async () => {
  const program = await studio();
  const { readId, rows, nextCursor } = await read(program, `kind,prompt\n${'imagine,x\npoem,y\n'.repeat(150)}`);
  expect([rows.length, nextCursor]).toEqual([100, '100']);
  const next = await program.ask('batch.rows', { readId, cursor: nextCursor, limit: 150 });
  expect([next.rows.length, next.rows[0]?.line, next.nextCursor, next.total]).toEqual([150, 102, '250', 300]);
  const bad = await program.ask('batch.rows', { readId, only: 'bad', limit: 500 });
  expect([bad.rows.length, bad.rows[0]?.line, bad.nextCursor]).toEqual([150, 3, undefined]);
  await program.clock.advance(61 * 60_000);
  const over = await program.call('batch.rows', { readId });
  expect(over).toMatchObject({ ok: false, error: { code: 'not_found' } });
});

it('reads no more than a slice in one turn', async () => {
  const read = async (text: string) => {
    const rowsByTurn: number[] = [];
    let rows = 0;
    const count = <T>(value: T): T => {
      rows += 1;
      return value;
    };
    const answer = await readBatch(
      { text, format: 'lines', defaults: { kind: 'imagine' } },
      { models: [], projects: [] },
      {
        reasons: () => Promise.resolve([]),
        secretIn: () => undefined,
        price: () => count({ nano: 1, lowNano: 1 }),
        kept: new Map(),
        nextTurn: async () => {
          rowsByTurn.push(rows);
          rows = 0;
        },
      },
    );
    return { most: Math.max(...rowsByTurn, rows), turns: rowsByTurn.length, rows: answer.ok ? answer.data.length : 0 };
  };
  const turns = 10_000 / ROWS_PER_TURN;
  expect(await read('x\n'.repeat(10_000))).toEqual({ most: ROWS_PER_TURN, turns, rows: 10_000 });
  const members = await read('{0|1|2|3|4|5|6|7|8|9}{0|1|2|3|4|5|6|7|8|9}{a|b|c}\n'.repeat(3));
  expect(members.most).toBeLessThanOrEqual(ROWS_PER_TURN);
  expect(members.rows).toBe(900);
  expect((await read(`${'x'.repeat(70_000)}\n`.repeat(20))).turns).toBeGreaterThanOrEqual(20);
});
