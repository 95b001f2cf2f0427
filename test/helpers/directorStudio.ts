import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect } from 'vitest';
import type { Board } from '../../src/shared/board/board.ts';
import { studiosOfThisFile } from './testStudios.ts';

export interface Called {
  name: string;
  arguments: unknown;
  id?: string;
  /** Google sends the signature of a tool call here. */
  extra_content?: unknown;
}

interface Sent {
  messages: { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A gateway whose answers call these tools, one list per request. `thoughts`: extra fields of every answer's message. */
async function startCalling(answers: Called[][], thoughts: object, closing: (() => unknown)[]) {
  const sent: Sent[] = [];
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const calls = answers[sent.length] ?? [];
    sent.push(JSON.parse(body) as Sent);
    const tool_calls = calls.map(({ name, arguments: given, id, ...more }, at) => ({
      id: id ?? `c${sent.length}${at}`,
      type: 'function',
      function: { name, arguments: textOf(given) },
      ...more,
    }));
    const called = calls.length > 0 ? { content: null, tool_calls } : { content: 'Done.' };
    const message = { ...called, ...thoughts };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ choices: [{ message, finish_reason }], usage }));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { sent, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface Film {
  shots?: object[];
  director?: boolean;
  thoughts?: object;
}

/**
 * Opens studios for the tests of one file: a film of these shots, and a chat whose model calls the given tools. The queue runs until
 * `hold`.
 */
export function directorOfThisFile() {
  const openStudio = studiosOfThisFile();
  const closing: (() => unknown)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });
  return async (answers: Called[][], { shots = [], director, thoughts = {} }: Film = {}) => {
    const { sent, baseUrl } = await startCalling(answers, thoughts, closing);
    const studio = await openStudio();
    const { ask } = studio;
    await ask('profiles.save', { id: 'gateway', name: 'Gateway', baseUrl });
    await ask('profiles.setKey', { id: 'gateway', apiKey: 'sk-0123456789abcdef' });
    await ask('profiles.activate', { id: 'gateway' });
    const { id: projectId } = await ask('projects.create', { name: 'Last Ferry' });
    const board = shots.map((shot, at) => ({
      id: `s${at + 1}`,
      prompt: `Shot ${at + 1}`,
      model: 'video-standard',
      ...shot,
    }));
    await ask('storyboard.save', { projectId, revision: 0, shots: board as Board['shots'] });
    const off = director === undefined ? {} : { director };
    const { conversationId } = await ask('chat.create', { projectId, model: 'language', ...off });
    const say = async (text: string) => {
      const { jobId, messageId } = await ask('chat.send', { conversationId, text, stream: false });
      await expect.poll(async () => (await ask('jobs.get', { id: jobId })).state).toBe('succeeded');
      return messageId;
    };
    const drafts = async () => (await ask('director.drafts', { conversationId })).drafts;
    const madeJobs = async () => (await ask('jobs.list', {})).jobs.filter(({ kind }) => kind !== 'chat');
    const hold = () => ask('queue.pause', {});
    const board_ = () => ask('storyboard.get', { projectId });
    const messages = async () => (await ask('chat.get', { conversationId })).messages;
    return { ...studio, projectId, conversationId, say, drafts, madeJobs, hold, board: board_, messages, sent };
  };
}
