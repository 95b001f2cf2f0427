import { describe, expect, it } from 'vitest';
import { batchesOfThisFile, readTable as read, wrongIn } from '../../../../test/helpers/batches.ts';
import { repeatedName } from './parseLines.ts';

/** Typing errors that would otherwise be paid for. */

const studio = batchesOfThisFile();

describe('a JSON line with a name twice', () => {
  it.each([
    ['{"kind":"imagine","prompt":"One","prompt":"Two"}', 'prompt'],
    ['{"kind":"imagine","prompt":"One","pr\\u006fmpt":"One"}', 'prompt'],
    ['{ "kind" : "imagine" , "prompt" : "{\\"kind\\":1}" , "kind"\t: "imagine" }', 'kind'],
    ['{"kind":"video","prompt":"One","config":{"seed":1,"durationSeconds":4,"seed":2}}', 'config.seed'],
    ['{"kind":"imagine","prompt":"One","note":[{"a":1},{"b":[],"b":2}]}', 'note.b'],
  ])('%s is wrong in %s', async (line, field) => {
    const reading = await read(await studio(), `{"kind":"imagine","prompt":"Zero"}\n${line}`, { format: 'jsonl' });
    expect(wrongIn(reading)).toContain(`2 ${field}: must be in the line once.`);
    expect([reading.good, reading.bad]).toEqual([1, 1]);
  });

  it('is not one whose objects or words have the same names', async () => {
    const lines = [
      '{"kind":"imagine","prompt":"kind: \\"prompt\\": \\\\","mode":"fast"}',
      '{"kind":"video","prompt":"prompt","config":{"seed":1},"model":"video-standard"}',
      '{"kind":"imagine","prompt":"mode","mode":"fast"}',
    ];
    const reading = await read(await studio(), lines.join('\n'), { format: 'jsonl' });
    expect([wrongIn(reading), reading.good]).toEqual([[], 3]);
  });

  it('is found in one reading of it, however it is written', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `"${index}":${'['.repeat(3)}"\\\\"${']'.repeat(3)}`);
    expect(repeatedName(`{${names.join(' , ')}}`)).toBeUndefined();
    expect(repeatedName(`{${names.join(' , ')},"7":1}`)).toBe('7');
    expect(repeatedName(`"${' "'.repeat(50_000).replaceAll('"', '\\"')}"`)).toBeUndefined();
  });
});

describe('lines that are left out', () => {
  const LINES = { format: 'lines', defaults: { kind: 'imagine' } } as const;

  it.each([
    [['1', '4'], 1, '4'],
    [['0'], 0, '0'],
    [['2.1'], 0, '2.1'],
    [['3.3'], 0, '3.3'],
    [['1', '01'], 1, '01'],
    [['two'], 0, 'two'],
  ])('%j: what is no line is refused by its place', async (leaveOut, index, key) => {
    const program = await studio();
    expect(await program.call('batch.read', { text: 'One\nTwo\n{a|b}\n\n', leaveOut, ...LINES })).toEqual({
      ok: false,
      error: {
        code: 'invalid_input',
        message: `leaveOut.${index}: ${key} is no line of the text with a job, nor a member of one.`,
        data: { field: `leaveOut.${index}` },
      },
    });
  });

  it('may be members of a line that is wrong by now, or below a header that is', async () => {
    const program = await studio();
    const text = 'kind,prompt\nimagine,{a|b}\npoem,{a|b}';
    expect(await read(program, text, { leaveOut: ['2.1', '3.2', '3'] })).toMatchObject({ good: 1, leftOut: 2, bad: 0 });
    expect(await read(program, text.replace('prompt', 'promt'), { leaveOut: ['2.1'] })).toMatchObject({
      badLines: expect.arrayContaining([1]),
    });
  });
});
