import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { ThreadPage } from '../../../shared/chat/chatCalls.ts';
import type { BranchOnMap, Message } from '../../../shared/chat/conversation.ts';
import { GO_ON } from '../../../shared/chat/finish.ts';
import { fail } from '../../../shared/contract/result.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aConversation, aMessage, aThread, chatOf, freshChat, openChat } from '../../testing/chatPage.tsx';
import { labelled, textOf, textsOf } from '../../testing/find.ts';
import { acting, byText, click, press, show, showOver, type, until } from '../../testing/page.tsx';
import { modalLayer, Toasts } from '../../ui/index.ts';
import { placed } from './BranchMap.tsx';
import { ChatPage } from './ChatPage.tsx';

const conversation = aConversation({ messageCount: 4, chargedNano: 6_000_000 });
const message = (more: Partial<Message>) =>
  aMessage({ id: 'a', branch: 'b1', text: 'An answer', jobId: undefined, ...more });
const QUESTION = message({ id: 'q', role: 'user', text: 'Where?', branch: 'b2' });
const limits = { contextTokens: 60_000, outputTokens: 500 };
const profile = aProfile({ limits });

const branch = (id: string, parent?: string): BranchOnMap => ({
  ...{ id, messageId: 'q', createdAt: 1, active: id === 'b2', title: `Words of ${id}`, messageCount: 2 },
  ...{ chargedNano: 2_000_000, uncertainNano: 0, unpriced: 0 },
  ...(parent ? { parent } : {}),
});
const BRANCHES = [branch('b1'), branch('b2', 'b1'), branch('b3', 'b1')];

const thread = (messages: Message[]): ThreadPage =>
  aThread(messages, {
    ...{ conversation, branches: BRANCHES, branch: 'b2' },
    variants: [{ messageId: 'q', at: 2, of: 3, previous: 'b1', next: 'b3' }],
  });

const answers = (messages: Message[]) => ({
  ...chatOf([], conversation),
  'chat.get': () => thread(messages),
  'chat.activate': () => null,
  'chat.branches': () => ({
    branches: BRANCHES,
    way: { messageCount: 2, chargedNano: 4_000_000, uncertainNano: 0, unpriced: 0 },
  }),
  'chat.edit': () => ({ messageId: 'a2', jobId: 'j2', branch: 'b4' }),
  'chat.regenerate': () => ({ messageId: 'a2', jobId: 'j2', branch: 'b4' }),
  'chat.continue': () => ({ messageId: 'a2', jobId: 'j2', branch: 'b2' }),
  'chat.send': () => ({ messageId: 'a3', jobId: 'j3' }),
  'chat.set': () => conversation,
  'chat.branch': () => ({ branch: 'b4' }),
});

beforeEach(() => freshChat(profile));

const ENTER = { ctrlKey: true };
const PRICE = { estimateNano: 4_400_000, lowNano: 1_500_000, unpriced: 0 };

async function open(messages = [QUESTION, message({ branch: 'b2' })], more = {}) {
  const studio = await openChat({ ...answers(messages), ...more });
  await until(() => expect(document.querySelectorAll('.msg')).not.toHaveLength(0));
  return studio;
}

it('a chat that is read while a dialog is open leaves the focus to it', async () => {
  await showOver(
    <>
      <ChatPage />
      <div className="dlg" ref={modalLayer}>
        <input aria-label="In front" />
      </div>
    </>,
    answers([QUESTION]),
  );
  labelled('In front').focus();
  await click(byText('Night', '.conv'));
  await until(() => expect(document.querySelectorAll('.msg')).not.toHaveLength(0));
  expect(document.activeElement).toBe(labelled('In front'));
});

