import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../test/labels.ts';
import { fail } from '../../../shared/contract/result.ts';
import { anAppInfo } from '../../testing/anAppInfo.ts';
import { aSavedProfile } from '../../testing/aProfile.ts';
import { aQueueStatus } from '../../testing/aQueueStatus.ts';
import { textOf, textsOf } from '../../testing/find.ts';
import { type Answers, byText, click, fakeStudio, show, showOver, type, until } from '../../testing/page.tsx';
import { loadStudio, useStudio } from '../state/studio.ts';
import { Banners } from './Banners.tsx';

const queue = aQueueStatus({ paused: true, waiting: 2 });

beforeEach(() => {
  window.location.hash = '#/library';
  useStudio.setState({ phase: 'ready', queue: undefined, info: undefined, profiles: [] });
  useStudio.setState({ unreadable: [], repairNotice: undefined, link: 'up' });
});

it('says that the queue of a backup is held, of when it is, and what to compare before it goes on', async () => {
  fakeStudio({});
  const restoredFrom = new Date(2025, 10, 21, 6).getTime();
  useStudio.setState({ queue: { ...queue, restoredFrom } });
  await show(<Banners />);
  expect(textOf('.banner b')).toBe('The queue is held: this is the backup of Fri 21 Nov 2025 06:00');
  expect(document.body.textContent).toContain('Check your gateway’s bill');
  await click(byText(labels.openTheQueue));
  await until(() => expect(window.location.hash).toBe('#/queue'));
  useStudio.setState({ queue: { ...queue, revision: 2, paused: false } });
  await until(() => expect(document.body.textContent).not.toContain('The queue is held'));
});

it('says that nothing goes on while the disk is full, where there must be room, and no more once there is', async () => {
  fakeStudio({});
  useStudio.setState({ queue: { ...queue, waitsForRoom: true }, info: anAppInfo({ dataDir: '/d/films' }) });
  await show(<Banners />);
  expect(textOf('.banner')).toMatch(
    /^The disk is full or cannot be written.*the disk with \/d\/films cannot be written/,
  );
  useStudio.setState({ queue: { ...queue, revision: 2 } });
  await until(() => expect(document.querySelector('.banner')).toBeNull());
});

it('offline, promises nothing that a paused queue would not do', async () => {
  fakeStudio({});
  useStudio.setState({ queue: aQueueStatus({ offline: true, paused: true, running: 3, waiting: 50 }) });
  await show(<Banners />);
  expect(textOf('.banner')).toBe('OfflineDownloaded files stay usable. Dailies tries the gateway again by itself.');
});

it('says nothing of a queue that the user has paused', async () => {
  fakeStudio({});
  useStudio.setState({ queue });
  await show(<Banners />);
  expect(document.querySelector('.banner')).toBeNull();
});

it('says what was done about a damaged settings file, and which entries of it cannot be used', async () => {
  const notice = 'The settings file was damaged. It is kept as /d/settings.damaged-1.json; the defaults apply.';
  let unreadable: { name: string; field: string; message: string }[] = [];
  const studio = await showOver(<Banners />, {
    'profiles.list': () => ({ profiles: [], activeId: 'p', keyStore: 'keychain', unreadable, repairNotice: notice }),
  });
  const said = () => textsOf('.banner');
  await studio.emit({ type: 'profiles.changed' });
  await until(() => expect(said()).toEqual([`Some settings were reset${notice}`]));
  unreadable = [{ name: 'Studio', field: 'baseUrl', message: 'baseUrl: must be an address.' }];
  await studio.emit({ type: 'profiles.changed' });
  await until(() => expect(said()[1]).toContain('Studio: baseUrl: must be an address.'));
});

const recovery = {
  movedTo: '/d/dailies.damaged-1.db',
  backups: [{ name: 'a.db', at: 1_763_704_800_000, bytes: 1_000 }],
};
const info = anAppInfo({ recovery });
const started: Answers = {
  'app.info': () => info,
  'settings.get': () => ({ theme: 'dark', welcomed: true, activeProfileId: 'p' }),
};
const backup = () => document.querySelector<HTMLElement>('.box-actions button') as HTMLElement;

