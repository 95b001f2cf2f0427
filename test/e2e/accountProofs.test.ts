import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatNano } from '../../src/shared/money.ts';
import { SANDBOX_PRICES } from '../../src/shared/price.ts';
import { arrived } from '../helpers/browser.ts';
import { MovedClock } from '../helpers/movedClock.ts';
import { tempDir } from '../helpers/testPorts.ts';
import { labels, starting, whole } from '../labels.ts';
import { SandboxProcess } from '../torture/sandboxProcess.ts';
import { axeFaults } from './axe.ts';
import { Program } from './program.ts';
import { StrictGateway } from './strictGateway.ts';

/**
 * Three claims of the account, at a gateway with habits of its own: what the doctor found is shown and holds, a model that ends takes its
 * extensions with it and not before, and a month can be printed.
 */

const HOUR = 3_600_000;
const clock = new MovedClock(Date.now());
let program: Program;
let service: SandboxProcess;
let gateway: StrictGateway;
let projectId: string;

beforeAll(async () => {
  service = await SandboxProcess.start(path.join(tempDir('proofs'), 'sandbox'));
  gateway = await StrictGateway.start(service.ready);
  program = await Program.start({ env: clock.env });
  const { host, page } = program;
  await clock.showTo(page);
  const { apiKey, imagePrefix, imageAuthHeaders } = service.ready;
  const { id } = await host.ask('profiles.save', {
    name: 'Strict',
    baseUrl: gateway.baseUrl,
    imagePrefix,
    imageAuthHeaders,
  });
  await host.ask('profiles.setKey', { id, apiKey });
  for (const price of SANDBOX_PRICES) await host.ask('prices.set', { profileId: id, price });
  await host.ask('profiles.activate', { id });
  projectId = (await host.ask('projects.create', { name: 'Film' })).id;
  await host.ask('settings.set', { welcomed: true, projectId });
  const shot = { prompt: 'A quay in fog', model: 'video-standard', config: { durationSeconds: 4 as const } };
  await host.ask('storyboard.save', { projectId, revision: 0, shots: [{ ...shot, id: 'one', title: 'Quay' }] });
  await page.reload();
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
});
afterAll(async () => {
  await program?.stop();
  await gateway?.stop();
  await service?.kill('SIGKILL');
});

const makeTake = () =>
  program.made('video', () => program.host.ask('storyboard.makeTake', { projectId, shotId: 'one' }));

async function openSettings(section: RegExp): Promise<void> {
  await program.page.keyboard.press('Alt+7');
  await program.tabTo(section);
  await program.page.keyboard.press('Enter');
}

