import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Message } from '../../../shared/chat/conversation.ts';
import { fail } from '../../../shared/contract/result.ts';
import { DEFAULT_MODELS } from '../../../shared/gateway/profile.ts';
import type { PricedQuantity } from '../../../shared/kinds/pricedQuantity.ts';
import { useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aMessage, aThread, chatOf, freshChat, openChat } from '../../testing/chatPage.tsx';
import { isOff, labelled, says, textOf, textsOf } from '../../testing/find.ts';
import {
  acting,
  aJob,
  anAsset,
  byText,
  click,
  clickOn,
  fakeStudio,
  press,
  show,
  showOver,
  type,
  until,
} from '../../testing/page.tsx';
import { Toasts } from '../../ui/index.ts';
import { ChatPage } from './ChatPage.tsx';
import { setDraft, useChat } from './state.ts';

const message = (more: Partial<Message>) => aMessage({ id: 'm2', state: 'streaming', ...more });
const done = (text: string, more: Partial<Message> = {}) => message({ text, state: 'done', ...more });
const ELSEWHERE = { promptTokens: 7_000, completionTokens: 500, totalTokens: 7_500 };
const profile = aProfile({ limits: { contextTokens: 60 } });

const answers = (messages: Message[]) => ({
  ...chatOf(messages),
  'chat.stop': () => null,
  'chat.create': () => ({ conversationId: 'c' }),
  'chat.send': () => ({ messageId: 'm2', jobId: 'j' }),
});

beforeEach(() => freshChat(profile));

const box = () => labelled<HTMLTextAreaElement>('Message');

it('the cost so far is the ledger’s, whatever model is chosen for the next message', async () => {
  const cheap = { unit: 'token' as const, inputNano: 270, outputNano: 1_080 };
  const dearer = { ...cheap, cachedNano: 70, cacheWriteNano: 340, requestNano: 5e6 };
  const said = [
    done('One', { id: 'm1', model: 'dear', usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1_000 } }),
    done('Two', { jobId: undefined, costElsewhereNano: 5e9, usage: ELSEWHERE }),
  ];
  fakeStudio({
    ...answers(said),
    'chat.branches': () => ({
      branches: [],
      way: { messageCount: 2, chargedNano: 10e9, uncertainNano: 0, unpriced: 0 },
    }),
    'prices.list': () => ({
      prices: [{ kind: 'chat', model: 'cheap', readings: [cheap, dearer], settledReading: null, source: '' }],
    }),
  });
  useChat.setState({ selectedId: 'c' });
  setDraft('c', { model: 'cheap' });
  await show(<ChatPage />);
  await until(() => byText(labels.costSoFar, '.sec'));
  expect(byText(labels.costSoFar, '.sec').textContent).toMatch(/900 in, 100 out.*This branch, 2 messages\$10\.00/);
  const price = byText(labels.dollarsPerMillionTokens, '.sec');
  expect([...price.querySelectorAll('p')].map((reading) => reading.textContent)).toEqual([
    '$0.27 in, $1.08 out',
    '$0.27 in, $1.08 out, $0.07 cached, $0.34 cache writes, $0.0050 per request',
  ]);
  const links = [...price.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Choose price in Spend', '#/spend?profile=p'],
    [labels.setPrice, '#/spend?price=chat&model=cheap'],
  ]);
});

