import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { ModelDependent, ModelEntry } from '../../../../shared/modelCalls.ts';
import { fail, type Result } from '../../../../shared/result.ts';
import { useAnnouncements } from '../../../app/announce.ts';
import { useStudio } from '../../../app/index.ts';
import type { PriceNow } from '../../../spending/index.ts';
import { aBoard, aShot } from '../../../testing/boardPage.tsx';
import { isOff, textOf } from '../../../testing/find.ts';
import { acting, aJob, byText, click, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { Toasts } from '../../../ui/index.ts';
import { ExtendBar } from './ExtendBar.tsx';
import { useOrdered } from './extendOrder.ts';
import type { ModelsHandle } from './useModels.ts';

const shots = [0, 1, 2, 3, 4, 5].map((number) => {
  const of = { projectId: 'f', project: 'Last Ferry', shotId: `s${number}`, jobId: `j${number}` };
  return { ...of, number, output: 0 } as ModelDependent;
});
const board = aBoard(
  shots.map(({ shotId: id }) => aShot(id, { prompt: `Words of ${id}`, config: { durationSeconds: 8 } })),
  { projectId: 'f' },
);
const shown = { estimateNano: 1e9, lowNano: 1e9, unpriced: 0 };
const price = { price: { ...shown, items: [], settled: true }, shown, off: undefined } as unknown as PriceNow;
const model = { id: 'm', kind: 'video', sources: {}, shots: 6 } as ModelEntry;
const handle = { isActive: true, profile: { id: 'p', name: 'Studio' } } as ModelsHandle;

it('orders of the night are said to be planned for it', async () => {
  fakeStudio({
    'night.get': () => ({ current: { id: 'n' }, leftOver: [], leftOverBySide: [] }) as never,
    'storyboard.get': () => board,
    'storyboard.makeTake': () => ({ job: aJob(), board }),
  });
  const [chosen, one, two] = shots as [ModelDependent, ModelDependent, ModelDependent];
  await show(
    <ExtendBar handle={handle} model={model} chosen={chosen} shots={[chosen, one, two]} price={price} now={0} />,
  );
  await click(byText(labels.theOther(2)));
  await until(() => expect(isOff(byText(labels.tonight, '.dlg button'))).toBe(false));
  await click(byText(labels.tonight, '.dlg button'));
  await until(() => expect(useAnnouncements.getState().polite).toBe('2 extensions are scheduled overnight'));
});

/** The others of six, of which the fourth order is answered when the test lets it. */
async function openBar() {
  const { promise, resolve } = Promise.withResolvers<Result<never>>();
  const ordered: string[] = [];
  let isRefusing = true;
  fakeStudio({
    'night.get': () => ({ lost: [], left: [] }) as never,
    'storyboard.get': () => board,
    'storyboard.makeTake': ({ added }) => {
      if (isRefusing && ordered.length === 3) return promise as never;
      ordered.push(JSON.stringify(added?.shot.video));
      return { job: aJob(), board };
    },
  });
  const [chosen] = shots as [ModelDependent];
  await show(
    <>
      <ExtendBar handle={handle} model={model} chosen={chosen} shots={shots} price={price} now={0} />
      <Toasts />
    </>,
  );
  const refuse = () => {
    isRefusing = false;
    return acting(() => resolve(fail('conflict', 'The price has changed.')));
  };
  return { ordered, refuse };
}

beforeEach(() => {
  useStudio.setState({ link: 'up', budgets: [], profiles: [], activeProfileId: 'p' });
  useOrdered.setState(useOrdered.getInitialState(), true);
});

const dialog = () => document.querySelector('[role="dialog"]');

it('those that were ordered before one was refused are counted, and not offered again', async () => {
  const { ordered, refuse } = await openBar();
  await click(byText(labels.theOther(5)));
  await until(() => byText(labels.extendShots(5), '.dlg button'));
  await press('Enter', { ctrlKey: true });
  await until(() => expect(ordered).toHaveLength(3));
  await press('Escape');
  await until(() => expect(dialog()).toBeNull());
  expect(document.body.textContent).not.toContain(labels.theOther(5));
  await refuse();
  await until(() => byText(labels.theOther(2)));
  byText(labels.ofTheOthersWereOrdered(3, 2), 'p');
  const words = 'Extend 5 shots: The price has changed. 3 of 5 are ordered; the other 2 were not sent.';
  await until(() => expect(textOf('.toasts')).toContain(words));
  await click(byText(labels.theOther(2)));
  await click(byText(labels.extendShots(2), '.dlg button'));
  await until(() => expect(dialog()).toBeNull());
  expect(ordered).toEqual([1, 2, 3, 4, 5].map((number) => `{"jobId":"j${number}"}`));
});

it('in the dialog it says the same, and offers those that are left', async () => {
  const { ordered, refuse } = await openBar();
  await click(byText(labels.theOther(5)));
  await click(byText(labels.extendShots(5), '.dlg button'));
  await until(() => expect(ordered).toHaveLength(3));
  await refuse();
  await until(() => byText(labels.extendShots(2), '.dlg button'));
  expect(dialog()?.textContent).toContain('3 of 5 are ordered; the other 2 were not sent.');
  expect(dialog()?.textContent).not.toContain('Nothing was sent.');
});
