import { expect, test } from 'vitest';
import { type Called, directorOfThisFile } from '../../../../test/helpers/directorStudio.ts';
import { MAX_DRAFTS, MOST_OPEN } from '../../../shared/director/tools.ts';

/** A model never tires: what it drafts is bounded, and what is looked at is drawn at once. */

const start = directorOfThisFile();

/** Forty drafts, as an answer may have. */
const forty = (name: string): Called[] => [
  {
    name: 'draft_shots',
    arguments: { shots: Array.from({ length: 20 }, (_, at) => ({ title: `${name} ${at}`, prompt: `A rail, ${at}` })) },
  },
  {
    name: 'draft_images',
    arguments: { images: Array.from({ length: 20 }, (_, at) => ({ prompt: `${name}, a lamp, ${at}` })) },
  },
];

/** Bug: a model's open drafts had no bound, and from some hundred on each look at the chat stopped the program for seconds. */
test('a chat has at most 200 drafts that wait; its model is told so, and drafts again once the user has decided', async () => {
  const answers = Array.from({ length: MOST_OPEN / MAX_DRAFTS }, (_, at) => forty(`Answer ${at}`));
  const one: Called[] = [{ name: 'draft_images', arguments: { images: [{ prompt: 'One' }, { prompt: 'Another' }] } }];
  const read: Called[] = [{ name: 'read_board', arguments: {} }];
  const { say, drafts, messages, ask } = await start([...answers, [...one, ...read], one]);
  for (const _ of answers) await say('More');
  const full = await drafts();
  expect(full).toHaveLength(MOST_OPEN);
  const refused = await say('And more');
  expect(await drafts()).toHaveLength(MOST_OPEN);
  const resultsOf = async (messageId: string) =>
    (await messages()).find(({ id }) => id === messageId)?.toolResults ?? [];
  const [result, board] = await resultsOf(refused);
  expect(result?.error?.message).toBe(
    '200 drafts of this chat wait for the user already; some have to be approved or declined first.',
  );
  expect(board).toMatchObject({ name: 'read_board', content: expect.stringContaining('"shots"') });
  await ask('director.decline', { ids: full.slice(0, 1).map(({ id }) => id) });
  const again = (await resultsOf(await say('One more'))).at(0);
  expect(JSON.parse(again?.content ?? '')).toMatchObject({
    drafted: [{ title: 'One' }],
    not_drafted: [
      'images.1: is one too many: an answer drafts at most 40, and at most 200 of a chat wait for the user.',
    ],
  });
});

/** Bug: each draft was drawn on a board that was put together anew from all before it. */
test('a draft goes on from the board of the one before it', async () => {
  const { say, drafts } = await start([forty('First'), forty('Second')]);
  await say('Shots');
  await say('More');
  const toSpliced = Array.prototype.toSpliced;
  let placed = 0;
  Array.prototype.toSpliced = function counting<T>(this: T[], ...args: Parameters<T[]['toSpliced']>): T[] {
    placed += 1;
    return toSpliced.apply(this, args) as T[];
  };
  try {
    const shots = (await drafts()).filter(({ shot }) => shot);
    expect(shots.map(({ shot }) => shot?.number)).toEqual(shots.map((_, at) => at + 1));
    expect(shots).toHaveLength(40);
  } finally {
    Array.prototype.toSpliced = toSpliced;
  }
  expect(placed).toBeLessThanOrEqual(3 * 40);
});
