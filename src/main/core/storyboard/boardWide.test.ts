import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Board } from '../../../shared/board/board.ts';
import { type CastMember, MAX_CAST } from '../../../shared/board/cast.ts';

/** The cast and other board fields are in the board's document and on its one undo stack. */

const openStudio = studiosOfThisFile();

async function film() {
  const { ask, dataDir, studio, close } = await openStudio();
  await ask('queue.pause');
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const get = () => ask('storyboard.get', { projectId });
  const save = async (change: (board: Board) => Partial<Board>) => {
    const board = await get();
    return ask('storyboard.save', { ...board, ...change(board) });
  };
  const edit = (id: string, patch: Partial<CastMember>) =>
    save(({ cast = [] }) => ({ cast: cast.map((member) => (member.id === id ? { ...member, ...patch } : member)) }));
  await save(() => ({ shots: [{ id: 'a', prompt: 'Subtitles', model: 'video-standard' }] as Board['shots'] }));
  const undo = () => ask('board.undo', { projectId });
  const redo = () => ask('board.redo', { projectId });
  return { ask, dataDir, studio, close, projectId, get, save, edit, undo, redo };
}

const mara = { id: 'm', name: 'Mara' } as CastMember;
const coat = { id: 'c', name: 'Coat', kind: 'thing' } as CastMember;
const namesOf = ({ cast = [] }: Board) => cast.map(({ name }) => name);

test('each change of the cast is told in words, and undone and redone among the steps of the shots', async () => {
  const { save, edit, undo, redo } = await film();
  await save(() => ({ cast: [mara] }));
  await edit('m', { sheets: [{ assetId: 'one' }] });
  await save(({ shots }) => ({ shots: shots.map((shot) => ({ ...shot, title: 'Pier' })) }));
  await edit('m', { words: 'woman of 30' });
  await edit('m', { sheets: [{ assetId: 'two' }] });
  await save(({ cast = [] }) => ({ cast: [...cast, coat] }));
  await save(({ cast = [] }) => ({ cast: cast.toReversed() }));
  await save(({ cast = [] }) => ({ cast: cast.filter(({ id }) => id !== 'm') }));
  const words: (string | undefined)[] = [];
  for (let step = await undo(); step.undone !== undefined; step = await undo()) words.push(step.undone);
  expect(words).toEqual([...Array(5).fill('Cast'), 'Edit shot 1', 'Cast', 'Cast', 'Add shot 1']);
  let last = await redo();
  while (last.canRedo) last = await redo();
  expect(last.board.cast).toEqual([expect.objectContaining({ id: 'c', name: 'Coat', kind: 'thing' })]);
});

test('a save without a cast keeps it; an empty one removes it', async () => {
  const { ask, save, get, projectId } = await film();
  await save(() => ({ cast: [mara] }));
  const { revision, shots } = await get();
  expect(namesOf(await ask('storyboard.save', { projectId, revision, shots }))).toEqual(['Mara']);
  expect(await save(() => ({ cast: [] }))).not.toHaveProperty('cast');
});

test.each<[string, Partial<CastMember>[], string]>([
  [
    'too many members',
    Array.from({ length: MAX_CAST + 1 }, (_, n) => ({ id: `${n}` })),
    'cast: must have at most 100 entries',
  ],
  ['two members with one id', [{ id: 'x' }, { id: 'x' }], 'cast: two members have the same id'],
  ['too many sheets', [{ id: 'x', sheets: ['a', 'b', 'c', 'd'].map((assetId) => ({ assetId })) }], 'cast.0.sheets'],
  ['no kind that there is', [{ id: 'x', kind: 'ghost' as 'person' }], "must be 'person', 'thing' or 'place'"],
])('%s are refused, and nothing is changed', async (_, cast, message) => {
  const { studio, get } = await film();
  const board = await get();
  const refused = await studio.call('storyboard.save', { ...board, cast });
  expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
  expect(await get()).toEqual(board);
});
