import { expect, test } from 'vitest';
import type { CastMember } from '../../../../shared/cast.ts';
import { anAsset, fakeStudio, show, until } from '../../../testing/page.tsx';
import type { CastColumn } from '../model/castView.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type Drifts, driftKey, MOST_MEASURED, useDrift } from './useDrift.ts';

const SHOTS = MOST_MEASURED + 5;
const ines: CastMember = { id: 'ines', name: 'Ines', kind: 'person', words: '', sheets: [{ assetId: 'sheet' }] };
const use = { memberId: 'ines', name: 'Ines', kind: 'person' as const, slot: 1, sheet: 1, assetId: 'sheet' };
const column = (index: number) =>
  ({
    view: { shot: { id: `s${index}` }, active: { clip: anAsset({ id: `c${index}`, sha256: `take${index}` }) } },
    shares: [],
    cells: new Map([['ines', { use, isPlanned: false, isStale: false }]]),
  }) as unknown as CastColumn;

const COLUMNS = Array.from({ length: SHOTS }, (_, index) => column(index));
const BOARD = {
  media: { assets: new Map([['sheet', anAsset({ id: 'sheet', sha256: 'sheet', mime: 'image/png' })]]) },
} as unknown as BoardHandle;
const CAST = [ines];

/** Bugs: a large film decodes every clip of it for hours; what is not measured is shown as being measured without end. */
test('only so many pairs of shot and cast are measured, in the order of the film, and the others say so', async () => {
  const studio = fakeStudio({
    'media.measures': ({ sha256s }) => ({
      files: Object.fromEntries(sha256s.map((sha256) => [sha256, { state: 'missing' as const }])),
    }),
  });
  let drifts: Drifts = new Map();
  function Probe() {
    drifts = useDrift(BOARD, COLUMNS, CAST);
    return null;
  }
  await show(<Probe />);
  await until(() => expect(drifts.get(driftKey(`s${MOST_MEASURED - 1}`, 'ines'))).toBe('failed'));
  const asked = new Set(studio.callsOf('media.measures').flatMap((input) => (input as { sha256s: string[] }).sha256s));
  expect(asked).toEqual(new Set(['sheet', ...COLUMNS.slice(0, MOST_MEASURED).map((_, index) => `take${index}`)]));
  const beyond = COLUMNS.filter((_, index) => drifts.get(driftKey(`s${index}`, 'ines')) === 'beyond');
  expect(beyond).toEqual(COLUMNS.slice(MOST_MEASURED));
});
