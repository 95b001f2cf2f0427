import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shot } from '../../src/shared/board.ts';
import { formatNano } from '../../src/shared/money.ts';
import { labels, starting } from '../labels.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';

/** A take is promoted at the price that is shown, which is what the ledger and the sandbox's bill then say. */

let program: Program;
beforeAll(async () => {
  program = await Program.start({ media: 'full' });
});
afterAll(async () => {
  await program?.stop();
});

async function openBoard(): Promise<string> {
  const { page, host } = program;
  await page.getByRole('button', { name: labels.startInTheSandbox }).click();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  const { id } = await host.ask('projects.create', { name: 'Ferry' });
  const config = { durationSeconds: 4, resolution: '720p' };
  const shots = [{ id: 's1', prompt: 'A quay at night', model: 'video-standard', config }] as unknown as Shot[];
  await host.ask('storyboard.save', { projectId: id, revision: 0, shots });
  await page.reload();
  await program.goTo(labels.board);
  await page.getByText('Ferry').first().click();
  await page.getByRole('heading', { name: labels.shotN(1), exact: true }).waitFor();
  return id;
}

test('price shown, ledger and bill agree, and the sandbox was sent the same once more but for what is better', async () => {
  const projectId = await openBoard();
  const { page, host } = program;
  await program.canSend(starting(labels.makeTake(1)));
  expect(await page.getByRole('button', { name: labels.tonight }).getAttribute('title')).toContain(
    labels.noNightIsPlanned,
  );
  const first = await program.made('video', () =>
    page.getByRole('button', { name: starting(labels.makeTake(1)) }).click(),
  );
  const before = await program.bill();
  const [shot, ...rest] = (await host.ask('storyboard.get', { projectId })).shots;
  const board = await host.ask('storyboard.get', { projectId });
  await host.ask('storyboard.save', { ...board, shots: [{ ...shot, prompt: 'Another quay' } as Shot, ...rest] });

  await page.getByRole('button', { name: labels.more, exact: true }).click();
  await page.getByRole('menuitem', { name: labels.promoteTake(1) }).click();
  const dialog = page.getByRole('dialog', { name: labels.promoteTakeOfShot(1, 1) });
  await dialog.getByRole('combobox', { name: labels.model }).click();
  await page.getByRole('option', { name: /^video-pro/ }).click();
  await program.canSend(starting(labels.makeTake(2)));
  expect(await axeFaults(page)).toEqual([]);
  const shown = await dialog.locator('.price').first().textContent();
  const promoted = await program.made('video', () => page.keyboard.press('Control+Enter'));
  await dialog.waitFor({ state: 'detached' });

  const bill = await program.bill();
  const paid = bill.totalNano - before.totalNano;
  expect(promoted).toMatchObject({ state: 'succeeded', model: 'video-pro', money: { chargedNano: paid } });
  const { estimateNano, estimateLowNano } = promoted.money;
  const low = estimateLowNano === estimateNano ? '' : `${formatNano(estimateLowNano)}–`;
  expect(shown).toBe(low === '' ? formatNano(estimateNano) : `${low}${formatNano(estimateNano).replace('$', '')}`);
  expect(paid).toBeLessThanOrEqual(estimateNano);
  expect(paid).toBeGreaterThanOrEqual(estimateLowNano);
  const { sum } = await host.ask('ledger.totals', { groupBy: 'project' });
  expect(sum).toMatchObject({ settledNano: bill.totalNano, reservedNano: 0, uncertainNano: 0 });

  const sent = await program.sentVideos();
  expect(sent).toHaveLength(2);
  const [original, better] = sent;
  const options = Object.values(original?.extra_body ?? {})[0] as { config: object };
  expect(better).toEqual({
    ...original,
    model: 'video-pro',
    extra_body: {
      [Object.keys(original?.extra_body ?? {})[0] ?? '']: { config: { ...options.config, resolution: '1080p' } },
    },
  });
  expect(first.outputs[0]?.height).toBe(720);
  expect(promoted.outputs[0]?.height).toBe(1080);
  await page
    .getByRole('option', { name: starting(labels.takeOfShot(2, 1)) })
    .getByText(labels.fromTake(1))
    .waitFor();
  expect(program.complaints).toEqual([]);
});
