import { beforeEach, expect, it } from 'vitest';
import type { Settings } from '../../../../shared/contract/settings.ts';
import { useStudio } from '../../../app/index.ts';
import { addEdit, emptyHistory, undo } from '../../../canvas/index.ts';
import { anAsset, fakeStudio, press, show } from '../../../testing/page.tsx';
import { useImages } from '../useImages.ts';
import { ToolBar } from './ToolBar.tsx';

const settings: Settings = { theme: 'dark', welcomed: true, activeProfileId: 'p' };
const asset = anAsset({ id: 'a1', width: 64, height: 32 });
const doneNow = () => useImages.getState().masks.a1?.document.strokes.length;

beforeEach(() => {
  fakeStudio({});
  useStudio.setState({ settings });
  const painted = addEdit(emptyHistory(64, 32), { kind: 'invert' });
  useImages.setState({ masks: { a1: undo(painted) } });
});

it('takes back an undo by Ctrl+Shift+Z and by Ctrl+Y', async () => {
  await show(<ToolBar asset={asset} />);
  await press('y', { ctrlKey: true });
  expect(doneNow()).toBe(1);
  await press('z', { ctrlKey: true });
  expect(doneNow()).toBe(0);
  await press('Z', { ctrlKey: true, shiftKey: true });
  expect(doneNow()).toBe(1);
});

it('takes it back by another key where the person chose one', async () => {
  useStudio.setState({ settings: { ...settings, shortcuts: { 'painter.redoToo': 'Mod+R' } } });
  await show(<ToolBar asset={asset} />);
  await press('y', { ctrlKey: true });
  expect(doneNow()).toBe(0);
  await press('r', { ctrlKey: true });
  expect(doneNow()).toBe(1);
});
