import { isTerminal, type Job } from '../../src/shared/jobs/job.ts';
import { type CanaryHit, canaryKey, findCanary } from '../helpers/canary.ts';
import { settle, TestClock } from '../helpers/testPorts.ts';
import { type ChaosStudio, openChaosStudio } from './chaosStudio.ts';
import { type ChaosService, startService } from './faultyService.ts';
import type { Api, Cell } from './matrix.ts';
import { REQUESTS } from './requests.ts';

/** The result of a cell in the terms of MATRIX.md, and every invariant that was broken. */
export interface CellResult {
  happened: string;
  broken: string[];
  /** Number of bytes searched for the key. */
  searched: number;
}

/** Runs one cell: one request, one fault, to the end; then the gateway is healthy and every unconfirmed job is looked up once. */
export function runCell({ api, fault, phase }: Cell): Promise<CellResult> {
  return runScenario(api, (clock) => startService(api, fault, phase, clock));
}

/** Runs one request against any gateway, like {@link runCell}. */
export async function runScenario(
  api: Api,
  start: (clock: TestClock, key: string) => Promise<ChaosService>,
): Promise<CellResult> {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 9));
  const key = canaryKey();
  const service = await start(clock, key);
  const studio = await openChaosStudio({ clock, baseUrl: service.url, key });
  try {
    const { jobs } = await studio.call('jobs.enqueue', { requests: [REQUESTS[api]] });
    const id = jobs[0]?.id ?? '';
    const end = await untilEnded(studio, service, clock, id);
    const happened = `${describePath(studio, end)}; ${describeMoney(end)}; ${service.sent()} sent`;
    const broken = await brokenInvariants(studio, service, end);
    broken.push(...(await lookUp(studio, service, clock, end)));
    await readEverything(studio, id);
    await studio.close();
    const scan = findCanary(key, { paths: [studio.dataDir], texts: { 'what it said': studio.outputs.join('\n') } });
    broken.push(...scan.hits.map(describeHit), ...keyAtThirdParty(service, key));
    return { happened, broken, searched: scan.bytes };
  } finally {
    await studio.close();
    await service.close();
  }
}

/** Fires timer after timer, whenever no real work is pending, until the job has ended or is unconfirmed. */
async function untilEnded(studio: ChaosStudio, service: ChaosService, clock: TestClock, id: string): Promise<Job> {
  for (let timers = 0; ; timers++) {
    await service.transition();
    await settle();
    const job = await studio.call('jobs.get', { id });
    if (isTerminal(job.state) || job.state === 'uncertain') return job;
    if (timers === MAX_TIMERS) throw new Error(`no end in sight: ${JSON.stringify(job)}`);
    clock.leap();
  }
}

/** Far more timers than the longest job needs. */
const MAX_TIMERS = 20_000;

/** The waiting states, the end, and the kind of its error: `blocked (rate) → succeeded`. */
function describePath(studio: ChaosStudio, end: Job): string {
  const waited = studio.events.flatMap((event) => {
    if (event.type !== 'job.changed' || event.job.id !== end.id || event.job.attempts.length === 0) return [];
    const { state, reason, attempts } = event.job;
    if (state === 'blocked') return [`blocked (${reason}) → `];
    return state === 'queued' && attempts.at(-1)?.outcome === 'unsent' ? ['queued → '] : [];
  });
  const kind = end.error ? ` (${end.error.kind})` : '';
  return `${waited[0] ?? ''}${end.state}${kind}`;
}

function describeMoney({ money }: Job): string {
  const { chargedNano, uncertainNano, estimateNano } = money;
  if (chargedNano === 0 && uncertainNano === 0) return '0';
  if (uncertainNano === 0) return 'charged';
  return chargedNano === 0 && uncertainNano === estimateNano ? 'doubt' : `${chargedNano} and ${uncertainNano} in doubt`;
}

/** The invariants of every cell. */
async function brokenInvariants(studio: ChaosStudio, service: ChaosService, { money }: Job): Promise<string[]> {
  const broken: string[] = [];
  const { chargedNano, reservedNano, uncertainNano } = money;
  const bill = service.bill();
  if (reservedNano !== 0) broken.push(`${reservedNano} is still reserved`);
  if (chargedNano + uncertainNano < bill) broken.push(`a bill of ${bill} is not covered`);
  if (chargedNano > 0 && chargedNano !== bill) broken.push(`charged ${chargedNano} where the bill is ${bill}`);
  const { sum } = await studio.call('ledger.totals', { groupBy: 'day' });
  const describeHit = [sum.settledNano, sum.reservedNano, sum.uncertainNano].join();
  if (describeHit !== [chargedNano, reservedNano, uncertainNano].join())
    broken.push(`the ledger sums to ${describeHit}`);
  return broken;
}

/** A look-up of an unconfirmed job sends no request, and resolves it if the gateway can be asked. */
async function lookUp(
  studio: ChaosStudio,
  service: ChaosService,
  clock: TestClock,
  { id, state, remoteId }: Job,
): Promise<string[]> {
  if (state !== 'uncertain') return [];
  const before = service.sent();
  await service.recover();
  await studio.call('jobs.resolve', { id, as: 'lookup' });
  const after =
    remoteId === undefined ? await studio.call('jobs.get', { id }) : await untilEnded(studio, service, clock, id);
  const broken: string[] = [];
  if (service.sent() !== before) broken.push('the look-up sent an order');
  if (remoteId !== undefined && after.state !== 'succeeded') broken.push(`looked up, it is ${after.state}`);
  return broken;
}

/** Makes every query of a page, so that the answers are searched too. */
async function readEverything(studio: ChaosStudio, id: string): Promise<void> {
  await studio.call('jobs.list', { limit: 50 });
  await studio.call('jobs.get', { id });
  await studio.call('library.list', { limit: 50 });
  await studio.call('ledger.entries', { limit: 50 });
  await studio.call('profiles.list', {});
  await studio.call('settings.get', {});
  await studio.call('app.info', {});
}

const describeHit = ({ where, form }: CanaryHit): string => `the key is in ${where}, ${form}`;

/** The other origin may be asked for results, but must not get the key, unless a bad gateway put it into the link. */
function keyAtThirdParty(service: ChaosService, key: string): string[] {
  const { hits } = findCanary(key, { texts: Object.fromEntries(service.thirdPartyRequests().entries()) });
  return hits.length > 0 ? [`the key went to another host, ${hits[0]?.form}`] : [];
}
