import { useState } from 'react';
import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Shot } from '../../../../shared/board/board.ts';
import { type CastBox, castMemberSchema } from '../../../../shared/board/cast.ts';
import { aShot } from '../../../testing/boardPage.tsx';
import { acting, anAsset, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import type { BoardHandle } from '../useBoard.ts';
import { HowFar } from './CastSide.tsx';
import { type Drifts, driftKey, MOST_MEASURED, useDrift } from './drift.tsx';
import { RedoList, useRedo } from './RedoStale.tsx';
import type { CastColumn } from './useCast.ts';

/** Parts of the tab on a fake board. */

const ines = castMemberSchema.parse({ id: 'ines', name: 'Ines', sheets: [{ assetId: 'sheet' }] });
const use = { memberId: 'ines', name: 'Ines', kind: 'person', slot: 1, sheet: 1, assetId: 'sheet' };
const media = { assets: new Map([['sheet', anAsset({ id: 'sheet', sha256: 'sheet' })]]) };

/** A shot whose take was sent with the reference image of Ines. */
const column = (shot: Shot, isStale = false, inputs: object[] = []) =>
  ({
    view: {
      ...{ shot, number: 1 },
      active: { number: 2, job: { inputs }, clip: anAsset({ id: `c-${shot.id}`, sha256: shot.id, mime: 'video/mp4' }) },
    },
    shares: [],
    cells: new Map([['ines', { use, isPlanned: false, isStale }]]),
  }) as unknown as CastColumn;

const box: CastBox = { sha256: 's', frame: 'last', x: 0.1, y: 0.2, width: 0.3, height: 0.4 };

/** Opens the section of a shot with these boxes; returns what is saved. */
async function openBoxes(castBoxes?: Shot['castBoxes']) {
  fakeStudio({ 'media.measures': () => ({ files: {} }) });
  let shot = aShot('s', castBoxes ? { castBoxes } : {});
  const edit = (change: (shots: readonly Shot[]) => Shot[]) => {
    [shot = shot] = change([shot]);
  };
  const only = column(shot);
  const board = { media, sync: { edit } } as unknown as BoardHandle;
  await show(<HowFar board={board} view={only.view} columns={[only]} cast={[ines]} />);
  return () => shot.castBoxes;
}

it('a box is placed by keyboard alone, in the frame that was chosen', async () => {
  const saved = await openBoxes();
  await click(byText(labels.boxOf('Ines')));
  await click(byText(labels.lastFrame, '[role="radio"]'));
  const left = byText(labels.left, 'input');
  left.focus();
  await press('ArrowRight', {}, left);
  await click(byText(labels.saveBox));
  expect(saved()).toEqual({ ines: { sha256: 's', frame: 'last', x: 0.26, y: 0.2, width: 0.5, height: 0.6 } });
});

it('a box that is there can be changed and taken away, and none else is touched', async () => {
  const saved = await openBoxes({ ines: box, other: box });
  await click(byText(labels.boxOf('Ines')));
  await click(byText(labels.wholeFrame));
  expect(saved()).toEqual({ other: box });
});

it('a box of another take counts for nothing', async () => {
  await openBoxes({ ines: { ...box, sha256: 'older' } });
  byText(labels.boxOf('Ines'));
});

it('what was unticked by hand stays so where its shot is stale no more and only follows', async () => {
  fakeStudio({});
  const [one, two] = ['s1', 's2'].map((id) => aShot(id, { takes: [`take of ${id}`] })) as [Shot, Shot];
  const following = [{ field: 'image', jobId: 'take of s1' }];
  let put: (columns: CastColumn[]) => void = () => undefined;
  function List({ columns }: { columns: readonly CastColumn[] }) {
    return <RedoList redo={useRedo({ member: ines, columns })} />;
  }
  function Page() {
    const [columns, set] = useState([column(one, true), column(two, true, following)]);
    put = set;
    return <List columns={columns} />;
  }
  await show(<Page />);
  const boxes = () => [...document.querySelectorAll<HTMLElement>('[role="checkbox"]')];
  const ticked = () => boxes().map((each) => each.getAttribute('aria-checked'));
  expect(ticked()).toEqual(['true', 'true']);
  await click(boxes()[1] as HTMLElement);
  expect(ticked()).toEqual(['true', 'false']);
  await acting(() => put([column(one, true), column(two, false, following)]));
  expect(ticked()).toEqual(['true', 'false']);
});

it('only so many pairs of shot and cast are measured, in the order of the film, and the others say so', async () => {
  const studio = fakeStudio({
    'media.measures': ({ sha256s }) => ({
      files: Object.fromEntries(sha256s.map((sha256) => [sha256, { state: 'missing' as const }])),
    }),
  });
  const shots = Array.from({ length: MOST_MEASURED + 5 }, (_, index) => aShot(`s${index}`));
  const [board, columns, cast] = [{ media } as unknown as BoardHandle, shots.map((shot) => column(shot)), [ines]];
  let drifts: Drifts = new Map();
  function Probe() {
    drifts = useDrift(board, columns, cast);
    return null;
  }
  await show(<Probe />);
  await until(() => expect(drifts.get(driftKey(`s${MOST_MEASURED - 1}`, 'ines'))).toBe('failed'));
  const asked = studio.callsOf('media.measures').flatMap((input) => (input as { sha256s: string[] }).sha256s);
  expect(new Set(asked)).toEqual(new Set(['sheet', ...shots.slice(0, MOST_MEASURED).map(({ id }) => id)]));
  const beyond = shots.filter(({ id }) => drifts.get(driftKey(id, 'ines')) === 'beyond');
  expect(beyond).toEqual(shots.slice(MOST_MEASURED));
});
