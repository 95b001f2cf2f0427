import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Conversation, Message } from '../../../shared/conversation.ts';
import { DEFAULT_MODELS, type ProfileView } from '../../../shared/profile.ts';
import { useStudio } from '../../app/index.ts';
import { byText, click, type FakeStudio, fakeStudio, show, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { countedOf } from './sending.ts';
import { useChat } from './state.ts';

const message = (more: Partial<Message>): Message => ({
  id: 'm',
  revision: 1,
  conversationId: 'c',
  branch: 'b',
  role: 'assistant',
  text: '',
  state: 'streaming',
  jobId: 'j',
  createdAt: 1,
  ...more,
});

describe('the messages that are counted for the next one', () => {
  const asked = message({ id: 'q', role: 'user', state: 'done', text: 'Where?' });
  const before = [asked, message({ text: 'At' })];

  it('are the ones that were while an answer grows by less than a step, and no longer when it is there', () => {
    expect(countedOf(before, [asked, message({ text: 'At the quay' })])).toBe(before);
    const longer = [asked, message({ text: 'x'.repeat(5_000) })];
    expect(countedOf(before, longer)).toBe(longer);
    const whole = [asked, message({ text: 'At the quay', state: 'done' })];
    expect(countedOf(before, whole)).toBe(whole);
  });

  it.each([
    ['a message that has come to an end has other words', [message({ ...asked, text: 'Who?' }), before[1]]],
    ['one is added', [...before, message({ id: 'n' })]],
    ['it is another one', [asked, message({ id: 'n', text: 'At' })]],
  ])('are others where %s', (_, now) => {
    expect(countedOf(before, now as Message[])).toBe(now);
  });
});

describe('while an answer grows', () => {
  const conversation = { id: 'c', revision: 1, title: 'Night', createdAt: 1, updatedAt: 1, messageCount: 1 };
  const profile = { id: 'p', name: 'Gateway', builtin: false, key: 'memory', models: DEFAULT_MODELS };

  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work, 0));
    const limits = { contextTokens: 9_000 };
    useStudio.setState({ profiles: [{ ...profile, limits } as ProfileView], activeProfileId: 'p' });
    useChat.setState({ threads: new Map(), drafts: new Map(), selectedId: 'c' });
  });

  const opened = async (): Promise<FakeStudio> => {
    const whole: Conversation = { ...conversation, chargedNano: 0, uncertainNano: 0, unpriced: 0, director: true };
    const studio = fakeStudio({
      'chat.list': () => ({ conversations: [whole], total: 1 }),
      'chat.get': () => ({ conversation: whole, messages: [message({})], branches: [], branch: 'b', variants: [] }),
      'prices.list': () => ({ prices: [] }),
    });
    await show(<ChatPage />);
    await until(() => byText(labels.stop));
    return studio;
  };
  const grow = async (studio: FakeStudio, text: string) => {
    await studio.emit({ type: 'chat.delta', conversationId: 'c', messageId: 'm', jobId: 'j', text });
    await until(() =>
      expect(document.querySelector('.msg .body')?.textContent).toContain(text.trim().split(/\s/).at(-1)),
    );
  };
  const context = () => document.querySelector('.meter')?.getAttribute('aria-label');

  it('nothing else is drawn anew with a piece, and its tokens are counted when it is whole', async () => {
    const studio = await opened();
    await grow(studio, 'At first');
    const counts = vi.spyOn(Number.prototype, 'toLocaleString');
    onTestFinished(() => counts.mockRestore());
    await grow(studio, ' and then');
    await grow(studio, ' at last');
    expect(counts).not.toHaveBeenCalled();
    const all = 'word '.repeat(400);
    await studio.emit({ type: 'message.changed', message: message({ text: all, state: 'done', revision: 2 }) });
    await until(() => expect(context()).toMatch(/^About (4|5|6)\d\d of 9,000 tokens$/));
  });

  it('what is copied of it is all that has come', async () => {
    const written: string[] = [];
    const clipboard = { writeText: async (text: string) => void written.push(text) };
    const { navigator } = globalThis;
    vi.stubGlobal('navigator', { ...navigator, clipboard });
    onTestFinished(() => void vi.stubGlobal('navigator', navigator));
    const studio = await opened();
    await grow(studio, 'At first');
    await grow(studio, ' and then');
    await click(byText(labels.copy, '.who button'));
    expect(written).toEqual(['At first and then']);
  });

  it('what stands stays as it is, however many blocks there are', async () => {
    const studio = await opened();
    await grow(studio, Array.from({ length: 100 }, (_, at) => `A **lamp** ${at}\n\n`).join(''));
    const parts = () => [...document.querySelectorAll('.msg .body > p')];
    await until(() => expect(parts()).toHaveLength(100));
    const before = parts();
    await grow(studio, 'And one\n\nMore');
    await until(() => expect(parts()).toHaveLength(102));
    expect(before.filter((part, at) => part !== parts()[at])).toEqual([]);
    expect(
      parts()
        .map(({ textContent }) => textContent)
        .slice(98),
    ).toEqual(['A lamp 98', 'A lamp 99', 'And one', labels.more]);
  });
});