it('lets the user take a backup or, asked once more, go on empty, and says why that was refused', async () => {
  let isRecovering = true;
  const { recovery: _, ...recovered } = info;
  const studio = fakeStudio({
    ...started,
    'app.info': () => (isRecovering ? info : recovered),
    'store.restore': () => fail('not_found', 'name: there is no such backup.'),
    'store.goOnEmpty': () => {
      isRecovering = false;
      return null;
    },
  });
  await loadStudio();
  await show(<Banners />);
  expect(document.body.textContent).toContain('kept as /d/dailies.damaged-1.db.');
  await click(backup());
  expect(studio.callsOf('store.restore')).toEqual([{ name: 'a.db' }]);
  await until(() => expect(textOf('[role=alert].err')).toContain('no such backup'));
  await click(byText(labels.goOnEmpty));
  await click(byText(labels.notYet));
  expect(studio.callsOf('store.goOnEmpty')).toEqual([]);
  await click(byText(labels.goOnEmpty));
  await click(byText(labels.goOnEmpty, '.dlg button'));
  await until(() => expect(document.querySelector('.banner')).toBeNull());
  expect(studio.callsOf('store.goOnEmpty')).toHaveLength(1);
});

it('asks before a backup takes the place of what was ordered since, in the place of an earlier refusal', async () => {
  const message = 'The backup does not have 10 orders, $32.00, that were sent since.';
  const first = fail('not_found', 'name: there is no such backup.');
  let presses = 0;
  const studio = fakeStudio({
    ...started,
    'store.restore': ({ loses }) => {
      if (loses === 10) return null;
      return presses++ === 0 ? first : fail('conflict', message, { loses: 10 });
    },
  });
  await loadStudio();
  await show(<Banners />);
  const refusal = () => document.querySelector('[role=alert].err');
  await click(backup());
  await until(() => expect(refusal()).not.toBeNull());
  await click(backup());
  await until(() => expect(textOf('.dlg')).toContain(message));
  expect(refusal()).toBeNull();
  await click(byText(labels.notYet, '.dlg button'));
  await until(() => expect(document.querySelector('.dlg')).toBeNull());
  expect(refusal()).toBeNull();
  await click(backup());
  await until(() => expect(document.querySelector('.dlg')).not.toBeNull());
  await click(byText(labels.takeTheBackup, '.dlg button'));
  expect(studio.callsOf('store.restore').at(-1)).toEqual({ name: 'a.db', loses: 10 });
  expect(presses).toBe(3);
});

it('does not say that a damaged database was moved where it is still in use', async () => {
  fakeStudio({});
  useStudio.setState({ info: { ...info, recovery: { ...recovery, movedTo: '/d/dailies.db', inPlace: true } } });
  await show(<Banners />);
  expect(textOf('.banner b')).toBe('The database is damaged, and still in use');
  expect(() => byText(labels.goOnEmpty)).toThrow();
});

it('a gateway without its key is asked for it on every page, with what waits and until when links hold', async () => {
  const studio = fakeStudio({ 'profiles.setKey': () => ({ stored: 'memory' }) });
  const lane = { kind: 'video', atOnce: 4, reservedNano: 0, unpriced: 0, paused: false };
  const profile = aSavedProfile({ name: 'Studio' });
  useStudio.setState({
    profiles: [profile],
    activeProfileId: 'p',
    atGateway: { p: { linksEndAt: Date.now() + 40 * 60_000 } },
    queue: { ...queue, lanes: [{ ...lane, profileId: 'p', running: 3, waiting: 1 }] },
  });
  await show(<Banners />);
  const said = () => textOf('.keyBanner') ?? '';
  expect(said()).toContain(
    'Studio needs its key3 jobs at the gateway. 1 job waiting here. Links to results expire in ',
  );
  const field = document.querySelector<HTMLInputElement>('.keyBanner input');
  if (!field) throw new Error('no field');
  await type(field, 'sk-secret');
  await click(byText(labels.useKey));
  await until(() => expect(studio.callsOf('profiles.setKey')).toEqual([{ id: 'p', apiKey: 'sk-secret' }]));
  await until(() => expect(field.value).toBe(''));
  useStudio.setState({ profiles: [{ ...profile, key: 'memory' }] });
  await until(() => expect(document.querySelector('.keyBanner')).toBeNull());
});
