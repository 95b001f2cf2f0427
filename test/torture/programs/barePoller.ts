import { Agent } from 'undici';

/**
 * A bare HTTP client that asks a service for one task after another and reads each answer, and does nothing else: what polling at this rate
 * costs on this machine. Asked by a message of its parent, it reports its share of a core since the last time.
 */
const [origin = '', perSecond = ''] = process.argv.slice(2);
const agent = new Agent({ connections: 8, pipelining: 1, allowH2: false });
let asked = 0;
let before = { cpu: process.cpuUsage(), at: performance.now() };

async function poll(): Promise<void> {
  asked += 1;
  const path = `/v1/videos/task-${asked}`;
  const answer = await agent.request({ origin, path, method: 'GET', headers: { accept: 'application/json' } });
  JSON.parse(await answer.body.text());
}

setInterval(() => void poll(), 1_000 / Number(perSecond));

process.on('message', () => {
  const { user, system } = process.cpuUsage(before.cpu);
  process.send?.((user + system) / 1_000 / (performance.now() - before.at));
  before = { cpu: process.cpuUsage(), at: performance.now() };
});
process.once('disconnect', () => process.exit());
