import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { recordingLog } from '../../../../test/helpers/testPorts.ts';

const { showMessageBox } = vi.hoisted(() => ({ showMessageBox: vi.fn() }));
vi.mock('electron', () => ({ dialog: { showMessageBox } }));
const { saveDownloads } = await import('./downloads.ts');

test.each([
  ['studio-app://app/media/ast_1', 'The library still has it.'],
  ['studio-media://asset/ast_1', 'The library still has it.'],
  ['studio-app://app/exports/exp_1/film.mp4', 'Save it again.'],
  ['blob:studio-app://app/8f1c', 'Save it again.'],
])('what is left of %s, which could not be saved', (url, end) => {
  const session = new EventEmitter();
  saveDownloads(session as never, recordingLog());
  const item = Object.assign(new EventEmitter(), {
    getURL: () => url,
    getFilename: () => 'file',
    setSaveDialogOptions: () => undefined,
  });
  session.emit('will-download', {}, item);
  item.emit('done', {}, 'interrupted');
  expect(showMessageBox.mock.lastCall).toMatchObject([{ message: 'file could not be saved.' }]);
  expect(showMessageBox.mock.lastCall?.[0].detail).toMatch(new RegExp(`writable[.] ${end}$`));
});
