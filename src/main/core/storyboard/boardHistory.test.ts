import { expect, test } from 'vitest';
import { studiosOfThisFile } from '../../../../test/helpers/testStudios.ts';
import type { Board, Shot } from '../../../shared/board/board.ts';

/** Undo and the bin: changes can be undone, and paid takes stay named in any case. */

const openStudio = studiosOfThisFile();

async function start(options: Parameters<typeof openStudio>[0] = {}) {
  const opened = await openStudio(options);
  // Nothing is sent: a take is a job in the queue.
  await opened.ask('queue.pause');
  return opened;
}

/** A board of these shots, and what one does to it. */
async function board(...ids: string[]) {
  const { ask, dataDir, studio, close } = await start();
  const { id: projectId } = await ask('projects.create', { name: 'Film' });
  const get = () => ask('storyboard.get', { projectId });
  const save = async (change: (shots: Shot[]) => object[]) => {
    const { revision, shots } = await get();
    return ask('storyboard.save', { projectId, revision, shots: change(shots) as Board['shots'] });
  };
  const edit = (id: string, patch: object) =>
    save((shots) => shots.map((shot) => (shot.id === id ? { ...shot, ...patch } : shot)));
  const remove = (id: string) => save((shots) => shots.filter((shot) => shot.id !== id));
  const take = async (shotId: string) => (await ask('storyboard.makeTake', { projectId, shotId })).job.id;
  if (ids.length > 0) await save(() => ids.map((id) => ({ id, prompt: `Words of ${id}`, model: 'video-standard' })));
  const undo = () => ask('board.undo', { projectId });
  const redo = () => ask('board.redo', { projectId });
  const bin = async () => (await ask('board.bin', { projectId })).shots;
  return { ask, dataDir, studio, close, projectId, get, save, edit, remove, take, undo, redo, bin };
}

const idsOf = ({ shots }: Pick<Board, 'shots'>) => shots.map(({ id }) => id);
const promptOf = ({ shots }: Board, id: string) => shots.find((shot) => shot.id === id)?.prompt;

test('edits of one field of one shot are one step; another field or shot is another', async () => {
  const { edit, undo } = await board('a', 'b');
  for (const prompt of ['s', 'se', 'sea']) await edit('a', { prompt });
  await edit('a', { title: 'Sea' });
  await edit('b', { title: 'Land' });
  expect((await undo()).undone).toBe('Edit shot 2');
  expect((await undo()).undone).toBe('Edit shot 1');
  const last = await undo();
  expect([last.undone, promptOf(last.board, 'a'), last.canUndo, last.canRedo]).toEqual([
    'Edit shot 1',
    'Words of a',
    true,
    true,
  ]);
});

test('a box that was placed in a take is a step, and refused where it is outside of the frame', async () => {
  const { edit, undo, get } = await board('a');
  const box = { sha256: 'h', frame: 'first', x: 0.1, y: 0.2, width: 0.3, height: 0.4 };
  await edit('a', { castBoxes: { ines: box } });
  expect((await get()).shots[0]?.castBoxes).toEqual({ ines: box });
  await expect(edit('a', { castBoxes: { ines: { ...box, x: 1.5 } } })).rejects.toThrow(/castBoxes.*at most 1/);
  const back = await undo();
  expect([back.undone, back.board.shots[0]?.castBoxes]).toEqual(['Edit shot 1', undefined]);
});

test('what undo and redo would do next is told before it is done', async () => {
  const { ask, projectId, edit, remove, undo } = await board('a', 'b');
  const steps = () => ask('board.steps', { projectId });
  await edit('a', { title: 'Sea' });
  await remove('b');
  expect(await steps()).toEqual({ canUndo: true, canRedo: false, undo: 'Remove shot 2' });
  const step = await undo();
  expect([step.undone, step.undo, step.redo]).toEqual(['Remove shot 2', 'Edit shot 1', 'Remove shot 2']);
  await edit('a', { title: 'Land' });
  expect(await steps()).toEqual({ canUndo: true, canRedo: false, undo: 'Edit shot 1' });
});

test('what was undone is done again, and a new edit ends that', async () => {
  const { edit, undo, redo } = await board('a');
  await edit('a', { prompt: 'sea' });
  await undo();
  const again = await redo();
  expect([promptOf(again.board, 'a'), again.redone, again.undone, again.canRedo]).toEqual([
    'sea',
    'Edit shot 1',
    undefined,
    false,
  ]);
  await undo();
  await edit('a', { title: 'Sea' });
  expect((await redo()).redone).toBeUndefined();
});

