import { describe, expect, it } from 'vitest';
import { batchesOfThisFile, readTable as read } from '../../../../test/helpers/batches.ts';
import type { TestStudio } from '../../../../test/helpers/testStudio.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';

const studio = batchesOfThisFile();

describe('the id of a text that was read', () => {
  const LINES = { format: 'lines', defaults: { kind: 'imagine' } } as const;
  const idOf = async (program: TestStudio, text: string, rest: Partial<CallInput<'batch.read'>> = {}) =>
    (await read(program, text, { ...LINES, ...rest })).readId;

  it('is the same when it is read again, also after a restart or an hour, and in whatever order its lines are left out', async () => {
    const program = await studio();
    const { clock } = program;
    const first = await idOf(program, 'One\nTwo\nThree', { leaveOut: ['1', '2'] });
    clock.set(clock.now() + 3 * 3_600_000);
    expect(await idOf(program, 'One\nTwo\nThree', { leaveOut: ['2', '1'] })).toBe(first);
    expect(await idOf(await studio(), 'One\nTwo\nThree', { leaveOut: ['1', '2'] })).toBe(first);
  });

  it('is another one for all that changes what is requested', async () => {
    const program = await studio();
    const csv = 'kind,prompt,project,model\nvideo,One,Ferry,';
    const ids = [
      await idOf(program, 'One\nTwo'),
      await idOf(program, 'One\nTwo '),
      await idOf(program, 'Two\nOne'),
      await idOf(program, 'One\nTwo', { leaveOut: ['1'] }),
      await idOf(program, '{a|b}', { leaveOut: ['1.1'] }),
      await idOf(program, '{a|b}', { leaveOut: ['1.2'] }),
      await idOf(program, 'One\nTwo', { defaults: { kind: 'imagine', mode: 'fast' } }),
      await idOf(program, 'prompt\nTwo', { format: 'csv' }),
      await idOf(program, 'prompt\nTwo'),
      await read(program, csv).then(({ readId }) => readId),
    ];
    const { id } = await program.ask('projects.create', { name: 'Ferry' });
    ids.push((await read(program, csv)).readId);
    await program.ask('projects.rename', { id, name: 'Harbour' });
    await program.ask('projects.create', { name: 'Ferry' });
    ids.push((await read(program, csv)).readId);
    await program.ask('profiles.save', { id: 'other', name: 'Other', baseUrl: 'http://127.0.0.1:9' });
    await program.ask('profiles.activate', { id: 'other' });
    ids.push(await idOf(program, 'One\nTwo'));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