it('goes to the branch beside by its buttons, and by keys', async () => {
  const studio = await open();
  expect(labelled(labels.versionOf(2, 3)).textContent).toContain('2/3');
  await click(labelled(labels.nextVersion));
  await until(() => expect(studio.callsOf('chat.activate')).toEqual([{ conversationId: 'c', branch: 'b3' }]));
  await press('ArrowLeft', { altKey: true });
  await until(() => expect(studio.callsOf('chat.activate').at(-1)).toEqual({ conversationId: 'c', branch: 'b1' }));
});

describe('other words', () => {
  it('are written in place, with their price, and sent by Ctrl Enter', async () => {
    const studio = await open();
    await click(labelled(labels.edit));
    const box = labelled(labels.editTheMessage) as HTMLTextAreaElement;
    expect(box.value).toBe('Where?');
    expect(labelled(labels.sendAsANewBranch).textContent).toContain('Creates branch 4. The current branch is kept.');
    await type(box, 'When?');
    await until(() => expect(textOf('.ask .price')).toBe('up to $0.0044'));
    expect(byText(labels.upToTokens(500), '.ask [title]').title).toContain('A longer answer costs more.');
    box.focus();
    await press('Enter', ENTER, box);
    await until(() =>
      expect(studio.callsOf('chat.edit')).toMatchObject([{ messageId: 'q', text: 'When?', shown: PRICE }]),
    );
    await until(() => expect(labelled(labels.editTheMessage)).toBeNull());
  });

  it('are not sent without a key, and the reason stands beside the button', async () => {
    freshChat(aProfile({ limits, key: null }));
    const studio = await open();
    await click(labelled(labels.edit));
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, 'When?');
    await until(() => expect(textOf('.ask .price')).toBe('up to $0.0044'));
    expect(textOf('.ask')).toContain('Enter the key first.');
    await press('Enter', ENTER, labelled(labels.editTheMessage));
    expect(studio.callsOf('chat.edit')).toEqual([]);
  });

  it('are dropped for those that were sent, and are there again by Undo', async () => {
    await open();
    await show(
      <>
        <ChatPage />
        <Toasts />
      </>,
    );
    await click(labelled(labels.edit));
    expect(textOf('.ask')).not.toContain('Restore');
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, 'When?');
    await click(byText(labels.putBackAsItWas));
    expect(words()).toBe('Where?');
    expect(document.activeElement).toBe(labelled(labels.editTheMessage));
    await click(byText(labels.discardChanges));
    await click(byText(labels.undo, '.msg .outcome button'));
    expect(document.querySelector('.toast')).toBeNull();
    expect(words()).toBe('When?');
  });

  const words = () => (labelled(labels.editTheMessage) as HTMLTextAreaElement | null)?.value;

  it('stay while the page is left, another chat is read or another branch, and go when they are dropped or sent', async () => {
    const studio = await open(undefined, {
      'chat.list': () => ({ conversations: [conversation, { ...conversation, id: 'd', title: 'Day' }], total: 2 }),
    });
    await click(labelled(labels.edit));
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, 'When?');
    await show(<p>The queue</p>);
    await show(<ChatPage />);
    await until(() => expect(words()).toBe('When?'));
    await click(byText('Day', '.conv'));
    await until(() => expect(words()).toBeUndefined());
    await click(byText('Night', '.conv'));
    await click(labelled(labels.edit));
    expect(words()).toBe('When?');
    await click(labelled(labels.nextVersion));
    await until(() => expect(words()).toBeUndefined());
    await click(labelled(labels.edit));
    await press('Escape', {}, labelled(labels.editTheMessage));
    expect(words()).toBeUndefined();
    await click(labelled(labels.edit));
    expect([words(), studio.callsOf('chat.edit')]).toEqual(['When?', []]);
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, 'Who?');
    await until(() => expect(document.querySelector('.ask .price')).not.toBeNull());
    await click(byText(labels.sendAsANewBranch));
    await until(() => expect(studio.callsOf('chat.edit')).toMatchObject([{ text: 'Who?' }]));
    await until(() => expect(words()).toBeUndefined());
    await click(labelled(labels.edit));
    expect(words()).toBe('Where?');
  });

  /** An edit whose answer comes when the test lets it. */
  async function editing(text: string) {
    let answer: (value: Edited) => void = () => {};
    const promise = new Promise<Edited>((resolve) => (answer = resolve));
    const studio = await open(undefined, { 'chat.edit': () => promise });
    await click(labelled(labels.edit));
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, text);
    await until(() => expect(document.querySelector('.ask .price')).not.toBeNull());
    await click(byText(labels.sendAsANewBranch));
    await until(() => expect(studio.callsOf('chat.edit')).toHaveLength(1));
    return { ...studio, answer: (value: Edited) => acting(() => answer(value)) };
  }
  const edited = { messageId: 'a2', jobId: 'j2', branch: 'b4' };
  type Edited = typeof edited | ReturnType<typeof fail>;
  const isBusy = () => byText(labels.sendAsANewBranch).getAttribute('aria-busy') === 'true';

  it('that are written while others are sent stay', async () => {
    const { answer } = await editing('When?');
    await type(labelled(labels.editTheMessage) as HTMLTextAreaElement, 'When, and who?');
    await answer(edited);
    await until(() => expect(isBusy()).toBe(false));
    expect(words()).toBe('When, and who?');
  });

  it('leave the question that is asked elsewhere by then open', async () => {
    const { answer, callsOf } = await editing('When?');
    await click(labelled(labels.regenerate));
    const read = callsOf('chat.get').length;
    await answer(edited);
    await until(() => expect(callsOf('chat.get').length).toBeGreaterThan(read));
    expect(byText(labels.answerAgain)).toBeTruthy();
    await click(labelled(labels.edit));
    expect(words()).toBe('Where?');
  });

  it('that may have been sent are still there when they were left, and say so', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { answer, keysOf } = await editing('When?');
    await answer(fail('unreachable', 'The answer did not come.'));
    await acting(() => vi.advanceTimersByTimeAsync(20_000));
    await until(() => expect(labelled(labels.sendAsANewBranch).textContent).toContain('nothing is sent twice'));
    await click(byText(labels.discardChanges));
    await click(labelled(labels.edit));
    expect([words(), labelled(labels.sendAsANewBranch).textContent]).toEqual([
      'When?',
      expect.stringContaining('nothing is sent twice'),
    ]);
    await click(byText(labels.sendAsANewBranch));
    await acting(() => vi.advanceTimersByTimeAsync(20_000));
    expect(new Set(keysOf('chat.edit')).size).toBe(1);
    await click(byText(labels.dismiss));
  });
});

