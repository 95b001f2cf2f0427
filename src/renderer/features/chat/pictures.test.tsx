import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { DEFAULT_MODELS } from '../../../shared/gateway/profile.ts';
import { cacheAssets, useStudio } from '../../app/index.ts';
import { aProfile } from '../../testing/aProfile.ts';
import { aConversation, aMessage, chatOf, freshChat } from '../../testing/chatPage.tsx';
import { isOff, labelled, says, textOf } from '../../testing/find.ts';
import { anAsset, byText, click, clickOn, fakeStudio, give, show, type, until } from '../../testing/page.tsx';
import { ChatPage } from './ChatPage.tsx';

const conversation = aConversation({ messageCount: 1, director: false });
const picture = anAsset({ id: 'as_1', name: 'quay.png', mime: 'image/png', state: 'local' });
const large = { ...picture, id: 'as_2', name: 'sea.png', bytes: 60_000_000 };
const said = aMessage({ id: 'm1', role: 'user', text: 'Old', pictures: ['as_1'] });

function chat(pictures: boolean | undefined, first = said, sent: Result<object> = ok(picture)) {
  const models = DEFAULT_MODELS.map((model) => ({ ...model, ...(pictures === undefined ? {} : { pictures }) }));
  const limits = { contextTokens: 128_000, outputTokens: 100 };
  useStudio.setState({ profiles: [aProfile({ models, limits })] });
  return fakeStudio(
    {
      ...chatOf([first], conversation),
      'chat.send': () => ({ messageId: 'm3', jobId: 'j' }),
      'chat.edit': () => ({ messageId: 'm3', jobId: 'j', branch: 'b2' }),
      'library.list': () => ({ assets: [picture], total: 1 }),
      'library.get': ({ id }: { id: string }) => (id === large.id ? large : picture),
    } as never,
    () => sent,
  );
}

beforeEach(() => freshChat(aProfile(), 'c'));

const box = () => labelled<HTMLTextAreaElement>('Message');
const rows = () => [...document.querySelectorAll('.composer .shownPictures li')];

it('a picture is chosen, stands at the box, is sent and is gone from there; one that was shown stands in its message', async () => {
  const studio = chat(true);
  await show(<ChatPage />);
  await until(() => expect(textOf('.msg .shownPictures')).toContain('quay.png'));
  await type(box(), 'What is this?');
  await click(byText(labels.attach));
  await clickOn('quay.png', '.picks .pickTile');
  expect(byText('quay.png', '.picks .pickTile').getAttribute('aria-pressed')).toBe('true');
  await click(byText(labels.done));
  expect(rows()).toHaveLength(1);
  await until(() => expect(isOff(byText(labels.send))).toBe(false));
  await click(byText(labels.send));
  await until(() => expect(studio.callsOf('chat.send')).toMatchObject([{ pictures: ['as_1'], text: 'What is this?' }]));
  await until(() => expect(rows()).toEqual([]));
});

it.each([
  [false, 'takes no pictures'],
  [undefined, 'It is not known whether the model language takes pictures'],
])('a model that is known as %s says why before anything is sent', async (pictures, reason) => {
  const studio = chat(pictures);
  cacheAssets([picture]);
  await show(<ChatPage />);
  await type(box(), 'What is this?');
  await until(() => expect(textOf('.composer')).toContain(reason));
  await click(byText(labels.send));
  expect(studio.callsOf('chat.send')).toEqual([]);
});