test('the doctor shows what it changed in the dialect and how it knew, and the next order is taken at once', async () => {
  const { host, page } = program;
  const first = await makeTake();
  expect(first.state).toBe('succeeded');
  const refused = gateway.videos.length - 1;
  expect(refused).toBeGreaterThan(0);
  expect(await service.bill()).toHaveLength(1);
  await openSettings(whole(labels.profiles));
  await program.tabTo(whole(labels.doctor));
  await page.keyboard.press('Enter');
  const rows = page.getByRole('table').getByRole('row');
  for (const setting of ['Vendor', 'Field spelling']) {
    const row = rows.filter({ hasText: setting });
    await row.filter({ hasText: 'was refused by its name, and taken in this one' }).waitFor();
  }
  await rows.filter({ hasText: /Field spelling.*lastFrame.*last_frame/ }).waitFor();
  await rows.filter({ hasText: /acme/ }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  expect((await makeTake()).state).toBe('succeeded');
  expect(gateway.videos).toHaveLength(refused + 2);
  expect(gateway.videos.at(-1)?.extra_body.acme?.config).toMatchObject({ duration_seconds: 4 });
  await host.ask('jobs.judge', { id: first.id, verdict: 'keep' });
});

/** The first midnight (UTC) that is not too near: services state days. */
const endOfModel = (Math.floor((clock.now() + 2 * HOUR) / (24 * HOUR)) + 1) * 24 * HOUR;
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(endOfModel);

test('a model that ends: its shots are extended until that day, and not after it', async () => {
  const { host, page } = program;
  gateway.ends = { 'video-standard': new Date(endOfModel).toISOString().slice(0, 10) };
  await openSettings(whole(labels.modelsAndPrices));
  await program.tabTo(starting(labels.readAgain));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: new RegExp(`^video-standard ends .*${day}`) }).waitFor();
  await page.getByText('from the model list, shutdown_date').waitFor();
  await page.getByText('1 shot can be extended until then, and later only').waitFor();
  await page.getByRole('row', { name: /Film, shot 1/ }).waitFor();
  expect(await axeFaults(page)).toEqual([]);
  const board = () => host.ask('storyboard.get', { projectId });
  const extension = await program.made('video', async () => {
    await program.canSend(starting(labels.extendShot(1)));
    await page.keyboard.press('Control+Enter');
  });
  expect(extension.state).toBe('succeeded');
  expect(gateway.videos.at(-1)?.extra_body.acme?.video?.uri).toEqual(expect.any(String));
  const added = (await board()).shots[1];
  expect(added).toMatchObject({ source: 'extend', takes: [extension.id] });
  await page.keyboard.press('Alt+2');
  await page.getByText(labels.canBeExtendedUntil).first().waitFor();
  const sent = gateway.videos.length;

  await clock.sleepUntil(endOfModel + HOUR, page);
  await openSettings(whole(labels.modelsAndPrices));
  await page.getByRole('heading', { name: /^video-standard ended / }).waitFor();
  const refused = await host.rpc('storyboard.makeTake', { projectId, shotId: added?.id ?? '' });
  expect(refused).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('the model video-standard ended on') },
  });
  await page.keyboard.press('Alt+2');
  const reason = page.getByLabel(labels.shotSettings).getByText(/model video-standard ended on/);
  await reason.first().waitFor();
  await page.keyboard.press('Control+Enter');
  // The page's calls for this one come after the call of a press that was heard.
  await page.keyboard.press('Alt+4');
  await arrived(page, 'queue');
  expect((await host.ask('jobs.list', {})).total).toBe(3);
  expect(gateway.videos).toHaveLength(sent);
});

test.each(['dark', 'light'] as const)('a month is printed without the program around it: %s', async (theme) => {
  const { host, page } = program;
  await host.ask('settings.set', { theme });
  // A test before this one has moved the clock on, maybe into a month in which nothing was ordered.
  const { rows } = await host.ask('ledger.totals', { groupBy: 'day', play: false });
  const month =
    rows
      .map(({ key }) => key.slice(0, 7))
      .sort()
      .at(-1) ?? '';
  const settled = rows.filter(({ key }) => key.startsWith(month)).reduce((sum, row) => sum + row.settledLowNano, 0);
  await page.evaluate(`location.hash = '#/spend/print?month=${month}'`);
  const sheet = page.getByRole('article');
  await sheet.getByRole('table', { name: labels.byDay }).waitFor();
  await page.emulateMedia({ media: 'print' });
  const shown = page.locator('nav, button, a, input').filter({ visible: true });
  expect(await shown.count()).toBe(0);
  const words = await sheet.innerText();
  for (const said of ['By gateway', 'Strict', 'By project', 'Film', 'video-standard', formatNano(settled)])
    expect(words).toContain(said);
  const [clipped, background, color] = await page.evaluate(seenOfSheet);
  expect([clipped, background, color]).toEqual([0, 'rgb(255, 255, 255)', 'rgb(17, 17, 17)']);
  const paper = await page.pdf({ preferCSSPageSize: true });
  expect(paper.subarray(0, 5).toString()).toBe('%PDF-');
  await page.emulateMedia({ media: null });
  await page.getByRole('navigation', { name: labels.pages }).waitFor();
  expect(program.complaints).toEqual([]);
});

/** Pixels that what scrolls hides, and the colours of the sheet. */
function seenOfSheet(): [clipped: number, background: string, color: string] {
  interface Box {
    scrollHeight: number;
    clientHeight: number;
  }
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { querySelector(name: string): Box };
    getComputedStyle(box: Box): { backgroundColor: string; color: string };
  };
  const [around, sheet] = [document.querySelector('.print-scroll'), document.querySelector('.sheet')];
  const { backgroundColor, color } = getComputedStyle(sheet);
  return [around.scrollHeight - around.clientHeight, backgroundColor, color];
}
