import { beforeEach, expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { shotList } from '../../features/storyboard/shotList/ImportShots.tsx';
import { byText, click, show, until } from '../../testing/page.tsx';
import { EncodingDialog } from './EncodingDialog.tsx';

/** "prompt", and "Маяк в сумерках" in Windows-1251. */
const cyrillic = () =>
  new File([new Uint8Array(Buffer.from(`${hexOf('prompt\n')}cce0ffea20e220f1f3ece5f0eae0f5`, 'hex'))], 'list.csv');
const hexOf = (text: string) => Buffer.from(text).toString('hex');
const words = () => document.querySelector<HTMLTextAreaElement>('.dlg textarea')?.value;
const choose = async (encoding: string) => {
  await click(document.querySelector('.dlg [aria-label="Encoding"]') as HTMLElement);
  await click(byText(encoding, '[role="option"]'));
};
const isAsked = () => until(() => expect(words()).toBeDefined());

beforeEach(() => shotList.start('The old list'));

test('a text that is not Unicode is shown first, and the old one stays until it is accepted', async () => {
  await show(<EncodingDialog />);
  const read = shotList.readFile(cyrillic());
  await isAsked();
  expect([words(), shotList.useDraft.getState().text]).toEqual(['prompt\nМаяк в сумерках', 'The old list']);
  await click(byText(labels.useThisText));
  await read;
  expect(shotList.useDraft.getState()).toMatchObject({
    text: 'prompt\nМаяк в сумерках',
    name: 'list.csv',
    format: 'csv',
  });
});

test('another encoding is chosen, and what it cannot read is counted', async () => {
  await show(<EncodingDialog />);
  const read = shotList.readFile(cyrillic());
  await isAsked();
  await choose(labels.westernWindows1252);
  expect(words()).toBe('prompt\nÌàÿê â ñóìåðêàõ');
  await choose('UTF-8');
  byText(labels.charactersCannotBeReadIn(13), '[role="alert"]');
  await click(byText(labels.cancel));
  await read;
  expect(shotList.useDraft.getState()).toMatchObject({
    text: 'The old list',
    error: expect.stringContaining('list.csv'),
  });
});

test('UTF-8 that already holds replacement characters is shown as well', async () => {
  await show(<EncodingDialog />);
  const read = shotList.readFile(new File(['Caf\ufffd'], 'list.txt'));
  await isAsked();
  byText(labels.charactersCannotBeReadIn(1), '[role="alert"]');
  await click(byText(labels.cancel));
  await read;
  expect(shotList.useDraft.getState().text).toBe('The old list');
});