it('asks for another answer only after its price was shown', async () => {
  const studio = await open();
  await click(labelled(labels.regenerate));
  expect(studio.callsOf('chat.regenerate')).toEqual([]);
  await until(() => expect(textOf('.ask .price')).toBe('up to $0.0044'));
  await click(byText(labels.answerAgain));
  await until(() => expect(studio.callsOf('chat.regenerate')).toMatchObject([{ messageId: 'a', shown: PRICE }]));
});

describe('an answer that was cut', () => {
  const cut = message({
    ...{
      id: 'a1',
      branch: 'b2',
      text: 'One ',
      state: 'partial',
      model: 'language',
      finishReason: 'length',
      jobId: 'j1',
    },
  });

  it('goes on at the press of a button, beside the price; the chat keeps its model', async () => {
    const studio = await open([QUESTION, cut]);
    await until(() => expect(textOf('.ask .price')).toBe('up to $0.0044'));
    await click(byText(labels.continue));
    await until(() =>
      expect(studio.callsOf('chat.continue')).toMatchObject([{ messageId: 'a1', model: undefined, shown: PRICE }]),
    );
  });

  it('is priced as what goes out, also with calls in it where the director is off', async () => {
    const toolResults = [{ id: 'call-1', name: 'draft_shots', arguments: '{}', content: '{}' }] as never;
    const studio = await open([QUESTION, { ...cut, toolResults }]);
    await until(() => expect(textOf('.ask .price')).toBe('up to $0.0044'));
    const messages = [
      { role: 'user' as const, content: 'Where?' },
      { role: 'assistant' as const, content: 'One ' },
      { role: 'user' as const, content: GO_ON },
    ];
    const quantity = KINDS.chat.most({ kind: 'chat', model: 'm', messages, stream: true }, limits);
    expect(JSON.stringify(studio.callsOf('ledger.estimate'))).toContain(JSON.stringify(quantity));
  });

  it('is one answer with its rest', async () => {
    await open([QUESTION, cut, message({ id: 'a2', branch: 'b2', text: 'two', continues: 'a1' })]);
    expect(document.querySelectorAll('.msg')).toHaveLength(2);
    expect(textsOf('.msg .body')).toEqual(['Where?', 'One two']);
    expect(document.querySelector('.ask')).toBeNull();
  });
});

