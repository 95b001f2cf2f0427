import { beforeEach, describe, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { MismatchEvidence } from '../../../../shared/ledger.ts';
import { useEntities } from '../../../app/index.ts';
import { acting, aJob, aMismatch, byText, fakeStudio, press, show, until } from '../../../testing/page.tsx';
import { PriceStopPage } from './PriceStopPage.tsx';

const video = { kind: 'video', model: 'video-standard', prompt: 'Deck lamp' } as const;
const mismatch = aMismatch({ waiting: { count: 3, nowNano: 1_200_000_000, thenNano: 2_400_000_000 } });
const order = (jobId: string, nano: number, isStated: boolean) => ({
  jobId,
  at: mismatch.at,
  nano,
  expectedNano: 400_000_000,
  isStated,
});
const evidence: MismatchEvidence = {
  mismatch,
  made: [order('a', 400_000_000, false), order('b', 410_000_000, true), order('made', 800_000_000, true)],
  waiting: ['w1', 'w2', 'w3'].map((id) => ({
    job: aJob({ id, state: 'blocked', reason: 'price', request: { ...video, prompt: `Lamp ${id}` } }),
    nowNano: 400_000_000,
    thenNano: 800_000_000,
  })),
  leftNano: 1_700_000_000,
};

function studioWith(given: MismatchEvidence = evidence) {
  return fakeStudio({
    'prices.mismatch': () => given,
    'prices.resolveMismatch': ({ as }) => ({ ...mismatch, state: as === 'dispute' ? 'disputed' : 'adopted' }),
    'jobs.get': () => aJob({ id: 'made', state: 'succeeded', request: video }),
  });
}
const sent = (studio: ReturnType<typeof studioWith>) => studio.callsOf('prices.resolveMismatch');
const shown = () => document.body.textContent ?? '';
const rows = () => [...document.querySelectorAll('.stp tbody tr')].map((row) => row.textContent ?? '');

/** Shows it, and lets it hear its keys. */
async function open(): Promise<void> {
  await show(<PriceStopPage id="m1" />);
  await until(() => expect(rows()).toHaveLength(4));
  await acting(() => undefined);
}

beforeEach(() => {
  useEntities.setState({ jobs: new Map(), assets: new Map() });
});

describe('the page of a price that does not agree', () => {
  it('shows each order beside what was expected, in a table too', async () => {
    studioWith();
    await show(<PriceStopPage id="m1" />);
    await until(() => byText('Requests at this price', 'table'));
    expect(document.querySelectorAll('circle.stated')).toHaveLength(2);
    expect(document.querySelectorAll('circle.stated.it')).toHaveLength(1);
    expect(document.querySelectorAll('circle.by-book')).toHaveLength(1);
    const said = [...document.querySelectorAll('.price-line tbody tr')].map((row) => row.textContent ?? '');
    expect(said[1]).toContain('$0.40$0.41the answer');
    expect(shown()).toContain('2.00 ×');
  });

  it('sums what waits row by row, and draws where the caps end', async () => {
    studioWith();
    await open();
    expect(rows().map((row) => /(over )?\$[\d.]+$/.exec(row)?.[0])).toEqual(['$0.80', '$1.60', 'over $2.40', '$2.40']);
    expect(document.querySelector('tr.capl')?.textContent).toContain('Lamp w2');
    expect(shown()).toContain('what is left under your caps, $1.70');
  });

  it('draws no cap where there is none, or where all fits', async () => {
    studioWith({ ...evidence, leftNano: 9_000_000_000 });
    await open();
    expect(document.querySelector('tr.capl')).toBeNull();
    const { leftNano: _leftNano, ...bare } = evidence;
    studioWith(bare);
    await show(<PriceStopPage key="again" id="m1" />);
    await until(() => expect(rows()).toHaveLength(4));
    expect(shown()).not.toContain('under your caps');
  });

  it.each([
    ['1', 'adopt'],
    ['3', 'once'],
  ])('its key %s shows what %s costs, and only Ctrl Enter does it', async (key, as) => {
    const studio = studioWith();
    await open();
    await press(key);
    await until(() => byText(labels.jobsN(3), '[role="dialog"]'));
    await press('Enter', {}, document.activeElement ?? document.body);
    await press(key);
    expect(sent(studio)).toEqual([]);
    await press('Enter', { ctrlKey: true });
    const { thenNano } = mismatch.waiting;
    const shown = { estimateNano: thenNano, lowNano: thenNano, unpriced: 0 };
    expect(sent(studio)).toEqual([{ id: 'm1', as, shown }]);
  });

  it('its key 2 disputes, which sends nothing', async () => {
    const studio = studioWith();
    await open();
    await press('2');
    expect(sent(studio)).toEqual([{ id: 'm1', as: 'dispute' }]);
  });

  it('behind its dialog no key is heard', async () => {
    const studio = studioWith();
    await open();
    await press('1');
    await until(() => byText(labels.jobsN(3), '[role="dialog"]'));
    await press('2');
    expect(sent(studio)).toEqual([]);
  });

  it('heads what waits with what it costs when it goes on, where the price is kept', async () => {
    const { adopts: _adopts, ...bare } = mismatch;
    studioWith({ ...evidence, mismatch: { ...bare, keeps: true } });
    await open();
    const heads = [...document.querySelectorAll('.stp th')].map((head) => head.textContent);
    expect(heads.slice(2)).toEqual(['As requested', 'When it goes on', 'Together']);
  });

  it('leads to the price where it was adopted, and the one of its request allows what was stated', async () => {
    const { adopts: _adopts, ...bare } = mismatch;
    studioWith({ ...evidence, mismatch: { ...bare, state: 'adopted', keeps: true }, waiting: [] });
    await show(<PriceStopPage id="m1" />);
    await until(() => byText(labels.chosen, 'h2'));
    expect(shown()).toContain('What waited goes on at the price that the price book has now');
  });

  it('says what was chosen once it is resolved, and offers nothing more', async () => {
    studioWith({ ...evidence, mismatch: { ...mismatch, state: 'adopted' }, waiting: [] });
    await show(<PriceStopPage id="m1" />);
    await until(() => expect(shown()).toContain('is the price from now on'));
    expect(document.querySelector('.way-do')).toBeNull();
  });
});
