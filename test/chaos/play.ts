import { isTerminal, type Job } from '../../src/shared/job.ts';
import { type CanaryHit, canaryKey, findCanary } from '../helpers/canary.ts';
import { settle, TestClock } from '../helpers/testPorts.ts';
import type { Api, Cell } from './matrix.ts';
import { ORDERS } from './orders.ts';
import { type ChaosService, startService } from './service.ts';
import { type ChaosStudio, openChaosStudio } from './studio.ts';

/** What happened in a cell, in the words of MATRIX.md, and every claim that holds in all of them and was broken in this one. */
export interface Played {
  happened: string;
  broken: string[];
  /** Bytes that were searched for the key. */
  searched: number;
}

/** Plays one cell: one order, one fault, to the end; then the service is well and every doubt is looked up once. */
export function play({ api, fault, phase }: Cell): Promise<Played> {
  return playOrder(api, (clock) => startService(api, fault, phase, clock));
}

/** The same with any service. */
export async function playOrder(
  api: Api,
  start: (clock: TestClock, key: string) => Promise<ChaosService>,
): Promise<Played> {
  const clock = new TestClock(Date.UTC(2026, 10, 21, 9));
  const key = canaryKey();
  const service = await start(clock, key);
  const studio = await openChaosStudio({ clock, baseUrl: service.url, key });
  try {
    const { jobs } = await studio.call('jobs.enqueue', { requests: [ORDERS[api]] });
    const id = jobs[0]?.id ?? '';
    const end = await untilRest(studio, service, clock, id);
    const happened = `${pathOf(studio, end)}; ${moneyOf(end)}; ${service.sent()} sent`;
    const broken = await claimsOf(studio, service, end);
    broken.push(...(await lookUp(studio, service, clock, end)));
    await readEverything(studio, id);
    await studio.close();
    const scan = findCanary(key, { paths: [studio.dataDir], texts: { 'what it said': studio.said.join('\n') } });
    broken.push(...scan.hits.map(told), ...keyAbroad(service, key));
    return { happened, broken, searched: scan.bytes };
  } finally {
    await studio.close();
    await service.close();
  }
}

/** Leaps from timer to timer, never while something real is under way, until the order has ended or is in doubt. */
async function untilRest(studio: ChaosStudio, service: ChaosService, clock: TestClock, id: string): Promise<Job> {
  for (let leaps = 0; ; leaps++) {
    await service.turning();
    await settle();
    const job = await studio.call('jobs.get', { id });
    if (isTerminal(job.state) || job.state === 'uncertain') return job;
    if (leaps === MOST_LEAPS) throw new Error(`no end in sight: ${JSON.stringify(job)}`);
    clock.leap();
  }
}

/** Far more timers than the longest life of an order has. */
const MOST_LEAPS = 20_000;

/** The waiting on the way, the end, and the kind of its error: `blocked (rate) → succeeded`. */
function pathOf(studio: ChaosStudio, end: Job): string {
  const waited = studio.events.flatMap((event) => {
    if (event.type !== 'job.changed' || event.job.id !== end.id || event.job.attempts.length === 0) return [];
    const { state, reason, attempts } = event.job;
    if (state === 'blocked') return [`blocked (${reason}) → `];
    return state === 'queued' && attempts.at(-1)?.outcome === 'unsent' ? ['queued → '] : [];
  });
  const kind = end.error ? ` (${end.error.kind})` : '';
  return `${waited[0] ?? ''}${end.state}${kind}`;
}

function moneyOf({ money }: Job): string {
  const { chargedNano, uncertainNano, estimateNano } = money;
  if (chargedNano === 0 && uncertainNano === 0) return '0';
  if (uncertainNano === 0) return 'charged';
  return chargedNano === 0 && uncertainNano === estimateNano ? 'doubt' : `${chargedNano} and ${uncertainNano} in doubt`;
}

/** What holds in every cell. */
async function claimsOf(studio: ChaosStudio, service: ChaosService, { money }: Job): Promise<string[]> {
  const broken: string[] = [];
  const { chargedNano, reservedNano, uncertainNano } = money;
  const bill = service.bill();
  if (reservedNano !== 0) broken.push(`${reservedNano} is still reserved`);
  if (chargedNano + uncertainNano < bill) broken.push(`a bill of ${bill} is not covered`);
  if (chargedNano > 0 && chargedNano !== bill) broken.push(`charged ${chargedNano} where the bill is ${bill}`);
  const { sum } = await studio.call('ledger.totals', { groupBy: 'day' });
  const told = [sum.settledNano, sum.reservedNano, sum.uncertainNano].join();
  if (told !== [chargedNano, reservedNano, uncertainNano].join()) broken.push(`the ledger sums to ${told}`);
  return broken;
}

/** A look-up of what is in doubt sends no order, and ends the doubt where the service can be asked. */
async function lookUp(
  studio: ChaosStudio,
  service: ChaosService,
  clock: TestClock,
  { id, state, remoteId }: Job,
): Promise<string[]> {
  if (state !== 'uncertain') return [];
  const before = service.sent();
  await service.mend();
  await studio.call('jobs.resolve', { id, as: 'lookup' });
  const after =
    remoteId === undefined ? await studio.call('jobs.get', { id }) : await untilRest(studio, service, clock, id);
  const broken: string[] = [];
  if (service.sent() !== before) broken.push('the look-up sent an order');
  if (remoteId !== undefined && after.state !== 'succeeded') broken.push(`looked up, it is ${after.state}`);
  return broken;
}

/** The answers to every question that a page could ask are searched too. */
async function readEverything(studio: ChaosStudio, id: string): Promise<void> {
  await studio.call('jobs.list', { limit: 50 });
  await studio.call('jobs.get', { id });
  await studio.call('library.list', { limit: 50 });
  await studio.call('ledger.entries', { limit: 50 });
  await studio.call('profiles.list', {});
  await studio.call('settings.get', {});
  await studio.call('app.info', {});
}

const told = ({ where, form }: CanaryHit): string => `the key is in ${where}, ${form}`;

/** The other host may be asked for results; the key never goes there by itself (a careless link may hold it all the same). */
function keyAbroad(service: ChaosService, key: string): string[] {
  const { hits } = findCanary(key, { texts: Object.fromEntries(service.abroad().entries()) });
  return hits.length > 0 ? [`the key went to another host, ${hits[0]?.form}`] : [];
}
