// @vitest-environment jsdom

import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { labels } from '../../../test/labels.ts';
import { fail, ok } from '../../shared/contract/result.ts';
import { says } from '../testing/find.ts';
import { byText, click, fakeStudio, show, until } from '../testing/page.tsx';
import { lazyPage } from './lazyPage.ts';
import { ErrorBoundary } from './shell/Shell.tsx';

const Queue = () => <p>The line of jobs</p>;

const shown = (Page: ReturnType<typeof lazyPage>) =>
  show(
    <ErrorBoundary name="Queue">
      <Suspense fallback={<p>Loading</p>}>
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );

test('the code of a page is not asked for before the studio answers', async () => {
  let isDown = true;
  const studio = fakeStudio({ 'app.info': () => (isDown ? fail('unreachable', 'down') : ok({} as never)) });
  await studio.link('lost');
  const load = vi.fn(async () => ({ default: Queue }));
  await shown(lazyPage(load));
  expect([document.body.textContent, load.mock.calls.length]).toEqual(['Loading', 0]);
  isDown = false;
  await studio.link('up');
  await until(() => expect(document.body.textContent).toBe('The line of jobs'));
});

test('where its code did not come, the window can be loaded anew', async () => {
  fakeStudio({ 'app.info': () => ok({} as never) });
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const reload = vi.fn();
  vi.stubGlobal('location', { reload });
  await shown(lazyPage(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))));
  await says('Queue could not be shown');
  expect(document.body.textContent).not.toContain('Show it again');
  await click(byText(labels.reload));
  expect(reload).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
