import { beforeEach, expect, it } from 'vitest';
import { fail } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { MAX_MASK_TEXT } from '../../../shared/library/maskDraft.ts';
import {
  addEdit,
  emptyHistory,
  historyOfText,
  type MaskEdit,
  type MaskHistory,
  type ShapeEdit,
  textOfHistory,
  undo,
} from '../../canvas/index.ts';
import { acting, anAsset, type FakeStudio, fakeStudio, show, until } from '../../testing/page.tsx';
import { useKeptMask } from './keptMasks.ts';
import { MaskSteps } from './panels/MaskSteps.tsx';
import { useImages } from './useImages.ts';

const SIZE = { width: 20, height: 12 };
const stroke: ShapeEdit = { kind: 'stroke', op: 'add', radius: 2, points: [{ x: 3, y: 4 }] };
const invert: MaskEdit = { kind: 'invert' };
/** An imported mask whose text has at least so many characters, and few runs. */
const ofLength = (characters: number): MaskEdit => ({
  kind: 'pixels',
  op: 'replace',
  made: 'import',
  runs: Int32Array.from({ length: 3 * Math.ceil(characters / 20) }, (_, at) => (at % 3 === 1 ? 1_000_000_000 : 0)),
});
const painted = (...edits: MaskEdit[]): MaskHistory => edits.reduce(addEdit, emptyHistory(SIZE.width, SIZE.height));
const paint = (id: string, history: MaskHistory) =>
  acting(() => useImages.setState(({ masks }) => ({ masks: { ...masks, [id]: history } })));

function Stage({ asset }: { asset: Asset }) {
  useKeptMask(asset);
  return <MaskSteps asset={asset} />;
}

/** What the studio keeps, by picture; while `refuses`, it takes nothing. */
let kept: Map<string, string>;
let refuses: boolean;
/** It keeps all, and its answers do not come. */
let loses: boolean;
const turns = new Map<string, number>();
const turnOf = (id: string) => turns.get(id) ?? 0;
function keepHere(id: string, draft: string | undefined): void {
  turns.set(id, draft === undefined ? 0 : Math.max(0, ...turns.values()) + 1);
  if (draft === undefined) kept.delete(id);
  else kept.set(id, draft);
}
let studio: FakeStudio;
let ids = 0;
let [a, b] = [anAsset(), anAsset()];

beforeEach(() => {
  kept = new Map();
  refuses = loses = false;
  [a, b] = [anAsset({ id: `a${++ids}`, ...SIZE }), anAsset({ id: `b${ids}`, ...SIZE })];
  studio = fakeStudio({
    'library.maskDraft': ({ id }) => ({ ...(kept.has(id) ? { draft: kept.get(id) as string } : {}), turn: turnOf(id) }),
    'library.keepMaskDraft': ({ id, draft, after }) => {
      if (refuses) return fail('unreachable', 'Dailies does not answer.');
      if (after !== turnOf(id)) return fail('conflict', 'after: the mask was painted on elsewhere.');
      keepHere(id, draft);
      return loses ? fail('unreachable', 'The answer was lost.') : { turn: turnOf(id) };
    },
  });
});

const onStage = (asset: Asset) => show(<Stage key={asset.id} asset={asset} />);
const keptOf = ({ id }: Asset) => historyOfText(kept.get(id) ?? '', SIZE);

it('keeps what is painted, and opens with what was kept', async () => {
  kept.set(a.id, textOfHistory(painted(stroke)) ?? '');
  await onStage(a);
  await until(() => expect(useImages.getState().masks[a.id]).toEqual(painted(stroke)));
  await paint(a.id, painted(stroke, invert));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke, invert)));
});

it('keeps masks of millions of pixels', async () => {
  await onStage(a);
  const large = painted(ofLength(600_000), stroke);
  expect(textOfHistory(large)?.length).toBeGreaterThan(500_000);
  await paint(a.id, large);
  await until(() => expect(keptOf(a)).toEqual(large));
});

it('says what is too long to be kept, until it is not', async () => {
  const body = await onStage(a);
  const says = () => body.querySelector('[role=alert]')?.textContent;
  await paint(a.id, painted(stroke));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke)));
  const large = painted(stroke, ofLength(MAX_MASK_TEXT + 1));
  await paint(a.id, large);
  await until(() => expect(says()).toMatch(/^This mask is too large to save/));
  expect(keptOf(a)).toEqual(painted(stroke));
  await paint(a.id, undo(large));
  await until(() => expect(says()).toBeUndefined());
});

