import { useState } from 'react';
import { expect, it } from 'vitest';
import type { CastMember } from '../../../../shared/cast.ts';
import { acting, click, fakeStudio, show } from '../../../testing/page.tsx';
import type { CastColumn } from '../model/castView.ts';
import { emptyShot } from '../model/shots.ts';
import { RedoList, useRedo } from './RedoStale.tsx';

const column = (id: string, { isStale = false, from = '' } = {}): CastColumn =>
  ({
    view: {
      number: Number(id.slice(1)),
      shot: { ...emptyShot(id, 'm'), takes: [`take of ${id}`] },
      active: { job: { inputs: from ? [{ field: 'image', jobId: `take of ${from}` }] : [] } },
    },
    cells: new Map([['ada', { isStale }]]),
  }) as unknown as CastColumn;

function List({ columns }: { columns: readonly CastColumn[] }) {
  return <RedoList redo={useRedo({ member: { id: 'ada' } as CastMember, columns })} />;
}

const boxes = () => [...document.querySelectorAll<HTMLElement>('[role="checkbox"]')];
const ticked = () => boxes().map((box) => box.getAttribute('aria-checked'));

it('what was unticked by hand stays so where its shot is stale no more and only follows', async () => {
  fakeStudio({});
  let put: (columns: CastColumn[]) => void = () => undefined;
  function Page() {
    const [columns, set] = useState([column('s1', { isStale: true }), column('s2', { isStale: true, from: 's1' })]);
    put = set;
    return <List columns={columns} />;
  }
  await show(<Page />);
  expect(ticked()).toEqual(['true', 'true']);
  await click(boxes()[1] as HTMLElement);
  expect(ticked()).toEqual(['true', 'false']);
  await acting(() => put([column('s1', { isStale: true }), column('s2', { from: 's1' })]));
  expect(ticked()).toEqual(['true', 'false']);
});
