import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Message } from '../../../shared/chat/conversation.ts';
import { fail } from '../../../shared/contract/result.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aConversation, aMessage, aThread, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { labelled, says, textOf } from '../../testing/find.ts';
import { type Answers, acting, byText, click, fakeStudio, show, type, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { selectConversation, useChat } from './state.ts';

/** What becomes of a message on its way, while other things happen on the page. */

const chat = (id: string, title: string) => aConversation({ id, title, messageCount: 0 });
const limits = { contextTokens: 60_000, outputTokens: 500 };
const profile = aProfile({ limits });

const lost = fail('unreachable', 'The answer did not come.');
const refused = fail('conflict', 'The price is another by now.');
const made = { messageId: 'a', jobId: 'j' };
const said = (conversationId: string, branch: string, text: string): Message[] => [
  aMessage({ id: `q ${branch}`, conversationId, branch, role: 'user', text }),
  aMessage({ id: `a ${branch}`, conversationId, branch, text: 'At the quay' }),
];

/** The chats A and B, and the new ones that are made; what each holds is changed by a test. */
function aStudio(more: Answers = {}) {
  const chats = new Map([chat('a', 'Chat A'), chat('b', 'Chat B')].map((chat) => [chat.id, chat]));
  const messages = new Map<string, Message[]>();
  const branches = new Map<string, string>();
  const studio = fakeStudio({
    ...chatOf([]),
    'chat.list': () => ({ conversations: [...chats.values()], total: chats.size }),
    'chat.get': ({ conversationId: id }) =>
      aThread(messages.get(id) ?? [], {
        conversation: chats.get(id) ?? chat(id, 'Made'),
        branch: branches.get(id) ?? `main of ${id}`,
      }),
    'chat.create': () => {
      chats.set('made', chat('made', 'Made'));
      return { conversationId: 'made' };
    },
    'chat.send': () => made,
    'night.get': () => ({}) as never,
    ...more,
  });
  return { ...studio, chats, messages, branches };
}

beforeEach(() => {
  vi.useFakeTimers();
  freshChat(profile);
  window.location.hash = '#/chat';
  useStudio.setState({ link: 'up' });
});
afterEach(() => vi.useRealTimers());

const box = () => labelled<HTMLTextAreaElement>('Message');
const failure = () => textOf('.composer .note.fail') ?? '';
/** More than all pauses before an answer is asked for again. */
const later = () => acting(() => vi.advanceTimersByTimeAsync(20_000));
const sends = () => click(byText(labels.send));
const opens = (title: string) => click(byText(title, '.conv'));
/** A message to chat A, of which every answer is lost. */
async function asksInVain(): Promise<void> {
  await show(<ChatPage />);
  await opens('Chat A');
  await type(box(), 'Where is the lamp?');
  await sends();
  await later();
  await until(() => expect(failure()).toContain('nothing is sent twice'));
}

describe('a message whose answer was lost', () => {
  it('is the same request when it is sent again, in a chat that is new', async () => {
    const answers: unknown[] = Array.from({ length: 6 }, () => lost);
    const studio = await begun({ 'chat.send': () => (answers.shift() ?? made) as typeof made });
    studio.messages.set('made', said('made', 'main of made', 'Where is the lamp?'));
    await studio.emit({ type: 'conversation.changed', conversationId: 'made' });
    await later();
    await until(() => expect(failure()).toContain('nothing is sent twice'));
    await says('At the quay');
    await sends();
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(7));
    const sent = studio.callsOf('chat.send').map((input) => ({ ...(input as object), shown: undefined }));
    expect(sent[6]).toEqual(sent[0]);
    expect(sent[0]).toMatchObject({ conversationId: 'made', branch: 'main of made' });
    expect(new Set(studio.keysOf('chat.send')).size).toBe(1);
  });

  it('is the same request also where the chat has another branch and another model by then', async () => {
    const answers: unknown[] = Array.from({ length: 6 }, () => lost);
    const studio = aStudio({ 'chat.send': () => (answers.shift() ?? made) as typeof made });
    await asksInVain();
    studio.branches.set('a', 'another');
    studio.chats.set('a', { ...chat('a', 'Chat A'), revision: 2, model: 'text-large' });
    await studio.emit({ type: 'conversation.changed', conversationId: 'a' });
    await until(() => expect(useChat.getState().threads.get('a')).toMatchObject({ branch: 'another' }));
    await sends();
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(7));
    expect(new Set(studio.keysOf('chat.send')).size).toBe(1);
    expect(studio.callsOf('chat.send')[6]).toMatchObject({ branch: 'main of a' });
    await until(() => expect(box().value).toBe(''));
    await type(box(), 'Where is the lamp?');
    await sends();
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(8));
    expect(studio.callsOf('chat.send')[7]).toMatchObject({ branch: 'another', model: 'text-large' });
    expect(new Set(studio.keysOf('chat.send')).size).toBe(2);
  });
});

