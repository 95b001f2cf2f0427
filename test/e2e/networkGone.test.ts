import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../helpers/testPorts.ts';
import { labels, starting } from '../labels.ts';
import { SandboxProcess } from '../torture/sandboxProcess.ts';
import { FilmSteps } from './filmSteps.ts';
import { keys } from './hands.ts';
import { Program } from './program.ts';
import { Spending } from './spending.ts';

/** The gateway goes away while takes of a film are made, and comes back: nothing is lost, and nothing is paid for twice. */

let service: SandboxProcess;
let program: Program;
let film: FilmSteps;
let spending: Spending;
beforeAll(async () => {
  service = await SandboxProcess.start(tempDir('network-gone'), ['--keys', 'honoured']);
  const { apiKey, baseUrl, imagePrefix, vendor, imageAuthHeaders } = service.ready;
  program = await Program.start({ env: { DAILIES_API_KEY: apiKey } });
  const { host, page } = program;
  const hands = keys(page);
  film = new FilmSteps(program, hands);
  await hands.press(film.button(starting(labels.openASampleFilm)));
  await page.getByRole('option', { name: /^Shot 5, / }).waitFor();
  const { id } = await host.ask('profiles.save', { name: 'Far away', baseUrl, imagePrefix, vendor, imageAuthHeaders });
  await host.ask('profiles.activate', { id });
  await page.getByText('Far away').first().waitFor();
  spending = new Spending(program, hands, async () => {
    const entries = await service.bill();
    return { entries, totalNano: entries.reduce((sum, { nano }) => sum + nano, 0) };
  });
  await spending.begin();
});
afterAll(async () => {
  await program?.stop();
  await service?.kill('SIGKILL');
});

const status = () => program.page.getByRole('contentinfo');
const states = async () => (await spending.all()).map(({ state }) => state);

/** Orders the next take of a shot at the price on the button. */
async function order(shot: number): Promise<void> {
  await film.pickShot(shot);
  expect(await film.send.getByText(labels.playMoney).count()).toBe(0);
  await spending.press(film.send.getByRole('button', { name: /^Make take/ }), film.send.locator('.sendbar .price'), 1);
}

test('it goes while a take is made: the take waits, another one is ordered, and work goes on', async () => {
  const { page } = program;
  await service.faults([{ match: { endpoint: 'operation' }, action: { kind: 'stall' } }]);
  await order(1);
  await expect.poll(states).toEqual(['running']);
  await service.kill('SIGKILL');
  await order(2);
  await status().getByText(labels.cannotBeReached).waitFor();
  await expect.poll(states).toEqual(['running', expect.stringMatching(/^(queued|blocked)$/)]);

  // Words are written and the film plays without it.
  await film.pickShot(5);
  const prompt = film.send.getByRole('textbox').first();
  await prompt.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Written offline.');
  await expect.poll(async () => (await film.shots())[4]?.prompt).toMatch(/Written offline\.$/);
});

test('it comes back: both takes are made, each of them was sent and is billed once', async () => {
  await service.restart();
  await spending.made();
  await spending.expectBill();
  const sent = (await service.bill()).map(({ id }) => id);
  expect(new Set(sent).size).toBe(2);
  await status().getByText(labels.cannotBeReached).waitFor({ state: 'detached' });
});

test('it goes before an answer: nothing is sent again by itself, and what is sent knowingly is billed once', async () => {
  const { page } = program;
  await service.faults([{ match: { endpoint: 'video', times: 1 }, action: { kind: 'drop', when: 'after' } }]);
  await order(3);
  await expect.poll(states).toEqual(['succeeded', 'succeeded', 'uncertain']);
  await service.kill('SIGKILL');
  await service.restart();
  await film.goTo(labels.queue);
  const inbox = page.getByRole('article', { name: /^In doubt: / });
  await inbox.getByText(/is held, in doubt/).waitFor();
  const [entry, ...more] = (await service.bill()).slice(2);
  expect(more).toEqual([]);
  const { sum } = await program.host.ask('ledger.totals', { groupBy: 'project' });
  expect(sum.uncertainNano).toBeGreaterThanOrEqual(entry?.nano ?? Number.POSITIVE_INFINITY);
  expect((await spending.all()).at(-1)?.attempts).toHaveLength(1);

  await page.keyboard.press('3');
  const dialog = page.getByRole('dialog', { name: labels.sendItAgainKnowingly });
  await dialog.locator('.price').waitFor();
  await page.keyboard.press('Control+Enter');
  await dialog.waitFor({ state: 'detached' });
  await spending.made();
  expect(await service.bill()).toHaveLength(3);
});

test('every take plays on the board, its file is here, and ledger and bill agree', async () => {
  await film.goTo(labels.board);
  const made = await spending.all();
  for (const { outputs } of made) expect(outputs.map(({ state }) => state)).toEqual(['local']);
  const takes = (await film.shots()).flatMap((shot) => shot.takes);
  expect(takes).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  // The bill alone can say that the first request of the third take costs nothing.
  await spending.expectBill(made[2]?.money.estimateNano);
});