describe('an answer that comes', () => {
  it('grows by its pieces, with the reasoning apart, and the studio has the last word', async () => {
    const studio = await openChat(answers([message({})]));
    const delta = { type: 'chat.delta', conversationId: 'c', messageId: 'm2', jobId: 'j' } as const;
    await studio.emit({ ...delta, text: 'think', channel: 'reasoning' });
    await studio.emit({ ...delta, text: 'Hel' });
    await studio.emit({ ...delta, text: 'lo **there**' });
    await until(() => expect(textOf('.msg .body')).toBe('Hello there'));
    expect(textOf('.think')).toContain('5 characters');
    await studio.emit({ type: 'message.changed', message: message({ text: 'Hello, at the end.', state: 'done' }) });
    await until(() => expect(textOf('.msg .body')).toBe('Hello, at the end.'));
  });

  it('is read with every page of a long conversation, and the pages in front are not read again', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((text) => message({ id: text, text, state: 'done' }));
    const studio = fakeStudio({
      ...answers([]),
      'chat.get': ({ before }) => {
        const end = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
        const messages = all.slice(Math.max(0, end - 2), end);
        return { ...aThread(messages), ...(end > 2 ? { earlier: messages[0]?.id ?? '' } : {}) };
      },
    });
    const shown = () => textsOf('.msg .body');
    await show(<ChatPage />);
    await click(byText('Night', '.conv'));
    await until(() => expect(shown()).toEqual(['a', 'b', 'c', 'd', 'e']));
    const read = studio.callsOf('chat.get').length;
    await studio.emit({ type: 'conversation.changed', conversationId: 'c' });
    await until(() => expect(studio.callsOf('chat.get')).toHaveLength(read + 1));
    expect(shown()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('stops on Esc and says that what had come is kept', async () => {
    const studio = await openChat(answers([message({ text: 'Half' })]));
    await until(() => byText(labels.stop));
    await press('Escape', {}, box());
    expect(studio.callsOf('chat.stop')).toEqual([{ conversationId: 'c', branch: 'b' }]);
    await studio.emit({ type: 'message.changed', message: message({ text: 'Half', state: 'partial' }) });
    await until(() => expect(textOf('.ended')).toBe('Stopped by you. The text so far is kept.'));
  });

  it('tonight is no answer that comes: there is nothing to stop, and the box says what it waits for', async () => {
    const job = aJob({ id: 'planned', state: 'blocked', reason: 'window' });
    const studio = await openChat({
      ...answers([message({ jobId: 'planned', state: 'waiting' })]),
      'jobs.get': () => job,
    });
    await type(box(), 'And now?');
    await until(() =>
      expect(textOf('.composer .why')).toBe(
        'Your last message waits for tonight’s run. Cancel it in Queue, or branch from an earlier message.',
      ),
    );
    await press('Escape', {}, box());
    expect(textOf('.composer')).not.toContain(labels.stop);
    expect(studio.callsOf('chat.stop')).toEqual([]);
  });

  it.each([
    ['length', 'Cut off at the gateway’s length limit. The text so far is kept.'],
    ['content_filter', 'Cut off by the gateway’s content filter. The text so far is kept.'],
  ])('that was cut by %s says so', async (finishReason, words) => {
    await openChat(answers([message({ text: 'Half', state: 'partial', finishReason })]));
    await until(() => expect(textOf('.ended')).toBe(words));
  });

  it('keeps a wide table in a place of its own that the keys reach, so that it scrolls and nothing else does', async () => {
    const line = `|${'a|'.repeat(30)}`;
    fakeStudio(answers([message({ text: `${line}\n|${'-|'.repeat(30)}\n${line}`, state: 'done' })]));
    useChat.setState({ selectedId: 'c' });
    await show(<ChatPage />);
    await until(() => byText(labels.table, 'section'));
    const place = byText(labels.table, 'section');
    expect([place.tabIndex, place.querySelectorAll('td')]).toMatchObject([0, { length: 30 }]);
  });

  it('renders no raw HTML, fetches no picture, and opens links after asking', async () => {
    const text =
      '<img src=x onerror=alert(1)> ![map](https://evil.example/a.png) [site](https://ok.example/) [bad](javascript:alert(1))';
    const studio = await openChat({
      ...answers([message({ text, state: 'done' })]),
      'app.openExternal': () => null,
    });
    await until(() => byText('site', 'a'));
    expect(document.querySelector('.msg img')).toBeNull();
    expect(textsOf('.msg a')).toEqual(['Picture: map', 'site']);
    await click(byText('site', 'a'));
    expect(byText('https://ok.example/', '.askedLink')).toBeTruthy();
    expect(studio.callsOf('app.openExternal')).toEqual([]);
    await click(byText(labels.open, '.dlg button'));
    expect(studio.callsOf('app.openExternal')).toEqual([{ url: 'https://ok.example/' }]);
    await until(() => expect(document.querySelector('.askedLink')).toBeNull());
  });

  it('shows where a link leads, whatever its words say', async () => {
    const text =
      '[bank.example](https://bank.example@evil.example/x) [here](https://xn--pple-43d.example/) https://ok.example/a';
    const studio = await openChat({
      ...answers([message({ text: text.replace('xn--pple-43d', '\u0430pple'), state: 'done' })]),
    });
    await until(() => byText('bank.example', 'a'));
    const words = document.querySelector('.msg.assistant, .msg')?.parentElement?.textContent ?? '';
    expect(words).toContain('bank.example (evil.example)');
    expect(words).toContain('here (xn--pple-43d.example)');
    await click(byText('bank.example', 'a'));
    expect(byText('evil.example', '.dlg b')).toBeTruthy();
    expect(byText(labels.whatStandsBeforeTheIs, '.dlg p')).toBeTruthy();
    await click(byText(labels.stayHere, '.dlg button'));
    expect(studio.callsOf('app.openExternal')).toEqual([]);
  });
});

it('draws no message and no line of the list for a key that is typed', async () => {
  const said = Array.from({ length: 30 }, (_, n) => message({ id: `m${n}`, text: `Said ${n}`, state: 'done' }));
  await openChat(answers([...said, message({ id: 'last' })]));
  await until(() => expect(document.querySelectorAll('.msg')).toHaveLength(31));
  await type(box(), 'W');
  // A message shows its time, and so does a line of the list: each drawing of one asks for its words.
  const drawings = vi.spyOn(Intl.DateTimeFormat.prototype as { readonly format: unknown }, 'format', 'get');
  onTestFinished(() => drawings.mockRestore());
  await type(box(), 'Wh');
  await type(box(), 'Who');
  expect(box().value).toBe('Who');
  expect(drawings).not.toHaveBeenCalled();
});

describe('the question of whose answer nothing came', () => {
  const question = message({ id: 'q', role: 'user', text: 'Where?', pictures: ['lamp'], state: 'done' });

  it('is opened in place, with its pictures, and asked in a branch of its own; the box keeps what was begun', async () => {
    const models = DEFAULT_MODELS.map((model) => ({ ...model, pictures: true }));
    useStudio.setState({ profiles: [aProfile({ models, limits: { contextTokens: 60_000, outputTokens: 500 } })] });
    const studio = fakeStudio({
      ...answers([question, message({ state: 'failed' })]),
      'chat.edit': () => ({ messageId: 'm3', jobId: 'j3', branch: 'b2' }),
      'library.get': () => anAsset({ id: 'lamp', name: 'lamp.png', mime: 'image/png' }),
    });
    setDraft('c', { text: 'half a thought' });
    await show(<ChatPage />);
    await click(byText('Night', '.conv'));
    await clickOn(labels.openTheMessageToAsk);
    const words = labelled<HTMLTextAreaElement>('Edit the message');
    expect([words.value, document.activeElement]).toEqual(['Where?', words]);
    await until(() => expect(isOff(byText(labels.sendAsANewBranch))).toBe(false));
    await click(byText(labels.sendAsANewBranch));
    await until(() => expect(studio.callsOf('chat.edit')).toMatchObject([{ messageId: 'q', text: 'Where?' }]));
    expect(studio.callsOf('chat.edit')[0]).not.toHaveProperty('pictures');
    expect([studio.callsOf('chat.send'), box().value]).toEqual([[], 'half a thought']);
  });
});

it('says why an answer could not be stopped, and why a chat could not be deleted', async () => {
  await showOver(
    <>
      <ChatPage />
      <Toasts />
    </>,
    {
      ...answers([message({})]),
      'chat.stop': () => fail('internal', 'No stop'),
      'chat.remove': () => fail('internal', 'No removal'),
    },
  );
  await click(byText('Night', '.conv'));
  await until(() => byText(labels.stop));
  await press('Escape');
  await until(() => expect(textOf('.toast.fail')).toContain('No stop'));
  await click(labelled('Delete Night'));
  await click(byText(labels.deleteTheChat));
  await says('No removal');
  expect(textOf('.conv')).toContain('Night');
});

describe('sending', () => {
  it('shows the price first, and only Ctrl Enter sends', async () => {
    const studio = await showOver(<ChatPage />, answers([]));
    await type(box(), 'Where is the lamp?');
    await until(() => expect(textOf('.composer .price')).toBe('up to $0.0044'));
    await press('Enter', {}, box());
    expect(studio.callsOf('chat.send')).toEqual([]);
    await press('Enter', { ctrlKey: true }, box());
    await until(() =>
      expect(studio.callsOf('chat.send')).toMatchObject([{ conversationId: 'c', text: 'Where is the lamp?' }]),
    );
    await until(() => expect(box().value).toBe(''));
  });

  it('asks for the price of so many tokens, and sends no word of what was said', async () => {
    useStudio.setState({ profiles: [{ ...profile, limits: { ...profile.limits, outputTokens: 500 } }] });
    const said = 'x'.repeat(3_000);
    const studio = await openChat(answers([message({ text: said, state: 'done' })]));
    await says('xxx');
    await type(box(), 'More');
    const asked = () => studio.callsOf('ledger.estimate').at(-1) as { quantities: PricedQuantity[] } | undefined;
    await until(() => expect(asked()).toBeDefined());
    expect(Object.keys(asked() ?? {})).toEqual(['quantities']);
    const [order] = asked()?.quantities ?? [];
    expect(order).toMatchObject({ kind: 'chat', model: 'language', quantity: { outputTokens: 500 } });
    expect(order?.quantity.inputTokens).toBeGreaterThan(3_004);
    expect(order?.quantity.inputTokens).toBeLessThan(3_100);
  });

  it('keeps the words when the studio refuses them', async () => {
    await showOver(<ChatPage />, { ...answers([]), 'chat.send': () => fail('invalid_input', 'The model is unknown.') });
    await type(box(), 'Where is the lamp?');
    await click(byText(labels.send));
    await until(() => expect(textOf('.composer .note.fail')).toContain('The model is unknown.'));
    expect(box().value).toBe('Where is the lamp?');
  });

  it('is off, with the number of tokens over, when the message does not fit', async () => {
    const studio = await showOver(<ChatPage />, answers([]));
    await type(box(), 'word '.repeat(100));
    await until(() => expect(textOf('.composer .why')).toMatch(/about \d+ tokens more than the 60/));
    await press('Enter', { ctrlKey: true }, box());
    expect(studio.callsOf('chat.send')).toEqual([]);
  });
});

it('a message that would end the page takes neither the conversation nor the text around it', async () => {
  const texts = [`${'>'.repeat(2_000)} deep`, '*a_'.repeat(20_000), '[](a:'.repeat(40_000), '# Well\n\n**said**'];
  await openChat(answers(texts.map((text, index) => message({ id: `m${index}`, text, state: 'done' }))));
  await until(() => expect(document.querySelectorAll('.msg .body')).toHaveLength(4));
  const shown = textsOf('.msg .body');
  const begun = texts.slice(1, 3).map((text) => `${text.slice(0, 20_000)}Show more`);
  expect(shown).toEqual([texts[0], ...begun, 'Wellsaid']);
});

it('a chat leaves as JSON; a file that is none is refused by its name, and nothing of it is opened', async () => {
  const wrong = () => fail('unsupported_media', 'This is no chat.');
  const studio = fakeStudio({ ...answers([]), 'chat.import': wrong });
  await show(
    <>
      <ChatPage />
      <Toasts />
    </>,
  );
  await click(byText('Night', '.conv'));
  await clickOn(labels.export);
  await clickOn('JSON', '[role=menuitem]');
  expect(studio.callsOf('chat.export')).toEqual([{ conversationId: 'c', format: 'json' }]);
  const file = labelled('Choose a file');
  Object.defineProperty(file, 'files', { value: [new File(['{}'], 'bad.json')] });
  await acting(() => file.dispatchEvent(new Event('change', { bubbles: true })));
  await until(() => expect(textOf('.toasts')).toContain('bad.json: '));
  expect(useChat.getState().selectedId).toBe('c');
});