test('after an undo, an edit of the same field is a step of its own', async () => {
  const { edit, undo } = await board('a');
  await edit('a', { prompt: 'one' });
  await edit('a', { title: 'x' });
  await undo();
  await edit('a', { prompt: 'two' });
  expect(promptOf((await undo()).board, 'a')).toBe('one');
});

test('a hundred and fifty steps can be undone', async () => {
  const { edit, undo } = await board('a', 'b');
  for (let n = 0; n < 150; n++) await edit(n % 2 ? 'a' : 'b', { title: `${n}` });
  let steps = 0;
  for (let told = await undo(); steps < 150 && told.undone?.startsWith('Edit'); told = await undo()) steps += 1;
  expect(steps).toBe(150);
});

test('a removed shot returns to its position with its takes, and its settings are undone one by one', async () => {
  const { take, remove, undo, redo, bin, get } = await board('a', 'b', 'c');
  const id = await take('b');
  await remove('b');
  expect(await bin()).toMatchObject([{ place: 1, shot: { id: 'b', takes: [id] } }]);
  const back = await undo();
  expect([idsOf(back.board), back.board.shots[1]?.takes, back.undone]).toEqual([
    ['a', 'b', 'c'],
    [id],
    'Remove shot 2',
  ]);
  expect(await bin()).toEqual([]);
  await redo();
  expect([idsOf(await get()), (await bin()).map(({ shot }) => shot.takes)]).toEqual([['a', 'c'], [[id]]]);
});

test('a removal is not redone if a take was made after its undo', async () => {
  const { take, remove, undo, redo, get } = await board('a', 'b');
  await remove('b');
  await undo();
  const id = await take('b');
  expect((await redo()).redone).toBeUndefined();
  expect((await get()).shots[1]?.takes).toEqual([id]);
});

test('a take that is removed from a shot stays with it, can be restored, and is not lost by a save that omits it', async () => {
  const { take, edit, undo, redo, save, get } = await board('a');
  const [one, two] = [await take('a'), await take('a')];
  await edit('a', { takes: [two], removedTakes: [one] });
  const back = await undo();
  expect([back.board.shots[0]?.takes, back.board.shots[0]?.removedTakes, back.undone]).toEqual([
    [one, two],
    undefined,
    'Edit shot 1',
  ]);
  expect((await redo()).board.shots[0]).toMatchObject({ takes: [two], removedTakes: [one] });
  await save((shots) => shots.map(({ removedTakes: _, ...shot }) => ({ ...shot, takes: [] })));
  expect((await get()).shots[0]).toMatchObject({ takes: [], removedTakes: [two, one] });
});

test('an undo changes only what its step changed: what came meanwhile stays', async () => {
  const { edit, take, undo, get } = await board('a');
  await edit('a', { prompt: 'sea', config: { seed: 1 } });
  const id = await take('a');
  await edit('a', { title: 'Sea' });
  await undo();
  await undo();
  expect((await get()).shots[0]).toMatchObject({ prompt: 'Words of a', config: {}, takes: [id], activeTake: id });
});

test('the bin is there after a restart, the steps are not, and nothing breaks', async () => {
  const { take, remove, projectId, dataDir, close } = await board('a', 'b');
  const id = await take('b');
  await remove('b');
  await close();
  const { ask } = await start({ dataDir });
  expect(await ask('board.undo', { projectId })).toMatchObject({ canUndo: false, canRedo: false });
  const [held] = (await ask('board.bin', { projectId })).shots;
  expect(held).toMatchObject({ place: 1, shot: { takes: [id], activeTake: id } });
  const restored = await ask('board.restore', { projectId, shotId: 'b' });
  expect(restored.shots.map(({ takes }) => takes)).toEqual([[], [id]]);
  expect((await ask('board.bin', { projectId })).shots).toEqual([]);
});

test.each<[string, object]>([
  ['subtitles', { subtitles: [{ id: 'l1', text: 'Hello', startMs: 0, endMs: 900 }] }],
  ['slots', { slots: { order: 'things' } }],
  ['its own sound', { ownSound: { level: -6 } }],
  ['being left out', { skipped: true }],
  ['a joint', { joint: 'continue' }],
  ['a source', { source: 'references' }],
])('a shot with %s alone is kept among the removed shots', async (_, fields) => {
  const { save, remove, bin } = await board();
  await save(() => [{ id: 'one', ...fields }]);
  await remove('one');
  expect((await bin()).map(({ shot }) => shot)).toMatchObject([{ id: 'one', ...fields }]);
});