it('shows the map with what each branch cost, and goes to one', async () => {
  const studio = await open();
  await click(labelled(labels.branches));
  await until(() => expect(document.querySelectorAll('.lines li')).toHaveLength(3));
  expect(textOf('.lines [aria-current]')).toBe('Words of b2$0.0020');
  expect(textOf('.mini')).toBe('This branch, 2 messages$0.0040All 3 branches$0.0060');
  await click(byText('Words of b3', '.lines button'));
  await until(() => expect(studio.callsOf('chat.activate')).toEqual([{ conversationId: 'c', branch: 'b3' }]));
});

it('places each branch once, under its parent, also in a tree that is damaged', () => {
  const depths = (branches: BranchOnMap[]) => placed(branches).map(({ branch: { id }, depth }) => `${id} ${depth}`);
  expect(depths([branch('a'), branch('b', 'a'), branch('c', 'b'), branch('d', 'a')])).toEqual([
    'a 0',
    'b 1',
    'c 2',
    'd 1',
  ]);
  expect(depths([branch('a', 'b'), branch('b', 'a'), branch('c', 'gone')])).toEqual(['c 0', 'a 0', 'b 0']);
});

it('renames the chat', async () => {
  const studio = await open();
  await click(labelled(labels.renameTheChat));
  const box = labelled(labels.nameOfTheChat) as HTMLInputElement;
  await type(box, 'Harbour');
  await press('Enter', {}, box);
  await until(() => expect(studio.callsOf('chat.set')).toEqual([{ conversationId: 'c', title: 'Harbour' }]));
});

it('shows what was said with the words, and opens the branch in which it was', async () => {
  const words = { title: 'Night', snippet: 'the lamp must not swing', found: { start: 4, end: 8 } };
  const place = { id: 'q', at: 1, conversationId: 'c', branch: 'b3' };
  const hit = { type: 'message' as const, role: 'user' as const, ...words, ...place };
  const studio = await open(undefined, { 'search.all': () => ({ hits: [hit] }) });
  await type(labelled(labels.searchChats) as HTMLInputElement, 'lamp');
  await until(() => expect(textOf('.hl mark')).toBe('lamp'));
  expect(studio.callsOf('search.all').at(-1)).toMatchObject({ text: 'lamp', types: ['message'] });
  await click(byText('the lamp must not swing', '.hl'));
  await until(() => expect(studio.callsOf('chat.activate')).toEqual([{ conversationId: 'c', branch: 'b3' }]));
  await until(() => expect(document.activeElement?.getAttribute('data-message')).toBe('q'));
});

it('starts a branch behind a message', async () => {
  const studio = await open();
  await click(document.querySelectorAll('[aria-label="Branch from here"]')[1] as HTMLElement);
  await until(() => expect(studio.callsOf('chat.branch')).toEqual([{ conversationId: 'c', messageId: 'a' }]));
});
