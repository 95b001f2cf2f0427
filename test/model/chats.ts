import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import type { Drive } from './drive.ts';

interface WaitingDrive extends Drive {
  until(id: string, wanted: (job: Job) => boolean): Promise<Job>;
}

/** The sandbox writes the requested number of words and repeats the subject in each note, so the answer reaches its limit. */
const LONG = 'A 2600-word, LlanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogochLlanfairpwllgwyng sea';

const ended = ({ state }: Job) => ['succeeded', 'failed', 'canceled'].includes(state);

/** A chat that is answered, stopped, retried and removed. */
export async function chats({ does, until, ask }: WaitingDrive): Promise<void> {
  const { conversationId } = await does('chat.create', {});
  const sent = await does('chat.send', { conversationId, text: 'Hello', model: 'language' });
  await until(sent.jobId, ended);
  expect((await ask('search.all', { text: 'hello' })).hits.map(({ type }) => type)).toContain('message');
  const cut = await does('chat.send', { conversationId, text: 'More', model: 'language' });
  await does('chat.stop', { conversationId });
  await until(cut.jobId, ended);
  await does('queue.pause', {});
  const next = await does('chat.send', { conversationId, text: 'Again', model: 'language' });
  await does('jobs.cancel', { id: next.jobId });
  const again = await does('jobs.retry', { id: next.jobId });
  await does('queue.resume', {});
  await until(again.id, ended);
  await does('chat.remove', { conversationId });
  expect((await ask('chat.list', {})).conversations).toEqual([]);
}

/** A conversation with every kind of branch. */
export async function branching({ ask, does, until }: WaitingDrive): Promise<void> {
  const { conversationId } = await does('chat.create', { model: 'language-exp-thinking' });
  await does('chat.set', { conversationId, title: 'A tree' });
  const first = await does('chat.send', { conversationId, text: LONG, stream: false });
  await until(first.jobId, ended);
  const rest = await does('chat.continue', { conversationId, messageId: first.messageId, stream: false });
  await until(rest.jobId, ended);
  const [question] = (await ask('chat.get', { conversationId })).messages;
  const edited = await does('chat.edit', { conversationId, messageId: question?.id ?? '', text: 'Shorter' });
  await until(edited.jobId, ended);
  const again = await does('chat.regenerate', { conversationId, messageId: edited.messageId });
  await until(again.jobId, ended);
  await does('chat.branch', { conversationId, messageId: edited.messageId });
  await does('chat.activate', { conversationId, branch: rest.branch });
  expect((await ask('chat.get', { conversationId })).messages.at(-1)?.continues).toBe(first.messageId);
  await leavesAndComesIn({ ask, does, conversationId });
}

/** A model drafts two posters and a shot; one is approved, one declined. */
export async function drafting({ ask, does, until }: WaitingDrive): Promise<void> {
  const { id: projectId } = await ask('projects.create', { name: 'Drafts' });
  const { conversationId } = await does('chat.create', { projectId, model: 'language' });
  const { jobId } = await does('chat.send', {
    conversationId,
    text: 'One shot of a quay, and two posters',
    stream: false,
  });
  await until(jobId, ended);
  const { drafts } = await does('director.drafts', { conversationId });
  expect(drafts.map(({ kind }) => kind)).toEqual(['newShot', 'imagine', 'imagine']);
  const [shot, poster, other] = drafts.map(({ id }) => id);
  const { jobs } = await does('director.approve', { ids: [shot ?? '', poster ?? ''] });
  for (const { id } of jobs) await until(id, ended);
  await does('director.decline', { ids: [other ?? ''] });
  await quoted({ ask, does, until }, projectId);
}

/** A program asks for two pictures; one is approved, one declined. */
async function quoted({ does, until }: WaitingDrive, projectId: string): Promise<void> {
  const shots = [{ prompt: 'A program’s quay', model: 'video-standard' }];
  const call = { projectId, client: 'A program', tool: 'draft_shots' as const, arguments: { shots } };
  const { drafts } = await does('director.draft', call);
  const draft = drafts[0]?.id ?? '';
  await does('director.change', { id: draft, change: { title: 'The quay' } });
  await does('director.decline', { ids: [draft] });
  const wanted = (prompt: string) => ({
    request: { kind: 'imagine', prompt } as const,
    client: 'A program',
    projectId,
  });
  const { id } = await does('quotes.create', wanted('A quay'));
  const { job } = await does('quotes.approve', { id });
  await until(job.id, ended);
  await does('quotes.decline', { id: (await does('quotes.create', wanted('A lamp'))).id });
}

/** Exports a chat as JSON and imports it into the same studio: a second conversation with the same tree, free of charge. */
async function leavesAndComesIn({
  ask,
  does,
  conversationId,
}: Pick<Drive, 'ask' | 'does'> & { conversationId: string }) {
  const before = await ask('ledger.totals', { groupBy: 'kind', play: true });
  const { id } = await does('chat.export', { conversationId, format: 'json' });
  await expect.poll(async () => (await ask('exports.get', { id })).state).toBe('done');
  const { folder, files } = await ask('exports.get', { id });
  const json = readFileSync(join(folder, files[0]?.name ?? ''), 'utf8');
  const come = await does('chat.import', { json });
  const [one, other] = [
    await ask('chat.get', { conversationId }),
    await ask('chat.get', { conversationId: come.conversationId }),
  ];
  expect(other.messages.map(({ text }) => text)).toEqual(one.messages.map(({ text }) => text));
  expect(other.branches).toHaveLength(one.branches.length);
  expect((await ask('ledger.totals', { groupBy: 'kind', play: true })).sum).toEqual(before.sum);
  await does('chat.remove', { conversationId: come.conversationId });
}