it('keeps what was painted while the studio was away, also of a picture that was left', async () => {
  await onStage(a);
  await studio.link('lost');
  await paint(a.id, painted(stroke));
  await onStage(b);
  await paint(b.id, painted(invert));
  expect(studio.callsOf('library.keepMaskDraft')).toEqual([]);
  await studio.link('up');
  await until(() => expect([keptOf(a), keptOf(b)]).toEqual([painted(stroke), painted(invert)]));
});

it('puts what was painted before it could be read behind what was kept', async () => {
  kept.set(a.id, textOfHistory(painted(stroke)) ?? '');
  await studio.link('lost');
  await onStage(a);
  await paint(a.id, painted(invert));
  await onStage(b);
  await studio.link('up');
  await until(() => expect(keptOf(a)).toEqual(painted(stroke, invert)));
  expect(studio.callsOf('library.maskDraft').filter((asked) => (asked as { id: string }).id === a.id)).toHaveLength(1);
});

it('what another window has painted since stays, under what is painted here', async () => {
  keepHere(a.id, textOfHistory(painted(stroke)));
  await onStage(a);
  await until(() => expect(useImages.getState().masks[a.id]).toEqual(painted(stroke)));
  keepHere(a.id, textOfHistory(painted(stroke, invert, invert)));
  await paint(a.id, painted(stroke, ofLength(20)));
  const both = painted(stroke, invert, invert, ofLength(20));
  await until(() => expect(keptOf(a)).toEqual(both));
  expect(useImages.getState().masks[a.id]).toEqual(both);
});

it('what was kept while its answer was lost is not painted twice', async () => {
  await onStage(a);
  loses = true;
  await paint(a.id, painted(stroke));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke)));
  loses = false;
  await paint(a.id, painted(stroke, invert));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke, invert)));
  expect(useImages.getState().masks[a.id]).toEqual(painted(stroke, invert));
});

it('nor where another window went on from it', async () => {
  await onStage(a);
  loses = true;
  await paint(a.id, painted(stroke, invert));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke, invert)));
  loses = false;
  keepHere(a.id, textOfHistory(painted(stroke, invert, ofLength(20))));
  await paint(a.id, painted(stroke, invert, stroke));
  await until(() => expect(keptOf(a)).toEqual(painted(stroke, invert, ofLength(20), stroke)));
});

it('a picture that is opened elsewhere is not written, and nothing on it is painted twice', async () => {
  const dragged: MaskEdit[] = [stroke, { kind: 'change', target: 0, to: { ...stroke, radius: 3 } }, invert];
  keepHere(a.id, textOfHistory(painted(...dragged)));
  await onStage(a);
  await until(() => expect(useImages.getState().masks[a.id]).toEqual(painted(...dragged)));
  await paint(b.id, painted(stroke));
  await until(() => expect(keptOf(b)).toEqual(painted(stroke)));
  expect(studio.callsOf('library.keepMaskDraft').filter((sent) => (sent as { id: string }).id === a.id)).toEqual([]);
  // As a window has it that painted this itself, while another one went on.
  keepHere(a.id, textOfHistory(painted(...dragged, stroke)));
  await paint(a.id, painted(...dragged, ofLength(20)));
  await until(() => expect(keptOf(a)).toEqual(painted(...dragged, stroke, ofLength(20))));
});

it('tries a refused one again at the next change, and when the studio is back', async () => {
  await onStage(a);
  refuses = true;
  await paint(a.id, painted(stroke));
  await until(() => expect(studio.callsOf('library.keepMaskDraft')).toHaveLength(1));
  await onStage(b);
  refuses = false;
  await studio.link('lost');
  await studio.link('up');
  await until(() => expect(keptOf(a)).toEqual(painted(stroke)));
  refuses = true;
  await paint(b.id, painted(invert));
  await until(() => expect(studio.callsOf('library.keepMaskDraft')).toHaveLength(3));
  refuses = false;
  await paint(b.id, painted(invert, stroke));
  await until(() => expect(keptOf(b)).toEqual(painted(invert, stroke)));
});
