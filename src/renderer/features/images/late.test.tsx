import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import { useEntities, useStudio } from '../../app/index.ts';
import { addEdit, emptyHistory } from '../../canvas/index.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, show, until } from '../../testing/page.tsx';
import { Toasts } from '../../ui/index.ts';
import { OpenButton } from './OpenButton.tsx';
import { PutBack } from './panels/OutsideSection.tsx';
import { openPicture, useImages } from './useImages.ts';

/** Pictures that come late: put back outside, or imported. */

class Laid {
  private onMessage: (event: { data: unknown }) => void = () => {};
  addEventListener(type: string, listener: () => void): void {
    if (type === 'message') this.onMessage = listener;
  }
  postMessage({ id }: { id: number }): void {
    this.onMessage({ data: { id, answer: { file: new Blob(['laid']) } } });
  }
}

const edit = { job: aJob({ kind: 'edit' }), baseId: 'base', maskId: 'mask' };
const mask = addEdit(emptyHistory(64, 32), { kind: 'invert' });
let upload: PromiseWithResolvers<Result<object>>;

beforeEach(async () => {
  vi.stubGlobal('Worker', Laid);
  vi.stubGlobal('fetch', async () => new Response('picture'));
  upload = Promise.withResolvers();
  fakeStudio({}, () => upload.promise);
  useStudio.setState({ link: 'up' });
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useImages.setState({ tab: 'edit', assetId: 'a', masks: {}, hand: undefined });
});
afterEach(() => vi.unstubAllGlobals());

const putBack = async () => {
  await show(
    <>
      <Toasts />
      <PutBack edit={edit} after={anAsset({ id: 'a', name: 'a.png' })} />
    </>,
  );
  await click(byText(labels.putTheOriginalBackOutside, 'button'));
};
const arrives = () => acting(() => upload.resolve(ok(anAsset({ id: 'late', createdAt: 0 }))));
const onStage = () => useImages.getState().assetId;

it('is opened where nothing was done meanwhile', async () => {
  await putBack();
  await arrives();
  await until(() => expect(onStage()).toBe('late'));
});

it.each([
  ['another picture was opened', () => openPicture('b'), 'b'],
  ['a mask was painted', () => useImages.setState({ masks: { a: mask } }), 'a'],
  ['a stroke is under way', () => useImages.setState({ hand: { isBusy: true } }), 'a'],
  ['it is painted instead of looked at', () => useImages.setState({ tab: 'imagine' }), 'a'],
])('is offered where %s', async (_, meanwhile, stays) => {
  await putBack();
  await acting(meanwhile);
  await arrives();
  await until(() => byText(labels.theNewPictureIsIn, '.toast p'));
  expect(onStage()).toBe(stays);
  await click(byText(labels.openIt));
  expect(onStage()).toBe('late');
});

it('so is one that is imported', async () => {
  useImages.setState({ assetId: undefined });
  const body = await show(<OpenButton />);
  const pick = () =>
    acting(() => {
      const picker = body.querySelector<HTMLInputElement>('input[type=file]');
      Object.defineProperty(picker, 'files', { value: [new File(['x'], 'x.png')], configurable: true });
      picker?.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await pick();
  // The newest of the pictures was put on the stage by the page.
  await acting(() => useImages.setState({ assetId: 'newest' }));
  await arrives();
  await until(() => expect(onStage()).toBe('late'));
  upload = Promise.withResolvers();
  await pick();
  await acting(() => openPicture('b'));
  await arrives();
  await until(() => expect(byText(labels.openAPicture).hasAttribute('aria-busy')).toBe(false));
  expect(onStage()).toBe('b');
});
