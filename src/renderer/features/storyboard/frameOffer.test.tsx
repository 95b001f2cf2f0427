import { expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import type { Shot } from '../../../shared/board.ts';
import { useEntities } from '../../app/index.ts';
import { anAsset, byText, click, fakeStudio, show } from '../../testing/page.tsx';
import { FrameOffer } from './FrameOffer.tsx';
import { emptyShot } from './model/shots.ts';
import type { ShotView } from './model/view.ts';
import type { BoardHandle } from './useBoard.ts';

it('a picture that is used as a reference stands behind those that the shot has by then', async () => {
  fakeStudio({});
  const picture = anAsset({ id: 'p' });
  useEntities.setState({ assets: new Map([['p', picture]]) });
  window.location.hash = '#/storyboard?frame=p';
  const shot: Shot = { ...emptyShot('s', 'm'), referenceImages: [{ assetId: 'a' }] };
  let edit: (shots: readonly Shot[]) => readonly Shot[] = (shots) => shots;
  const sync = { state: () => ({ board: { shots: [shot] } }), edit: (next: typeof edit) => (edit = next) };
  await show(<FrameOffer board={{ sync } as unknown as BoardHandle} view={{ shot, number: 1 } as ShotView} />);
  await click(byText(labels.reference));
  const newer = { ...shot, referenceImages: [{ assetId: 'a' }, { assetId: 'b' }] };
  expect(edit([newer])[0]).toMatchObject({
    source: 'references',
    referenceImages: [{ assetId: 'a' }, { assetId: 'b' }, { assetId: 'p' }],
  });
});