/** A first message is on its way to this studio. */
async function begun(more: Answers) {
  const studio = aStudio(more);
  await show(<ChatPage />);
  await type(box(), 'Where is the lamp?');
  await sends();
  return studio;
}

/** An answer that comes when the test lets it. */
function held<T>() {
  let answer: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    answer = resolve;
  });
  return { promise, answer: (value: T) => acting(() => answer(value)) };
}
type Sent = typeof made | typeof refused;

describe('the box', () => {
  it('of the next new chat is empty after a first message was refused', async () => {
    await begun({ 'chat.send': () => refused });
    await until(() => expect(failure()).toContain('another by now'));
    expect([useChat.getState().selectedId, box().value]).toEqual(['made', 'Where is the lamp?']);
    await click(byText(labels.newChat, '[aria-label="New chat"]'));
    expect(box().value).toBe('');
  });

  it.each([
    ['a', 'is sent', made],
    ['a', 'is refused', refused],
    [undefined, 'is sent', made],
    [undefined, 'is refused', refused],
  ])('in %s keeps what is written while a message %s', async (selectedId, _, answer) => {
    const sent = held<Sent>();
    const studio = aStudio({ 'chat.send': () => sent.promise as Promise<typeof made> });
    useChat.setState({ selectedId });
    await show(<ChatPage />);
    await type(box(), 'Where is the lamp?');
    await sends();
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(1));
    await type(box(), 'And the rope?');
    await sent.answer(answer);
    await until(() => expect(byText(labels.send).getAttribute('aria-busy')).not.toBe('true'));
    expect(box().value).toBe('And the rope?');
    expect(useChat.getState().selectedId).toBe(selectedId ?? 'made');
  });

  it('keeps what is written while the new chat is made, and the words that are sent are gone', async () => {
    const created = held<{ conversationId: string }>();
    const studio = await begun({ 'chat.create': () => created.promise });
    await type(box(), 'And the rope?');
    await created.answer({ conversationId: 'made' });
    await until(() => expect(studio.callsOf('chat.send')).toMatchObject([{ text: 'Where is the lamp?' }]));
    await until(() => expect(useChat.getState().selectedId).toBe('made'));
    expect(box().value).toBe('And the rope?');
    await click(byText(labels.newChat, '[aria-label="New chat"]'));
    expect(box().value).toBe('');
  });
});

describe('a first message that is on its way', () => {
  it.each([
    ['is sent', made, ''],
    ['is refused', refused, 'Where is the lamp?'],
  ])('leads nowhere when it %s after another chat was opened', async (_, answer, left) => {
    const created = held<{ conversationId: string }>();
    const studio = await begun({ 'chat.create': () => created.promise, 'chat.send': () => answer as typeof made });
    await opens('Chat B');
    await created.answer({ conversationId: 'made' });
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(1));
    await until(() => expect(useChat.getState().drafts.get('made')?.text).toBe(left));
    expect([useChat.getState().selectedId, window.location.hash]).toEqual(['b', '#/chat?conversation=b']);
    await click(byText(labels.newChat, '[aria-label="New chat"]'));
    expect(box().value).toBe('');
  });

  it('leaves what is written in the next new chat, also where another one was looked at meanwhile', async () => {
    const created = held<{ conversationId: string }>();
    const studio = await begun({ 'chat.create': () => created.promise });
    await opens('Chat B');
    await click(byText(labels.newChat, '[aria-label="New chat"]'));
    await type(box(), 'And the rope?');
    await created.answer({ conversationId: 'made' });
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(1));
    expect([useChat.getState().selectedId, box().value]).toEqual([undefined, 'And the rope?']);
  });

  it('leaves the page that was opened meanwhile as it is, and is found in the chats', async () => {
    const created = held<{ conversationId: string }>();
    const studio = await begun({ 'chat.create': () => created.promise });
    await show(<p>The queue</p>);
    window.location.hash = '#/queue';
    await created.answer({ conversationId: 'made' });
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(1));
    await until(() => expect(useChat.getState().drafts.get('made')?.text).toBe(''));
    expect([window.location.hash, useChat.getState().selectedId]).toEqual(['#/queue', 'made']);
  });
});

