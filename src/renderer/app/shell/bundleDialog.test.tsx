import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { BundleContents } from '../../../shared/bundle/calls.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import { textOf, textsOf } from '../../testing/find.ts';
import { acting, byText, click, type fakeStudio, showOver, until } from '../../testing/page.tsx';
import { Toasts } from '../../ui/index.ts';
import { askForBundle, closeBundle, lookInto } from '../state/openBundle.ts';
import { BundleDialog } from './BundleDialog.tsx';

const contents: BundleContents = {
  ...{
    title: 'Last Ferry',
    version: '0.2.0',
    createdAt: 5,
    shots: 5,
    takes: 9,
    chats: 2,
    files: 11,
    bytes: 40_000_000,
  },
  ...{ here: { files: 3, bytes: 9_000_000 }, withoutFile: 1 },
  cost: { nano: 4_800_000_000, lowNano: 4_800_000_000, playNano: 0, unpriced: 0 },
};
const project = { id: 'p1', name: 'Last Ferry', createdAt: 9 };
const bundle = () => new File(['x'], 'ferry.dailies');
const uploaded = { uploadId: 'u1', name: 'ferry.dailies', bytes: 1 };

beforeEach(() => closeBundle());

async function open(answers: Parameters<typeof fakeStudio>[0] = {}) {
  const studio = await showOver(
    <>
      <BundleDialog />
      <Toasts />
    </>,
    {
      'bundle.read': () => contents,
      'bundle.open': () => project,
      'bundle.discard': () => null,
      'settings.set': (patch) => ({ theme: 'dark', ...patch }) as never,
      ...answers,
    },
    (name, purpose) =>
      'role' in purpose && purpose.role === 'bundle' ? ok({ ...uploaded, name }) : fail('internal', 'other'),
  );
  return studio;
}

const words = () => textOf('.dlg') ?? '';

test('what is in a bundle is shown first; one press opens it as a project', async () => {
  const studio = await open();
  await acting(() => lookInto(bundle()));
  for (const part of ['Last Ferry', '5 shots, 9 takes', '11 files', '3 files', 'Missing1 file', '4.80'])
    expect(words()).toContain(part);
  expect(words()).toContain('Opening is free');
  expect(studio.callsOf('bundle.open')).toEqual([]);
  await click(byText(labels.openAsANewProject));
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
  expect(studio.callsOf('bundle.open')).toEqual([{ uploadId: 'u1' }]);
  expect(studio.callsOf('settings.set')).toEqual([{ projectId: 'p1' }]);
  expect(studio.callsOf('bundle.discard')).toEqual([]);
});

test('one that comes in after its dialog was closed leads nowhere, and offers the way', async () => {
  const opened = Promise.withResolvers<typeof project>();
  const studio = await open({ 'bundle.open': () => opened.promise });
  await acting(() => lookInto(bundle()));
  await click(byText(labels.openAsANewProject));
  await acting(() => closeBundle());
  window.location.hash = '#/images';
  opened.resolve(project);
  await until(() => byText(labels.open, '.toast button'));
  expect([studio.callsOf('settings.set'), window.location.hash]).toEqual([[], '#/images']);
  await click(byText(labels.open, '.toast button'));
  await until(() => expect(window.location.hash).toBe('#/storyboard'));
  expect(studio.callsOf('settings.set')).toEqual([{ projectId: 'p1' }]);
});

test('a refusal stands there in one sentence, and another file can be chosen', async () => {
  const studio = await open({
    'bundle.read': () => fail('invalid_input', 'media/a.mp4: is a link. Nothing was opened.'),
  });
  await acting(() => lookInto(bundle()));
  expect(words()).toContain('media/a.mp4: is a link. Nothing was opened.');
  expect(byText(labels.chooseABundle)).not.toBeNull();
  expect(studio.callsOf('bundle.discard')).toEqual([{ uploadId: 'u1' }]);
});

test('left without opening, what was sent is discarded', async () => {
  const studio = await open();
  await acting(() => lookInto(bundle()));
  await click(byText(labels.cancel));
  await until(() => expect(studio.callsOf('bundle.discard')).toEqual([{ uploadId: 'u1' }]));
  expect(studio.callsOf('bundle.open')).toEqual([]);
});

test('a bundle dropped anywhere is looked into, and no other file', async () => {
  const studio = await open();
  const drop = (file: File) => {
    const event = new Event('drop', { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { files: [file], types: ['Files'] } });
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
  };
  await acting(() => expect(drop(new File(['x'], 'quay.png'))).toBe(false));
  expect(words()).toBe('');
  await acting(() => expect(drop(bundle())).toBe(true));
  await until(() => expect(studio.callsOf('bundle.read')).toEqual([{ uploadId: 'u1' }]));
  await acting(() => askForBundle());
  expect(words()).toContain('whole film in one .dailies file');
});

test.each([
  [0, 2, labels.priceNotKnown],
  [4_800_000_000, 2, '$4.80 and 2 without a price'],
  [0, 0, '$0.00'],
])('what %i and %i unpriced takes cost there is told as it is known', async (nano, unpriced, cost) => {
  await open({ 'bundle.read': () => ({ ...contents, cost: { nano, lowNano: nano, playNano: 0, unpriced } }) });
  await acting(() => lookInto(bundle()));
  expect(textsOf('.dlg .price')).toEqual([cost]);
});
