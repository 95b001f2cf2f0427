import { beforeEach, expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import type { Backup, RestorePreview } from '../../../../shared/contract/backupCalls.ts';
import { fail } from '../../../../shared/contract/result.ts';
import { settingsSchema } from '../../../../shared/contract/settings.ts';
import { useStudio } from '../../../app/index.ts';
import { labelled } from '../../../testing/find.ts';
import {
  type Answers,
  acting,
  byText,
  click,
  type FakeStudio,
  show,
  showOver,
  type,
  until,
} from '../../../testing/page.tsx';
import { Toasts } from '../../../ui/index.ts';
import { SettingsPage } from '../SettingsPage.tsx';

const backups: Backup[] = [
  { id: 'b2', at: Date.UTC(2026, 10, 21, 5), bytes: 21_400_000, reason: 'daily', readBack: true },
  { id: 'b1', at: Date.UTC(2026, 10, 20, 5), bytes: 21_300_000, reason: 'update', readBack: true },
];
const preview: RestorePreview = {
  gone: [{ type: 'project', id: 'p', title: 'Salt Road' }],
  back: [{ type: 'chat', id: 'c', title: 'Night titles' }],
  goneCount: 1,
  backCount: 3,
  changed: [],
  kept: { ledgerEntries: 57, doubts: 1, files: 45 },
  projects: [
    { id: 'p1', name: 'Salt Road' },
    { id: 'p2', name: 'Last Ferry' },
  ],
};
const nothing: RestorePreview = { ...preview, gone: [], back: [], goneCount: 0, backCount: 0 };

beforeEach(() => {
  window.location.hash = '#/settings?section=backups';
  useStudio.setState({ settings: settingsSchema.parse({}) });
});

const answers = {
  'backups.list': () => ({ backups }),
  'backups.preview': ({ id }: { id: string }) => (id === 'b1' ? preview : nothing),
  'backups.make': () => backups[0] as Backup,
  'backups.restore': () => ({ backup: 'b3' }),
};
const rows = () => [...document.querySelectorAll<HTMLElement>('.list button')];
const side = () => labelled('Restore');

/** The page, once it lists so many backups. */
async function open(more: Answers = {}, count = backups.length): Promise<FakeStudio> {
  const studio = await showOver(<SettingsPage />, { ...answers, ...more });
  await until(() => expect(rows()).toHaveLength(count));
  return studio;
}
/** Looks at the older backup. */
async function lookAtOlder(): Promise<void> {
  await click(rows()[1] as HTMLElement);
  await until(() => expect(side().textContent).toContain('Salt Road'));
}

it('a backup is looked at before it is restored: what goes, what comes back, and what no restore undoes', async () => {
  const studio = await open();
  expect(side().textContent).toContain('Choose a backup');
  await lookAtOlder();
  const said = side().textContent ?? '';
  for (const words of ['Night titles', 'And 2 more', '57 newer entries', '1 unconfirmed job', '45 newer media files'])
    expect(said).toContain(words);
  expect(studio.callsOf('backups.restore')).toEqual([]);
  await click(byText(labels.restore, '.sendbar button'));
  expect(studio.callsOf('backups.restore')).toEqual([{ id: 'b1' }]);
  await click(rows()[0] as HTMLElement);
  await until(() => expect(side().textContent).toContain('A restore would change nothing'));
});

it('what a restore would change is told, where nothing goes and nothing comes back', async () => {
  const changed: RestorePreview['changed'] = [
    { type: 'shot', count: 12 },
    { type: 'verdict', count: 1 },
  ];
  await open({ 'backups.preview': () => ({ ...nothing, changed }) });
  await click(rows()[1] as HTMLElement);
  await until(() => expect(side().textContent).toContain('12 shots'));
  expect(side().textContent).toContain('1 rating');
  expect(side().textContent).not.toContain('would change nothing');
});

it('only what was read back is called verified', async () => {
  const before: Backup = { id: 'v41', at: Date.UTC(2026, 10, 19, 6), bytes: 1_000, reason: 'update' };
  const other: Backup = { id: 'mine', at: Date.UTC(2026, 10, 19, 5), bytes: 1_000, reason: 'other' };
  await open({ 'backups.list': () => ({ backups: [...backups, before, other] }) }, 4);
  const said = rows().map(({ textContent }) => /(Not v|V)erified$/.exec(textContent ?? '')?.[0]);
  expect(said).toEqual(['Verified', 'Verified', 'Not verified', 'Not verified']);
});

it('a restore that is refused says why, and a backup is made now', async () => {
  const studio = await open({
    'backups.restore': () => fail('wrong_state', 'An order is being sent.'),
  });
  await click(byText(labels.backUpNow));
  expect(studio.callsOf('backups.make')).toEqual([{}]);
  await lookAtOlder();
  await click(byText(labels.restore, '.sendbar button'));
  await until(() => expect(side().textContent).toContain('An order is being sent.'));
});

/** Opens the older backup, and chooses the open project of it. */
async function chooseCopy(copied: Answers['backups.copyProject']): Promise<FakeStudio> {
  const project = { id: 'p2', name: 'Last Ferry', createdAt: 1 };
  useStudio.setState({ projects: [project], settings: settingsSchema.parse({ projectId: 'p2' }) });
  const studio = await open({ 'backups.copyProject': copied, 'settings.set': (patch) => settingsSchema.parse(patch) });
  await click(rows()[1] as HTMLElement);
  await until(() => expect(side().textContent).toContain(labels.onlyAProjectAsA));
  await click(byText(labels.onlyAProjectAsA, '.pick'));
  return studio;
}

it('one project alone comes back as a new one, that of the open project first, and is opened', async () => {
  const studio = await chooseCopy(({ name = '' }) => ({ id: 'p3', name, createdAt: 2 }));
  expect(side().textContent).toContain('Last Ferry');
  await click(byText(labels.restoreAsACopy, '.sendbar button'));
  expect(studio.callsOf('backups.restore')).toEqual([]);
  expect(studio.callsOf('backups.copyProject')).toMatchObject([
    { id: 'b1', projectId: 'p2', name: expect.stringMatching(/^Last Ferry, .*20/) },
  ]);
  await until(() => expect(studio.callsOf('settings.set')).toEqual([{ projectId: 'p3' }]));
  // Another backup begins with everything.
  await click(rows()[0] as HTMLElement);
  await until(() => expect(side().textContent).toContain('A restore would change nothing'));
  expect(byText(labels.restore, '.sendbar button')).toBeTruthy();
});

it('a copy that comes after its page was left is offered, and opens nothing by itself', async () => {
  const { promise, resolve } = Promise.withResolvers<object>();
  const studio = await chooseCopy(() => promise as never);
  await click(byText(labels.restoreAsACopy, '.sendbar button'));
  await until(() => expect(studio.callsOf('backups.copyProject')).toHaveLength(1));
  window.location.hash = '#/chat';
  await show(<Toasts />);
  await acting(() => resolve({ id: 'p3', name: 'Last Ferry, then', createdAt: 2 }));
  await until(() => byText(labels.open, '.toasts button'));
  expect(studio.callsOf('settings.set')).toEqual([]);
  await click(byText(labels.open, '.toasts button'));
  await until(() => expect(studio.callsOf('settings.set')).toEqual([{ projectId: 'p3' }]));
});

it('a backup is saved elsewhere, in a folder that is named, and a refusal leaves what was typed', async () => {
  let isThere = false;
  const studio = await open({
    'backups.saveCopy': () =>
      isThere
        ? { file: '/media/disk/b1.db', bytes: 21_300_000, sha256: 'ab' }
        : fail('invalid_input', 'folder: there is no such folder. No copy was made.', { field: 'folder' }),
  });
  await lookAtOlder();
  await click(byText(labels.saveElsewhere));
  const field = side().querySelector('.sendbar input') as HTMLInputElement;
  expect(document.activeElement).toBe(field);
  await type(field, ' /media/disk ');
  await click(byText(labels.saveTheCopy));
  await until(() => expect(side().textContent).toContain('There is no such folder'));
  expect(field.value).toBe(' /media/disk ');
  isThere = true;
  await click(byText(labels.saveTheCopy));
  await until(() => expect(side().textContent).toContain('Saved as /media/disk/b1.db and verified.'));
  expect(document.activeElement).toBe(byText(labels.saveElsewhere));
  expect(studio.callsOf('backups.saveCopy').at(-1)).toEqual({ id: 'b1', folder: '/media/disk' });
});
