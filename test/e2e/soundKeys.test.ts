import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Board } from '../../src/shared/board.ts';
import { axeFaults } from './axe.ts';
import { toneTrack } from './parts/tones.ts';
import { Program } from './program.ts';

/** The sound and the words of a film with the keyboard alone: no test here moves the mouse. */

let program: Program;
let projectId: string;
beforeAll(async () => {
  program = await Program.start();
  const { host, page } = program;
  ({ id: projectId } = await host.ask('projects.create', { name: 'Last Ferry' }));
  await host.ask('settings.set', { welcomed: true, projectId });
  const shot = (id: string) => ({
    id,
    prompt: `Shot ${id}`,
    source: 'text',
    model: 'video-standard',
    config: { durationSeconds: 4, resolution: '720p', aspectRatio: '16:9', generateAudio: true },
  });
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', { ...board, shots: ['s1', 's2'].map(shot) as Board['shots'] });
  await host.request('/media?name=harbour.wav&role=source', {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav' },
    body: new Uint8Array(toneTrack({ seconds: 20, db: -20 })),
  });
  await page.reload();
});
afterAll(async () => {
  await program?.stop();
});

const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await program.page.keyboard.press(key);
};
const board = () => program.host.ask('storyboard.get', { projectId });
const sound = async () => (await board()).sound;

test('T opens the sound, and a track of the library is laid under the film', async () => {
  const { page } = program;
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  await press('Alt+2');
  await page.getByRole('tab', { name: 'Board' }).waitFor();
  await press('t');
  await page.getByRole('list', { name: 'Sounds of the library' }).waitFor();
  await program.tabTo(/^harbour\.wav/);
  await press('Enter');
  await page.getByRole('slider', { name: 'In point of the track' }).waitFor();
  await expect.poll(async () => (await sound())?.track).toMatchObject({ in: 0, level: -6 });
});

test('the ends of the track are trimmed by arrow keys, with Shift by a second', async () => {
  const { page } = program;
  await program.tabTo(/^In point of the track/);
  await press('ArrowRight', 'ArrowRight', 'Shift+ArrowRight', 'ArrowLeft');
  await expect.poll(async () => (await sound())?.track?.in).toBe(1.1);
  const slider = page.getByRole('slider', { name: 'In point of the track' });
  expect(await slider.getAttribute('aria-valuetext')).toMatch(/1\.1 of the file/);
  await press('Home');
  await expect.poll(async () => (await sound())?.track?.in).toBe(0);
  await program.tabTo(/^Out point of the track/);
  await press('Shift+ArrowLeft', 'ArrowLeft');
  await expect.poll(async () => (await sound())?.track?.out).toBe(6.9);
  await press('Home', 'ArrowLeft');
  await expect.poll(async () => (await sound())?.track?.out).toBe(0.1);
});

test('the shots’ own sound, the duck and the loudness of the film are set by keys', async () => {
  const { page } = program;
  await program.tabTo(/^Level of the track in decibels/);
  await press('ArrowUp');
  await expect.poll(async () => (await sound())?.track?.level).toBe(-5.5);
  await program.tabTo(/^Target of the loudness/);
  await press('Control+a');
  await page.keyboard.type('-16');
  await press('Enter');
  await expect.poll(async () => (await sound())?.loudness).toEqual({ target: -16 });
});

test('what was done is undone by keys, and no page error was seen', async () => {
  const { page } = program;
  await press('Escape');
  await page.evaluate('document.activeElement?.blur()');
  await press('Control+z');
  await expect.poll(async () => (await sound())?.loudness).toBeUndefined();
  expect((await sound())?.track).toMatchObject({ level: -5.5 });
  expect(await axeFaults(page, { within: '.storyboard' })).toEqual([]);
  expect(program.complaints).toEqual([]);
});
