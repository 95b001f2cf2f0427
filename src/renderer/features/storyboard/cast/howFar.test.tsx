import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Shot } from '../../../../shared/board.ts';
import type { CastBox, CastMember } from '../../../../shared/cast.ts';
import { anAsset, byText, click, fakeStudio, press, show } from '../../../testing/page.tsx';
import type { CastColumn } from '../model/castView.ts';
import { emptyShot } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';
import { HowFar } from './HowFar.tsx';

const ines: CastMember = { id: 'ines', name: 'Ines', kind: 'person', words: '', sheets: [{ assetId: 'sheet' }] };
const box: CastBox = { sha256: 'take', frame: 'last', x: 0.1, y: 0.2, width: 0.3, height: 0.4 };

/** The section of a shot with this box; answers what is saved of it. */
async function open(castBoxes: Shot['castBoxes']) {
  fakeStudio({ 'media.measures': () => ({ files: {} }) });
  let shot: Shot = { ...emptyShot('s', ''), ...(castBoxes ? { castBoxes } : {}) };
  const edit = (change: (shots: readonly Shot[]) => Shot[]) => {
    shot = change([shot])[0] ?? shot;
  };
  const clip = anAsset({ id: 'clip', sha256: 'take', mime: 'video/mp4', width: 1280, height: 720 });
  const view = { shot, active: { number: 2, clip } };
  const use = { memberId: 'ines', name: 'Ines', kind: 'person' as const, slot: 1, sheet: 1, assetId: 'sheet' };
  const column = { view, shares: [], cells: new Map([['ines', { use, isPlanned: false, isStale: false }]]) };
  const sheet = anAsset({ id: 'sheet', sha256: 'sheet', mime: 'image/png' });
  const board = { media: { assets: new Map([['sheet', sheet]]) }, sync: { edit } } as unknown as BoardHandle;
  const columns = [column as unknown as CastColumn];
  await show(<HowFar board={board} view={view as never} columns={columns} cast={[ines]} />);
  return () => shot.castBoxes;
}

const opener = (name: string) => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`) as HTMLElement;
const slider = (name: string) =>
  document.querySelector<HTMLElement>(`input[aria-label="${name} of the box, in percent"]`) as HTMLElement;

it('a box is placed by keyboard alone, in the frame that was chosen', async () => {
  const saved = await open(undefined);
  await click(opener(labels.placeABoxOn('Ines')));
  await click(byText(labels.lastFrame, '[role="radio"]'));
  slider(labels.left).focus();
  await press('ArrowRight', {}, slider(labels.left));
  await click(byText(labels.placeTheBox));
  expect(saved()).toEqual({ ines: { sha256: 'take', frame: 'last', x: 0.26, y: 0.2, width: 0.5, height: 0.6 } });
});

it('a box that is there can be changed and taken away, and none else is touched', async () => {
  const saved = await open({ ines: box, other: box });
  await click(opener(labels.theBoxOf('Ines')));
  await click(byText(labels.wholeFrame));
  expect(saved()).toEqual({ other: box });
});

it('a box of another take counts for nothing', async () => {
  await open({ ines: { ...box, sha256: 'older' } });
  expect(opener(labels.placeABoxOn('Ines'))).not.toBeNull();
});
