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

test('only drafts that can be decided on where the answer stands count, and room is for those that can be made', async () => {
  const images = (count: number, wrong: number): Called[] => [
    {
      name: 'draft_images',
      arguments: {
        images: Array.from({ length: count }, (_, at) =>
          at < wrong ? { text: 'A lamp' } : { prompt: `A lamp, ${at}` },
        ),
      },
    },
  ];
  const answers = Array.from({ length: MOST_OPEN / MAX_DRAFTS }, (_, at) => forty(`Answer ${at}`));
  const { say, drafts, messages, ask, conversationId } = await start([
    images(20, 20),
    ...answers.slice(1),
    images(20, 5),
    images(19, 0),
    images(10, 4),
    images(1, 0),
    images(2, 0),
  ]);
  const open = async () => (await drafts()).filter(({ image, shot, state }) => (image ?? shot) && state === 'open');
  for (const _ of answers) await say('More');
  await say('More');
  expect(await open()).toHaveLength(4 * MAX_DRAFTS + 15);
  await say('More');
  expect(await open()).toHaveLength(4 * MAX_DRAFTS + 34);
  await say('More');
  expect(await open()).toHaveLength(MOST_OPEN);
  await say('More');
  expect(await open()).toHaveLength(MOST_OPEN);
  const [first] = await messages();
  const asked = { conversationId, messageId: first?.id ?? '', text: 'Otherwise', stream: false };
  const { jobId } = await ask('chat.edit', asked);
  await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
  expect(await open()).toHaveLength(MOST_OPEN + 2);
});
