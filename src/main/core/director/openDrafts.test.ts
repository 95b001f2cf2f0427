import { expect, test } from 'vitest';
import { type Called, directorOfThisFile } from '../../../../test/helpers/directorStudio.ts';
import { MAX_DRAFTS, MOST_OPEN } from '../../../shared/chat/director/tools.ts';

/** The number of drafts is limited: a model never tires. */

const start = directorOfThisFile();

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
    '200 drafts above this answer wait for the user already; some have to be approved or declined first: “Decline all” above those of an answer does so.',
  );
  expect(board).toMatchObject({ name: 'read_board', content: expect.stringContaining('"shots"') });
  await ask('director.decline', { ids: full.slice(0, 1).map(({ id }) => id) });
  const again = (await resultsOf(await say('One more'))).at(0);
  expect(JSON.parse(again?.content ?? '')).toMatchObject({
    drafted: [{ title: 'One' }],
    not_drafted: [
      'images.1: is one too many: an answer drafts at most 40, and at most 200 above it wait for the user.',
    ],
  });
});
