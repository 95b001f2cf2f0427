import { beforeEach, expect, it } from 'vitest';
import { clearFilters, isNarrowing, narrowTo, setLibraryView, useLibraryView } from './state.ts';

/** A link to the library shows just what it names: no filter of before is left, and nonsense narrows nothing. */

beforeEach(clearFilters);
const view = () => {
  const { filter, dates, ownProject } = useLibraryView.getState();
  const { roles: _, ...rest } = filter;
  return { ...rest, dates, ownProject };
};

it('takes verdicts, project, model and dates, and drops what was filtered before', () => {
  setLibraryView({ ownProject: true });
  narrowTo(new URLSearchParams('verdict=no,maybe,none&project=p1&model=m&span=own&from=2026-02-01&to=2026-02-28'));
  expect(view()).toEqual({
    verdict: ['maybe', 'no', 'none'],
    projectId: 'p1',
    models: ['m'],
    dates: { span: 'own', from: '2026-02-01', to: '2026-02-28' },
    ownProject: false,
  });
});

it('what it does not know narrows nothing', () => {
  narrowTo(new URLSearchParams('verdict=best&span=soon&project='));
  expect(view()).toEqual({ dates: { span: 'any', from: '', to: '' }, ownProject: false });
});

it('a link that selects an asset, or says nothing, leaves the filters alone', () => {
  expect(isNarrowing(new URLSearchParams('asset=a1'))).toBe(false);
  expect(isNarrowing(new URLSearchParams('asset=a1&verdict=no'))).toBe(true);
});
