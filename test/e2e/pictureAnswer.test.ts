import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../src/shared/jobs/job.ts';
import { testPng } from '../helpers/png.ts';
import { labels, starting } from '../labels.ts';
import { Program } from './program.ts';

/** A gateway answers a chat with a picture: it is shown, survives a kill, is paid once, and becomes a frame. */

const PICTURE = `data:image/png;base64,${testPng(1_200, 900).toString('base64')}`;
const delta = (inner: object) => `data: ${JSON.stringify({ id: 'chat-1', choices: [{ index: 0, delta: inner }] })}\n\n`;
/** At the higher of the two prices of the specification. */
const COST = 10 * 270 + 1_300 * 1_080;
const USAGE = { prompt_tokens: 10, completion_tokens: 1_300, total_tokens: 1_310 };
const END = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: USAGE })}\n\ndata: [DONE]\n\n`;

/** Answers that are not ended yet. */
const open: ServerResponse[] = [];
const gateway = createServer(async (request, response) => {
  request.resume();
  await once(request, 'end');
  if (request.method !== 'POST') return void response.writeHead(404).end('{}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(delta({ content: 'A fox.' }));
  response.write(delta({ images: [{ type: 'image_url', image_url: { url: PICTURE } }] }));
  open.push(response);
});

let program: Program;
beforeAll(async () => {
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  program = await Program.start();
  const { host } = program;
  const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  await host.ask('profiles.save', {
    id: 'fox',
    name: 'Fox',
    baseUrl,
    models: [{ id: 'language', kind: 'chat' }],
  } as never);
  await host.ask('profiles.setKey', { id: 'fox', apiKey: 'sk-0123456789abcdef' });
  await host.ask('settings.set', { welcomed: true, realMoney: { fox: baseUrl } });
  await host.ask('profiles.activate', { id: 'fox' });
});
afterAll(async () => {
  await program?.stop();
  gateway.closeAllConnections();
  gateway.close();
});

const pictures = () => program.page.getByRole('list', { name: labels.picturesOfTheAnswer }).getByRole('img');

/** Sends a message and waits until the gateway has begun to answer. */
async function ask(words: string): Promise<void> {
  const before = open.length;
  await program.goTo(labels.chat);
  await program.page.getByRole('textbox', { name: labels.message, exact: true }).fill(words);
  await program.press(starting(labels.send), async () => open.length > before);
}

test('a picture is shown while the answer streams and charged once with it; a kill keeps one that has arrived', async () => {
  const { page, host } = program;
  await ask('Draw a fox');
  await pictures().first().waitFor();
  open[0]?.end(END);
  const [job] = await ended('succeeded');
  expect(job).toMatchObject({ outputs: [{ state: 'local', width: 1_200 }], result: { text: 'A fox.', pictures: 1 } });
  await page.getByText(labels.picturesOfAnswersAreNotSent).waitFor();
  const { sum } = await host.ask('ledger.totals', { groupBy: 'kind', play: false });
  expect([sum.settledNano, sum.uncertainNano]).toEqual([COST, 0]);

  await ask('And a dog');
  await expect.poll(() => pictures().count()).toBe(2);
  await program.killAndRestart();
  await program.goTo(labels.chat);
  await program.page.getByText('Draw a fox').first().click();
  await expect.poll(() => pictures().count()).toBe(2);
  const [cut] = await ended('failed');
  expect(cut).toMatchObject({ outputs: [{ state: 'local' }], result: { text: 'A fox.' }, money: { chargedNano: 0 } });
  expect(cut?.money.uncertainNano).toBeGreaterThan(0);
  expect(open).toHaveLength(2);

  await program.page.getByRole('button', { name: labels.useAsFrame }).first().click();
  await program.page.getByRole('button', { name: labels.newFilm }).click();
  await program.page.getByRole('button', { name: labels.firstFrame, exact: true }).click();
  const { projects } = await program.host.ask('projects.list');
  const shots = async () => (await program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' })).shots;
  const frame = { assetId: job?.outputs[0]?.id };
  await expect.poll(shots).toMatchObject([{ source: 'first', image: frame }]);
  expect(program.complaints).toEqual([]);
});

/** The jobs in this state, once there is one. */
async function ended(state: Job['state']): Promise<Job[]> {
  const list = async () => (await program.host.ask('jobs.list', { states: [state], limit: 10 })).jobs;
  await expect.poll(async () => (await list()).length).toBe(1);
  return list();
}
