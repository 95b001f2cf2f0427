import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Message } from '../../../shared/chat/conversation.ts';
import { DEFAULT_MODELS } from '../../../shared/gateway/profile.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aMessage, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { textOf } from '../../testing/find.ts';
import { byText, click, type FakeStudio, showOver, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';
import { countedOf } from './sending.ts';

describe('the messages that are counted for the next one', () => {
  const asked = aMessage({ id: 'q', role: 'user', state: 'done', text: 'Where?' });
  const before = [asked, aMessage({ text: 'At', state: 'streaming' })];

  it('are the ones that were while an answer grows by less than a step, and no longer when it is there', () => {
    expect(countedOf(before, [asked, aMessage({ text: 'At the quay', state: 'streaming' })])).toBe(before);
    const longer = [asked, aMessage({ text: 'x'.repeat(5_000), state: 'streaming' })];
    expect(countedOf(before, longer)).toBe(longer);
    const whole = [asked, aMessage({ text: 'At the quay', state: 'done' })];
    expect(countedOf(before, whole)).toBe(whole);
  });

  it.each([
    ['a message that has come to an end has other words', [aMessage({ ...asked, text: 'Who?' }), before[1]]],
    ['one is added', [...before, aMessage({ id: 'n', state: 'streaming' })]],
    ['it is another one', [asked, aMessage({ id: 'n', text: 'At', state: 'streaming' })]],
  ])('are others where %s', (_, now) => {
    expect(countedOf(before, now as Message[])).toBe(now);
  });
});

describe('while an answer grows', () => {
  beforeEach(() => freshChat(aProfile({ models: DEFAULT_MODELS, limits: { contextTokens: 9_000 } }), 'c'));

  const opened = async (): Promise<FakeStudio> => {
    const studio = await showOver(<ChatPage />, chatOf([aMessage({ state: 'streaming' })]));
    await until(() => byText(labels.stop));
    return studio;
  };
  const grow = async (studio: FakeStudio, text: string) => {
    await studio.emit({ type: 'chat.delta', conversationId: 'c', messageId: 'm', jobId: 'j', text });
    await until(() => expect(textOf('.msg .body')).toContain(text.trim().split(/\s/).at(-1)));
  };
  const context = () => document.querySelector('.meter')?.parentElement?.textContent;

  it('nothing else is drawn anew with a piece, and its tokens are counted when it is whole', async () => {
    const studio = await opened();
    await grow(studio, 'At first');
    const counts = vi.spyOn(Number.prototype, 'toLocaleString');
    onTestFinished(() => counts.mockRestore());
    await grow(studio, ' and then');
    await grow(studio, ' at last');
    expect(counts).not.toHaveBeenCalled();
    const all = 'word '.repeat(400);
    await studio.emit({ type: 'message.changed', message: aMessage({ text: all, state: 'done', revision: 2 }) });
    await until(() => expect(context()).toMatch(/(4|5|6)\d\d of 9,000/));
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
});