describe('what became of a message', () => {
  const isBusy = () => byText(labels.send).getAttribute('aria-busy') === 'true';
  const isOff = (button: string) => byText(button).getAttribute('aria-disabled') === 'true';
  const night = { 'night.get': () => ({ current: { id: 'n' } }) as never };

  it('stands in its own chat, also after another one was open', async () => {
    const studio = aStudio({ ...night, 'chat.send': () => lost });
    await asksInVain();
    expect([isOff(labels.send), isOff(labels.scheduleTonight)]).toEqual([false, true]);
    await opens('Chat B');
    expect(failure()).toBe('');
    await type(box(), 'And the rope?');
    expect([isOff(labels.send), isOff(labels.scheduleTonight)]).toEqual([false, false]);
    await show(<p>The queue</p>);
    await show(<ChatPage />);
    await opens('Chat A');
    expect(failure()).toContain('nothing is sent twice');
    expect([isOff(labels.send), isOff(labels.scheduleTonight)]).toEqual([false, true]);
    await sends();
    await later();
    expect(new Set(studio.keysOf('chat.send')).size).toBe(1);
  });

  it('keeps no other chat from sending while it is awaited', async () => {
    const sent = held<Sent>();
    const studio = aStudio({
      'chat.send': ({ conversationId }) => (conversationId === 'a' ? (sent.promise as Promise<typeof made>) : made),
    });
    await show(<ChatPage />);
    await opens('Chat A');
    await type(box(), 'Where is the lamp?');
    await sends();
    expect(isBusy()).toBe(true);
    await opens('Chat B');
    expect(isBusy()).toBe(false);
    await type(box(), 'And the rope?');
    await sends();
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(2));
    await opens('Chat A');
    expect(isBusy()).toBe(true);
    await sends();
    await sent.answer(refused);
    await until(() => expect(failure()).toContain('another by now'));
    expect(studio.callsOf('chat.send')).toHaveLength(2);
    await opens('Chat B');
    expect(failure()).toBe('');
  });

  it('goes over from the new chat to the one that it has become', async () => {
    const sent = held<Sent>();
    const studio = await begun({ ...night, 'chat.send': () => sent.promise as Promise<typeof made> });
    await until(() => expect(studio.callsOf('chat.send')).toHaveLength(1));
    await click(byText(labels.newChat, '[aria-label="New chat"]'));
    await type(box(), 'And the rope?');
    expect([isBusy(), isOff(labels.send), isOff(labels.scheduleTonight)]).toEqual([false, false, false]);
    await sent.answer(lost);
    await later();
    expect([failure(), box().value]).toEqual(['', 'And the rope?']);
    await acting(() => selectConversation('made'));
    expect([failure().includes('nothing is sent twice'), box().value]).toEqual([true, 'Where is the lamp?']);
    expect([isOff(labels.send), isOff(labels.scheduleTonight)]).toEqual([false, true]);
  });
});

it('a chat that comes in late is not opened over another one', async () => {
  const read = held<{ conversationId: string; messages: number }>();
  aStudio({ 'chat.import': () => read.promise as never });
  await show(<ChatPage />);
  const file = labelled('Choose a file');
  Object.defineProperty(file, 'files', { value: [new File(['{}'], 'chat.json')] });
  await acting(() => file.dispatchEvent(new Event('change', { bubbles: true })));
  await opens('Chat B');
  await read.answer({ conversationId: 'made', messages: 2 });
  expect([useChat.getState().selectedId, window.location.hash]).toEqual(['b', '#/chat?conversation=b']);
});
