import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../../test/helpers/emptyDatabase.ts';
import { filesOf } from '../../../../test/helpers/files.ts';
import { TestClock, tempDir } from '../../../../test/helpers/testPorts.ts';
import { boardSchema } from '../../../shared/board/board.ts';
import { type ChatFile, MAX_BRANCHES } from '../../../shared/chat/chatFile.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { MediaFile } from '../ports.ts';
import { collectBundle } from './collectBundle.ts';

const SHA = 'ab'.repeat(32);
const request = { kind: 'video', model: 'm', prompt: 'Sea', config: { durationSeconds: 4 } };
const job = (id: string, state: string, more: object = {}) =>
  ({
    ...{ id, state, request, kind: 'video', createdAt: 1, profileId: 'p', outputs: [], money: { unpriced: 'x' } },
    ...more,
  }) as unknown as Job;
const asset = (id: string, role: string, more: object) =>
  ({
    ...{ id, role, name: id, createdAt: 1, mime: 'image/png', state: 'expired', sha256: '', tags: [] },
    ...more,
  }) as unknown as Asset;

const messages = (count: number, text = 'Sea'): ChatFile['messages'] =>
  Array.from({ length: count }, (_, at) => ({ id: `m${at}`, branch: 'b0', role: 'user' as const, text, createdAt: 1 }));
const chat = (branches: number, said: ChatFile['messages']): ChatFile => ({
  ...{ dailies: 'chat', form: 1, title: 'Long', createdAt: 1, active: 'b0', messages: said },
  branches: Array.from({ length: branches }, (_, at) => ({ id: `b${at}`, createdAt: 1 })),
});

async function gathered(given: {
  jobs?: Job[];
  assets?: Asset[];
  chats?: ChatFile[];
  shot?: object;
  file?: MediaFile;
}) {
  const store = openTestStore({ dataDir: tempDir('gather'), clock: new TestClock() });
  onTestFinished(() => store.close());
  const { jobs = [], assets = [], chats = [], shot = {} } = given;
  const none = fail('not_found', 'There is none.');
  const openAsset = () => (given.file ? ok(given.file) : none);
  const found = <T extends { id: string }>(all: readonly T[], id: string) => {
    const one = all.find((known) => known.id === id);
    return one ? ok(one) : none;
  };
  const shots = [
    { id: 's', prompt: 'Sea', model: 'm', config: { durationSeconds: 4 }, takes: jobs.map(({ id }) => id), ...shot },
  ];
  const answer = await collectBundle(
    {
      store,
      getJob: (id) => found(jobs, id),
      getAsset: (id) => found(assets, id),
      openAsset,
      elsewhere: () => undefined,
      gatewayName: () => 'Gateway',
      secretIn: () => undefined,
      chatsOf: () => chats,
    },
    boardSchema.parse({ projectId: 'p', revision: 1, shots }),
  );
  if (!answer.ok) throw new Error(answer.error.message);
  const { texts, leftOut } = answer.data;
  const lines = (name: string) =>
    [...(texts.find((one) => one.name === name)?.pieces ?? [])].map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );
  return { leftOut, lines, names: texts.map(({ name }) => name) };
}

test('what stays here is named by nothing that leaves', async () => {
  const output = asset('o0', 'output', { jobId: 'j0', outputIndex: 0 });
  const { lines, leftOut } = await gathered({
    jobs: [
      job('j0', 'fetching', { outputs: [output] }),
      job('j1', 'succeeded', { request: { ...request, image: { assetId: 'o0' } } }),
      job('j2', 'succeeded', { request: { kind: 'nonsense', promptOf: 3 } }),
    ],
    assets: [
      output,
      asset('f0', 'frame', { jobId: 'j0', parentId: 'o0' }),
      asset('g2', 'output', { jobId: 'j2', outputIndex: 0 }),
    ],
    shot: { source: 'first', image: { assetId: 'f0' }, referenceImages: [{ assetId: 'g2' }] },
  });
  const [frame, ...more] = lines('assets.jsonl');
  expect([frame?.id, frame?.parentId, more]).toEqual(['f0', undefined, []]);
  expect(lines('jobs.jsonl')).toMatchObject([{ id: 'j1', request: { image: { uri: 'unavailable:' } } }]);
  expect(lines('shots.jsonl')).toMatchObject([{ takes: ['j1'], image: { assetId: 'f0' }, referenceImages: [] }]);
  expect(leftOut.slice(0, 2)).toEqual([
    'Left out, not finished: 1 take.',
    expect.stringContaining('from an earlier version: 1'),
  ]);
});

test('a picture of an answer leaves with what was asked last, and its chat does not', async () => {
  const picture = asset('p0', 'output', { jobId: 'c0', outputIndex: 0 });
  const asked = ['Earlier', 'Draw a fox'].map((content) => ({ role: 'user', content }));
  const chatted = { kind: 'chat', request: { kind: 'chat', model: 'm', messages: asked } };
  const { lines } = await gathered({
    jobs: [job('c0', 'succeeded', { ...chatted, outputs: [picture] }), job('c1', 'succeeded', chatted)],
    assets: [picture],
    shot: { source: 'first', image: { assetId: 'p0' } },
  });
  expect(lines('jobs.jsonl')).toMatchObject([{ id: 'c0', request: { messages: [{ content: 'Draw a fox' }] } }]);
  expect(lines('assets.jsonl')).toMatchObject([{ id: 'p0', jobId: 'c0' }]);
  expect(lines('shots.jsonl')).toMatchObject([{ image: { assetId: 'p0' } }]);
});

test('a file that is not as long as it should be is named, and none of its bytes leave', async () => {
  const file = filesOf('gather')('a.png', Buffer.alloc(5));
  const given = (bytes: number) => ({
    ...{
      assets: [asset('f0', 'source', { state: 'local', sha256: SHA })],
      shot: { source: 'first', image: { assetId: 'f0' } },
    },
    file: { path: file, bytes, sha256: SHA, mime: 'image/png' } as MediaFile,
  });
  expect((await gathered(given(5))).lines('assets.jsonl')).toMatchObject([{ id: 'f0', sha256: SHA, bytes: 5 }]);
  const cut = await gathered(given(9));
  expect(cut.lines('assets.jsonl')[0]).not.toHaveProperty('sha256');
  expect(cut.leftOut).toContain('Not on this disk: 1 file.');
});

test('a long chat leaves with the film, and one that nobody could read stays and is told', async () => {
  const long = chat(MAX_BRANCHES, messages(6_000));
  const { names, leftOut } = await gathered({ chats: [long, chat(1, messages(9, 'x'.repeat(1_900_000)))] });
  expect(names).toContain('chats/0001.json');
  expect(names).not.toContain('chats/0002.json');
  expect(leftOut).toContain('Left out, too long: 1 chat.');
});
