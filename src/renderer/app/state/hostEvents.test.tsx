import { afterEach, expect, test } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { textOf } from '../../testing/find.ts';
import { acting, byText, click, fakeStudio, showOver, until } from '../../testing/page.tsx';
import { BundleDialog } from '../shell/BundleDialog.tsx';
import { LinkDialog } from '../shell/Shell.tsx';
import { dismissLink, takeHostEvent } from './hostEvents.ts';
import { closeBundle } from './openBundle.ts';

afterEach(() => {
  dismissLink();
  closeBundle();
  window.location.hash = '';
});

const asset = { id: 'ast_1', name: 'Harbour.png' };

test('a link from outside changes nothing until it is followed', async () => {
  await showOver(<LinkDialog />, { 'library.get': () => asset as never });
  await acting(() => takeHostEvent({ type: 'host.link', thing: 'asset', id: 'ast_1' }));
  await until(() => byText('File: Harbour.png', 'h3'));
  expect(window.location.hash).toBe('');
  await click(byText(labels.showIt));
  expect(window.location.hash).toBe('#/library?asset=ast_1');
});

test('one that names nothing here opens nothing', async () => {
  const studio = await showOver(<LinkDialog />, { 'jobs.get': () => fail('not_found', 'There is no such job.') });
  await acting(() => takeHostEvent({ type: 'host.link', thing: 'job', id: 'job_none' }));
  await until(() => expect(studio.callsOf('jobs.get')).toHaveLength(1));
  expect(document.querySelector('.dlg')).toBeNull();
  expect(window.location.hash).toBe('');
});

test('what the user chose in a menu or a notification is gone to at once', async () => {
  fakeStudio({});
  await acting(() => takeHostEvent({ type: 'host.go', place: 'night' }));
  expect(window.location.hash).toBe('#/queue/night');
  await acting(() => takeHostEvent({ type: 'host.show', thing: 'job', id: 'job_1' }));
  expect(window.location.hash).toBe('#/queue?job=job_1');
});

test('a bundle from the system that nobody waits for any more is discarded', async () => {
  const studio = await showOver(<BundleDialog />, {
    'bundle.read': () => fail('invalid_input', 'no'),
    'bundle.discard': () => null,
  });
  await acting(() => takeHostEvent({ type: 'host.bundle', name: 'a.dailies' }));
  expect(textOf('.dlg')).toContain('Reading a.dailies');
  await click(byText(labels.cancel));
  await acting(() => takeHostEvent({ type: 'host.bundle', name: 'a.dailies', uploadId: 'u1' }));
  await until(() => expect(studio.callsOf('bundle.discard')).toEqual([{ uploadId: 'u1' }]));
  expect(studio.callsOf('bundle.read')).toEqual([]);
  expect(document.querySelector('.dlg')).toBeNull();
});