it('more than 40 MB of pictures keep the button off, and an edit takes some of them away', async () => {
  const studio = chat(true, { ...said, pictures: ['as_1', 'as_2'] });
  cacheAssets([picture, large]);
  await show(<ChatPage />);
  await type(box(), 'And now?');
  await until(() => expect(textOf('.composer .why')).toMatch(/^The pictures of the chat have 60/));
  expect(isOff(byText(labels.send))).toBe(true);
  await click(byText(labels.edit, '.onHover button'));
  expect(isOff(byText(labels.sendAsANewBranch))).toBe(true);
  await click(byText(labels.removePicture(2), '.ask button'));
  expect(document.querySelectorAll('.ask .shownPictures li')).toHaveLength(1);
  const canSend = () => expect(isOff(byText(labels.sendAsANewBranch))).toBe(false);
  await until(canSend);
  await click(byText(labels.putBackAsItWas));
  expect(document.querySelectorAll('.ask .shownPictures li')).toHaveLength(2);
  await click(byText(labels.removePicture(2), '.ask button'));
  await until(canSend);
  await click(byText(labels.sendAsANewBranch));
  await until(() => expect(studio.callsOf('chat.edit')).toMatchObject([{ text: 'Old', pictures: ['as_1'] }]));
  await until(() => expect(document.querySelector('.ask')).toBeNull());
});

it('a picture of an answer stands beside its words, opens in the library, and is used as a frame or shown to the model', async () => {
  const answer = aMessage({ id: 'm2', role: 'assistant', text: 'A fox.', pictures: ['as_1'], state: 'done' });
  chat(true, answer);
  await show(<ChatPage />);
  await until(() => expect(textOf('.msg .madePictures')).toContain('quay.png'));
  expect(textOf('.msg')).toContain('A fox.');
  expect(document.querySelector<HTMLImageElement>('.madePictures img')?.src).toContain('as_1');
  await says(labels.picturesOfAnswersAreNotSent);
  await click(byText(labels.attachToMessage));
  expect(rows()).toHaveLength(1);
  await click(byText(labels.useAsFrame, '.madePictures button'));
  expect(window.location.hash).toContain('frame=as_1');
  await clickOn('quay.png', '.madePictures .pickTile');
  expect(window.location.hash).toContain('asset=as_1');
});

it('a picture that is only at the gateway says so, and cannot be used yet', async () => {
  const remote = { ...picture, state: 'remote' as const, fault: 'The host does not answer.' };
  cacheAssets([remote]);
  chat(true, aMessage({ id: 'm2', role: 'assistant', text: '', pictures: ['as_1'], state: 'partial' }));
  cacheAssets([remote]);
  await show(<ChatPage />);
  await until(() => expect(textOf('.madePictures .media')).toContain('gateway'));
  expect(isOff(byText(labels.useAsFrame, '.madePictures button'))).toBe(true);
  expect(textOf('.msg')).toContain('The pictures so far are kept.');
});

const file = () => new File(['x'], 'quay.png', { type: 'image/png' });

it.each(['drop', 'paste'] as const)('a picture comes to the message by %s, wherever the focus is', async (way) => {
  chat(true);
  await show(<ChatPage />);
  const thread = document.querySelector('.thread, .col') as HTMLElement;
  expect((await give(way, thread, [file()])).defaultPrevented).toBe(true);
  await until(() => expect(rows()).toHaveLength(1));
});

it('a picture is pasted into the box; words that are pasted stay words, also with a picture of them', async () => {
  chat(true);
  await show(<ChatPage />);
  expect((await give('paste', box(), [], 'Subtitles')).defaultPrevented).toBe(false);
  expect((await give('paste', box(), [file()], 'Subtitles')).defaultPrevented).toBe(false);
  expect(rows()).toEqual([]);
  await give('paste', box(), [file()]);
  await until(() => expect(rows()).toHaveLength(1));
});

it('a file that is refused is named, and a clip is not shown', async () => {
  chat(true, said, fail('unsupported_media', 'Not a picture.'));
  await show(<ChatPage />);
  await give('paste', box(), [file()]);
  await says('quay.png: Not a picture.');
  chat(true, said, ok(anAsset({ id: 'clip', mime: 'video/mp4' })));
  const before = textOf('[role=log]');
  await give('paste', box(), [file()]);
  await until(() => expect(document.body.textContent).not.toContain('Importing'));
  expect(textOf('[role=log]')).toBe(before);
  expect(rows()).toEqual([]);
});
