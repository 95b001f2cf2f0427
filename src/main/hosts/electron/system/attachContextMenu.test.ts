import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

const { popup } = vi.hoisted(() => ({ popup: vi.fn() }));
vi.mock('electron', () => ({ clipboard: {}, shell: {}, Menu: { buildFromTemplate: () => ({ popup }) } }));
const { attachContextMenu } = await import('./attachContextMenu.ts');

test('the menu key opens the menu where the page says', () => {
  const window = { webContents: new EventEmitter() };
  attachContextMenu(window as never, () => undefined);
  const nothing = { selectionText: '', misspelledWord: '', mediaType: 'none', srcURL: '', linkURL: '', editFlags: {} };
  const at = { menuSourceType: 'keyboard', frame: null, x: 4, y: 8 };
  window.webContents.emit('context-menu', {}, { ...nothing, isEditable: true, ...at });
  expect(popup).toHaveBeenCalledExactlyOnceWith({ window, sourceType: 'keyboard', x: 4, y: 8 });
});
