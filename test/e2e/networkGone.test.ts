import { afterAll, beforeAll, expect, test } from 'vitest';
import { tempDir } from '../helpers/testPorts.ts';
import { labels, starting } from '../labels.ts';
import { SandboxProcess } from '../torture/sandboxProcess.ts';
import { Program } from './program.ts';

/** The gateway goes away while a clip is made, and comes back. */

const clip = { kind: 'video', model: 'video-standard', config: { durationSeconds: 4 } } as const;
let service: SandboxProcess;
let program: Program;
beforeAll(async () => {
  service = await SandboxProcess.start(tempDir('network-gone'));
  const { apiKey, baseUrl, imagePrefix, vendor, imageAuthHeaders } = service.ready;
  program = await Program.start({ env: { DAILIES_API_KEY: apiKey } });
  const { host } = program;
  const { id } = await host.ask('profiles.save', { name: 'Far away', baseUrl, imagePrefix, vendor, imageAuthHeaders });
  await host.ask('profiles.activate', { id });
  await program.page.getByRole('button', { name: starting(labels.openTheSampleFilm) }).click();
  await program.page.getByRole('option', { name: /^Shot 5, / }).waitFor();
});
afterAll(async () => {
  await program?.stop();
  await service?.kill('SIGKILL');
});

const ids: string[] = [];
async function enqueue(prompt: string): Promise<void> {
  const { jobs } = await program.host.ask('jobs.enqueue', { requests: [{ ...clip, prompt }] });
  ids.push(...jobs.map(({ id }) => id));
}
const jobs = () => Promise.all(ids.map((id) => program.host.ask('jobs.get', { id })));
const states = async () => (await jobs()).map(({ state }) => state);
const away = () => program.page.getByRole('contentinfo').getByText(labels.cannotBeReached);

test('without the gateway the film plays, text is saved, and jobs wait', async () => {
  const { host, page } = program;
  await service.faults([{ match: { endpoint: 'operation' }, action: { kind: 'stall' } }]);
  await enqueue('Pier 1');
  await expect.poll(states).toEqual(['running']);
  await service.kill('SIGKILL');
  await enqueue('Pier 2');
  await away().waitFor();
  await expect.poll(states).toEqual(['running', expect.stringMatching(/^(queued|blocked)$/)]);
  await page.getByLabel(labels.promptOfShot(1)).fill('Written offline');
  const { projects } = await host.ask('projects.list');
  const shots = async () => (await host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' })).shots;
  await expect.poll(async () => (await shots())[0]?.prompt).toBe('Written offline');
  await page.getByRole('button', { name: labels.play, exact: true }).click();
  const played = () => page.evaluate<number>(`document.querySelector('main video:not([hidden])[src]')?.currentTime`);
  await expect.poll(played).toBeGreaterThan(0.5);
});

test('once it is back, both clips are made and stored here, each sent once, and ledger and bill agree', async () => {
  await service.restart();
  await expect.poll(states).toEqual(['succeeded', 'succeeded']);
  await away().waitFor({ state: 'detached' });
  const charged = (await jobs()).map(({ remoteId, money }) => ({ id: remoteId, nano: money.chargedNano }));
  expect((await service.bill()).map(({ id, nano }) => ({ id, nano }))).toEqual(charged);
  for (const { outputs } of await jobs()) expect(outputs.map(({ state }) => state)).toEqual(['local']);
  expect(program.complaints.filter((line) => !line.includes('ERR_'))).toEqual([]);
});
