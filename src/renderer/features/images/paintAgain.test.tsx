import { beforeEach, expect, it, vi } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { OutcomeLine, useEntities, useStudio } from '../../app/index.ts';
import { addEdit, emptyHistory, type MaskEdit, maskWorker, undo } from '../../canvas/index.ts';
import { says } from '../../testing/find.ts';
import { acting, aJob, anAsset, byText, click, fakeStudio, showOver, until } from '../../testing/page.tsx';
import { useRemade } from './ImagesPage.tsx';
import { PicturePanel } from './panels/PicturePanel.tsx';
import { OUTCOME, useImages } from './useImages.ts';

/** In place of the worker, which this DOM does not have: a file is what is white in it. */
const FACE = Int32Array.of(2, 3, 9);
const SKY = Int32Array.of(0, 0, 20);
const FILES: Record<string, Int32Array> = { 'face-mask': FACE, 'sky-mask': SKY };
vi.mock('./useProof.ts', async (original) => ({
  ...(await original<object>()),
  bytesOf: async (id: string) => {
    if (!(id in FILES)) throw new Error('A picture of this edit is not on this disk any more.');
    return FILES[id];
  },
}));
vi.spyOn(maskWorker, 'run').mockImplementation((async (task: {
  kind: string;
  picture?: Int32Array;
  document?: { strokes: { runs: Int32Array }[] };
}) =>
  task.kind === 'prove' ? { file: task.document?.strokes.at(-1)?.runs } : { mask: { runs: task.picture } }) as never);

const SIZE = { width: 20, height: 12 };
const base = anAsset({ id: 'base', ...SIZE });
const edited = (what: string) =>
  aJob({
    id: `${what}-job`,
    kind: 'edit',
    state: 'succeeded',
    request: { kind: 'edit', base: { assetId: 'base' }, mask: { assetId: `${what}-mask` }, prompt: `Another ${what}` },
  });
const resultOf = (what: string) => anAsset({ id: what, jobId: `${what}-job`, state: 'remote', ...SIZE });
const mask = (runs: Int32Array): MaskEdit => ({ kind: 'pixels', op: 'replace', made: 'import', runs });
const standing = (runs: Int32Array) => addEdit(emptyHistory(SIZE.width, SIZE.height), mask(runs));
const maskNow = () => useImages.getState().masks.base;

async function open(what: string, page = <PicturePanel asset={resultOf(what)} job={edited(what)} />) {
  await showOver(
    <>
      {page}
      <OutcomeLine place={OUTCOME.mask} />
    </>,
    {
      'library.get': ({ id }) => (id === 'base' ? base : resultOf(what)),
      'library.maskDraft': () => ({ turn: 0 }),
      'library.keepMaskDraft': () => ({ turn: 1 }),
      'jobs.get': () => edited(what),
    },
  );
}

async function paintAgain(what: string) {
  await open(what);
  await click(byText(labels.paintAgain));
  await until(() => expect(useImages.getState().assetId).toBe('base'));
}

beforeEach(() => {
  fakeStudio({});
  useEntities.setState({ jobs: new Map(), assets: new Map() });
  useStudio.setState({ profiles: [], projects: [] });
  useImages.setState({ tab: 'imagine', assetId: undefined, editPrompt: '', masks: { base: standing(SKY) } });
});

it('an edit is painted again with its own mask, and the one that stood there can be had back', async () => {
  await paintAgain('face');
  expect(useImages.getState()).toMatchObject({ tab: 'edit', editPrompt: 'Another face' });
  expect(maskNow()?.document.strokes).toEqual([mask(SKY), mask(FACE)]);
  await acting(() => useImages.setState(({ masks }) => ({ masks: { base: undo(masks.base ?? standing(SKY)) } })));
  expect(maskNow()?.document.strokes).toEqual([mask(SKY)]);
});

it('a mask that stands there already is no step more', async () => {
  await paintAgain('sky');
  expect(maskNow()?.document.strokes).toEqual([mask(SKY)]);
});

it('the mask comes where nothing is painted', async () => {
  useImages.setState({ masks: {} });
  await paintAgain('face');
  expect(maskNow()?.document.strokes).toEqual([mask(FACE)]);
});

it('without its mask nothing is painted, so that its words go with no other one', async () => {
  await paintAgain('gone');
  expect(maskNow()?.document.strokes).toEqual([mask(SKY), { kind: 'clear' }]);
  await says('The mask of this edit cannot be read');
});

it('the words of an edit without words are none', async () => {
  useImages.setState({ editPrompt: 'of another' });
  const job = edited('face');
  const silent = { ...job, request: { ...job.request, prompt: undefined } } as typeof job;
  await open('face', <PicturePanel asset={resultOf('face')} job={silent} />);
  await click(byText(labels.paintAgain));
  await until(() => expect(useImages.getState().assetId).toBe('base'));
  expect(useImages.getState().editPrompt).toBe('');
});

function Remade() {
  useRemade();
  return null;
}

it('an edit that is recalled from elsewhere comes with its mask too', async () => {
  window.location.hash = '#/images?remake=face';
  await open('face', <Remade />);
  await until(() => expect(window.location.hash).toBe('#/images?asset=base'));
  expect(useImages.getState()).toMatchObject({ tab: 'edit', editPrompt: 'Another face', assetId: 'base' });
  expect(maskNow()?.document.strokes).toEqual([mask(SKY), mask(FACE)]);
});