test('an empty shot is not kept among the removed shots', async () => {
  const { save, remove, bin } = await board();
  await save(() => [
    { id: 'blank', title: ' ', model: 'video-standard', config: { durationSeconds: 6 }, skipped: false },
  ]);
  await remove('blank');
  expect(await bin()).toEqual([]);
});

test('steps of one board are not those of another, and an unknown board is refused', async () => {
  const { ask, edit, undo, studio } = await board('a');
  const { id: other } = await ask('projects.create', { name: 'Other' });
  await edit('a', { title: 'x' });
  expect(await ask('board.undo', { projectId: other })).toMatchObject({ board: { shots: [] }, canUndo: false });
  expect((await undo()).undone).toBe('Edit shot 1');
  expect(await studio.call('board.undo', { projectId: 'none' })).toMatchObject({ error: { code: 'not_found' } });
});

test('a removed project is out of the list and of new work, and comes back with its board', async () => {
  const { ask, take, projectId, studio, get } = await board('a');
  const id = await take('a');
  await ask('settings.set', { projectId });
  await ask('projects.remove', { id: projectId });
  expect(await ask('projects.list', {})).toMatchObject({ projects: [], removed: [{ id: projectId, name: 'Film' }] });
  expect((await ask('settings.get', {})).projectId).toBe('');
  for (const name of ['storyboard.get', 'board.undo', 'board.bin'])
    expect(await studio.call(name, { projectId })).toMatchObject({ ok: false, error: { code: 'not_found' } });
  // A take of it that came to nothing is made again all the same, and is there when it comes back.
  await ask('jobs.cancel', { id });
  const again = await ask('jobs.retry', { id });
  await ask('projects.restore', { id: projectId });
  expect((await get()).shots[0]?.takes).toEqual([id, again.id]);
  expect((await ask('projects.list', {})).removed).toEqual([]);
});

test('each subtitle that is added or removed is a step, and typing in one is one step', async () => {
  const { edit, undo } = await board('a');
  const subtitle = (id: string, text = '') => ({
    id,
    startMs: Number(id) * 1_000,
    endMs: Number(id) * 1_000 + 900,
    text,
  });
  const texts = (now: Awaited<ReturnType<typeof undo>>) => now.board.shots[0]?.subtitles?.map(({ text }) => text);
  await edit('a', { subtitles: [subtitle('1')] });
  for (const text of ['S', 'Se', 'Sea']) await edit('a', { subtitles: [subtitle('1', text)] });
  await edit('a', { subtitles: [subtitle('1', 'Sea'), subtitle('2')] });
  await edit('a', { subtitles: [subtitle('1', 'Sea')] });
  await edit('a', { subtitles: undefined });
  for (const left of [['Sea'], ['Sea', ''], ['Sea'], [''], undefined]) expect(texts(await undo())).toEqual(left);
});

test('the track under the film and its words are on the same stack as the shots', async () => {
  const { ask, projectId, get, edit, undo, redo } = await board('a');
  const wide = async (patch: Partial<Board>) => ask('storyboard.save', { ...(await get()), projectId, ...patch });
  const track = { assetId: 'music', in: 0, fadeIn: 1, fadeOut: 1, level: -6 };
  await wide({ sound: { track } });
  for (const level of [-7, -8]) await wide({ sound: { track: { ...track, level } } });
  await edit('a', { title: 'Sea' });
  await wide({ words: { readingLimit: 20 } });
  await wide({ format: { aspectRatio: '9:16' } });
  await wide({ sound: {} });
  const told = [await undo(), await undo(), await undo(), await undo(), await undo(), await undo()];
  expect(told.map(({ undone }) => undone)).toEqual(['Sound', 'Size', 'Subtitles', 'Edit shot 1', 'Sound', 'Sound']);
  expect([told[3]?.board.sound?.track?.level, told[4]?.board.sound?.track?.level]).toEqual([-8, -6]);
  expect(told[5]?.board.sound).toBeUndefined();
  expect((await redo()).board.sound).toEqual({ track });
});
