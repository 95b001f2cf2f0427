import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { GO_ON } from '../../../shared/chat/finish.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import type { ChatMessage } from '../../../shared/kinds/chat.ts';
import { OutcomeLine } from '../../app/index.ts';
import { says } from '../../testing/find.ts';
import { acting, aJob, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { NEW, setDraft, useChat } from './state.ts';
import { outcomeOfBox, useRecalled } from './useRecalled.ts';

function Page() {
  useRecalled();
  return <OutcomeLine place={outcomeOfBox(NEW)} />;
}

const of = (content: string, ...more: ChatMessage[]): Partial<Job> => ({
  kind: 'chat',
  request: { kind: 'chat', model: 'text-large', messages: [{ role: 'user', content }, ...more] },
});

const messages: ChatMessage[] = [
  { role: 'system', content: 'You write for the screen.' },
  { role: 'user', content: 'Names for the boat' },
  { role: 'assistant', content: 'Aurora' },
  { role: 'user', content: 'Shorter', pictures: [{ assetId: 'boat' }] },
];
const text = aJob({ kind: 'chat', request: { kind: 'chat', model: 'text-large', messages } });

async function open(job: Job) {
  const studio = fakeStudio({ 'jobs.get': () => job });
  window.location.hash = `#/chat?recall=${job.id}`;
  await show(<Page />);
  return studio;
}

beforeEach(() => useChat.setState({ drafts: new Map(), selectedId: 'other' }));

it('puts the prompt, the model and the options of a text into a new chat, and sends nothing', async () => {
  const studio = await open(text);
  await until(() => expect(window.location.hash).toBe('#/chat'));
  const { drafts, selectedId } = useChat.getState();
  expect(selectedId).toBeUndefined();
  expect(drafts.get(NEW)).toEqual({
    text: 'Shorter',
    pictures: ['boat'],
    model: 'text-large',
    system: 'You write for the screen.',
    director: false,
  });
  expect(studio.calls.map(({ name }) => name)).toEqual(['jobs.get']);
});

it('of the rest of a cut answer is the question', async () => {
  await open(aJob(of('Names for the boat', { role: 'assistant', content: 'Aur' }, { role: 'user', content: GO_ON })));
  await until(() => expect(useChat.getState().drafts.get(NEW)?.text).toBe('Names for the boat'));
});

it('gives back what was begun before one text and another', async () => {
  setDraft(NEW, { text: 'half a thought' });
  await open(text);
  const boxIs = (words: string) => until(() => expect(useChat.getState().drafts.get(NEW)?.text).toBe(words));
  await boxIs('Shorter');
  await open(aJob({ id: 'other', ...of('Longer') }));
  await boxIs('Longer');
  await click(byText(labels.undo));
  await boxIs('Shorter');
  await says('It replaced your draft');
  await click(byText(labels.undo));
  await boxIs('half a thought');
  expect(document.querySelector('.outcome')).toBeNull();
});

it('what made no text is said, and nothing is changed', async () => {
  await open(aJob({ kind: 'imagine', request: { kind: 'imagine', prompt: 'A lamp' } }));
  await until(() => expect(window.location.hash).toBe('#/chat'));
  expect(useChat.getState().drafts.size).toBe(0);
});

it.each(['#/chat?conversation=other', '#/queue'])('changes nothing for who has gone on to %s', async (address) => {
  let answer = (_: Job): void => {};
  const job = new Promise<Job>((resolve) => (answer = resolve));
  fakeStudio({ 'jobs.get': () => job });
  window.location.hash = `#/chat?recall=${text.id}`;
  await show(<Page />);
  await acting(() => {
    window.location.hash = address;
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  });
  await acting(() => answer(text));
  expect(window.location.hash).toBe(address);
  expect(useChat.getState()).toMatchObject({ selectedId: 'other', drafts: new Map() });
});
