import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, vi } from 'vitest';
import { PATIENCE_MS } from '../../../test/helpers/patience.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/contract/contract.ts';
import type { StudioEvent } from '../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../shared/contract/result.ts';
import { isPlayMoney } from '../../shared/gateway/profile.ts';
import { isTerminal, type Job } from '../../shared/jobs/job.ts';
import type { PriceMismatch } from '../../shared/money/ledger.ts';
import { realMoney } from '../app/state/askRealMoney.ts';
import { startEvents } from '../app/state/events.ts';
import { useStudio } from '../app/state/studio.ts';
import { type LinkState, setTransport, type Transport } from '../client/index.ts';

import { unansweredKeys } from './printedKeys.ts';

export { anAsset } from './anAsset.ts';

/** A page in a test: rendered into jsdom over a fake studio behind the client's port. */

const turn = setImmediate;
/** Does something and lets React finish with it. */
export async function acting(work: () => unknown): Promise<void> {
  await work();
  for (let turns = 0; turns < 6; turns += 1) await new Promise<void>((done) => void turn(done));
}

/** What jsdom does not lay out. */
class NoLayout {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}
/** Virtual lists draw what fits into their element. */
Object.defineProperties(Element.prototype, {
  clientWidth: { configurable: true, get: () => 900 },
  clientHeight: { configurable: true, get: () => 800 },
});
Element.prototype.scrollIntoView = () => {};
/** jsdom plays no media, and reports each attempt. */
HTMLMediaElement.prototype.load = () => {};
HTMLMediaElement.prototype.pause = () => {};
vi.stubGlobal('ResizeObserver', NoLayout);
vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));

/** Whoever sits at a page test has agreed to pay at every gateway; the test of the question itself takes it away. */
realMoney.use.setState({ isShown: true });
export const askForRealMoney = realMoney.use.subscribe(({ asked }) => asked?.answer(true));

type Answer<Name extends CallName> = Result<CallOutput<Name>> | CallOutput<Name>;
export type Answers = { [Name in CallName]?: (input: CallInput<Name>) => Answer<Name> | Promise<Answer<Name>> };

export interface FakeStudio {
  /** Every call, in order. */
  calls: { name: string; input: unknown }[];
  /** Their inputs, without the key of the page's own ({@link FakeStudio.keysOf}). */
  callsOf(name: CallName): unknown[];
  keysOf(name: CallName): (string | undefined)[];
  emit(event: StudioEvent): Promise<void>;
  /** The studio goes away, or comes back. */
  link(state: LinkState): Promise<void>;
}

/** Answers calls from plain functions; a call without one is `not_found`. `sent` answers what is uploaded: as a rule no picture. */
export function fakeStudio(
  answers: Answers,
  sent: (name: string, purpose: Parameters<Transport['upload']>[2]) => Result<object> | Promise<Result<object>> = () =>
    fail('unsupported_media', 'not a picture'),
): FakeStudio {
  const listeners = new Set<(event: StudioEvent) => void>();
  const links = new Set<(state: LinkState) => void>();
  const calls: FakeStudio['calls'] = [];
  setTransport({
    host: 'electron',
    async call(name, input) {
      calls.push({ name, input });
      const answer = answers[name as CallName] as ((input: unknown) => unknown) | undefined;
      if (!answer) return fail('not_found', `no ${name} here`);
      const value = await answer(input);
      const isResult = typeof value === 'object' && value !== null && 'ok' in value;
      return isResult ? (value as Result<unknown>) : ok(value);
    },
    subscribe(onEvent, onLink) {
      listeners.add(onEvent);
      links.add(onLink);
      onLink('up');
    },
    mediaUrl: (id) => `/media/${id}`,
    upload: async (_, name, purpose) => sent(name, purpose) as never,
    writeFilm: async () => fail('not_found', 'no film is made here'),
  });
  startEvents();
  const inputsOf = (name: CallName) =>
    calls.filter((entry) => entry.name === name).map(({ input }) => input as { requestKey?: string });
  return {
    calls,
    callsOf: (name) => inputsOf(name).map(({ requestKey: _, ...input }) => input),
    keysOf: (name) => inputsOf(name).map(({ requestKey }) => requestKey),
    emit: (event) =>
      acting(async () => {
        for (const listener of [...listeners]) listener(event);
        // The cache has it a task later.
        await (vi.isFakeTimers() ? vi.advanceTimersByTimeAsync(0) : new Promise((done) => setTimeout(done)));
      }),
    link: (state) =>
      acting(() => {
        for (const listener of [...links]) listener(state);
      }),
  };
}

let shown: Root | undefined;

/** Renders, instead of what was shown before, and lets effects and answers settle. */
export async function show(element: ReactNode): Promise<HTMLElement> {
  await acting(async () => shown?.unmount());
  const place = document.createElement('div');
  document.body.replaceChildren(place);
  const root = createRoot(place);
  shown = root;
  // React, which files share, remembers a mouse button that one of them held last.
  place.dispatchEvent(new Event('mouseup'));
  // The person comes here.
  window.dispatchEvent(new Event('pointerdown'));
  await acting(async () => root.render(element));
  return document.body;
}

/** Renders over a studio that answers so. */
export async function showOver(
  element: ReactNode,
  ...given: Partial<Parameters<typeof fakeStudio>>
): Promise<FakeStudio> {
  const [answers = {}, ...rest] = given;
  const studio = fakeStudio(answers, ...rest);
  await show(element);
  return studio;
}

/** Each key that stands on a control works; and a page that outlives its test answers into the next one, or into nothing. */
afterEach(async () => {
  const unanswered = unansweredKeys(document);
  await acting(async () => shown?.unmount());
  expect(unanswered, 'keys that are printed and do nothing').toEqual([]);
});

/** Waits until the assertion holds. */
export async function until(assertion: () => unknown): Promise<void> {
  await vi.waitFor(assertion, { timeout: PATIENCE_MS, interval: 5 });
}

/** The element whose accessible text (label or content) is or contains the given one. */
export function byText(text: string, selector = 'button'): HTMLElement {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const found = all.find((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').includes(text));
  if (!found) throw new Error(`no ${selector} says “${text}”; there are: ${all.map((e) => e.textContent).join(' | ')}`);
  return found;
}

/** With keys `held`, where there are any: an event that a test makes is not taken for a press by every part. */
export const click = (element: HTMLElement, held?: MouseEventInit): Promise<void> =>
  acting(async () => {
    if (held) element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...held }));
    else element.click();
  });

/** Clicks what is called so, once it is there. */
export async function clickOn(text: string, selector?: string): Promise<void> {
  await until(() => byText(text, selector));
  await click(byText(text, selector));
}

export const press = (key: string, init: KeyboardEventInit = {}, target: EventTarget = document.body): Promise<void> =>
  acting(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
  });

/** Drops or pastes files, with the words that come along. */
export const give = async (
  type: 'drop' | 'paste',
  target: EventTarget,
  files: readonly File[],
  text = '',
): Promise<Event> => {
  const event = new Event(type, { bubbles: true, cancelable: true });
  const types = [...(files.length > 0 ? ['Files'] : []), ...(text === '' ? [] : ['text/plain'])];
  const given = { files, items: [], types, getData: () => text };
  Object.assign(event, type === 'drop' ? { dataTransfer: given } : { clipboardData: given });
  await acting(() => target.dispatchEvent(event));
  return event;
};

/** Lets go of a key. */
export const release = (key: string, target: EventTarget = document.body): Promise<void> =>
  acting(async () => {
    target.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true, cancelable: true }));
  });

/** Scrolls a list to so many pixels from its top. */
export const scroll = (element: HTMLElement, top: number): Promise<void> =>
  acting(async () => {
    element.scrollTop = top;
    element.dispatchEvent(new Event('scroll'));
  });

/** Types into a field as React hears it. */
export async function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  await acting(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}

export function aJob(more: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    revision: 1,
    kind: 'video',
    state: 'queued',
    request: { kind: 'video', model: 'video-standard', prompt: 'Harbour in rain', config: { durationSeconds: 8 } },
    profileId: 'p',
    model: 'video-standard',
    progress: 0,
    outputs: [],
    money: {
      estimateNano: 3_200_000_000,
      estimateLowNano: 400_000_000,
      reservedNano: 3_200_000_000,
      chargedNano: 0,
      chargedLowNano: 0,
      uncertainNano: 0,
    },
    attempts: [],
    dependsOn: [],
    position: 1,
    createdAt: Date.now(),
    ...more,
  };
}

/** `jobs.list` over these jobs, with its orders, its places in the line and its pages. */
export function jobsPage(all: readonly Job[], filter: CallInput<'jobs.list'>): CallOutput<'jobs.list'> {
  const { states, order, offset = 0, limit = 100 } = filter;
  const waits = ({ state }: Job) => state === 'queued' || state === 'blocked';
  const line = all.filter(waits).sort((a, b) => a.position - b.position);
  const rank = (job: Job) => (waits(job) ? 1 : ['sending', 'running', 'fetching'].includes(job.state) ? 0 : 2);
  const isMeant = ({ state, dependsOn }: Job) =>
    (!states || states.includes(state)) &&
    (filter.waitsFor === undefined || (dependsOn.includes(filter.waitsFor) && !isTerminal(state)));
  const found = all.filter(isMeant);
  const sorted =
    order === 'queue' ? found.toSorted((a, b) => rank(a) - rank(b) || a.position - b.position) : [...found];
  const jobs = sorted.slice(offset, offset + limit);
  if (order !== 'queue') return { jobs, total: found.length };
  return {
    jobs: jobs.map((job) => (waits(job) ? { ...job, place: line.indexOf(job) + 1 } : job)),
    total: found.length,
    waiting: waitingOf(line),
  };
}

/** Which side a job is of is its profile's; the pages' tests have the active one's on theirs. */
function waitingOf(line: readonly Job[]): CallOutput<'jobs.list'>['waiting'] {
  const moneyOf = (jobs: readonly Job[]) => ({
    reservedNano: jobs.reduce((sum, { money }) => sum + money.reservedNano, 0),
    unpriced: jobs.filter(({ money }) => money.unpriced).length,
  });
  const active = isPlayMoney(useStudio.getState().activeProfileId ?? '');
  const isOwn = ({ profileId }: Job) => isPlayMoney(profileId) === active;
  const elsewhere = moneyOf(line.filter((job) => !isOwn(job)));
  return { count: line.length, ...moneyOf(line.filter(isOwn)), elsewhere };
}

/** A video was expected to cost $0.40, and its answer states $0.80; nine more wait for that price. */
export function aMismatch(more: Partial<PriceMismatch> = {}): PriceMismatch {
  return {
    id: 'm1',
    profileId: 'p',
    kind: 'video',
    model: 'video-standard',
    jobId: 'made',
    expectedNano: 400_000_000,
    expectedLowNano: 400_000_000,
    statedNano: 800_000_000,
    statedBy: 'usage.cost',
    at: Date.UTC(2026, 11, 2, 1, 7),
    state: 'open',
    waiting: { count: 9, nowNano: 3_600_000_000, thenNano: 7_200_000_000 },
    adopts: {
      kind: 'video',
      model: 'video-standard',
      readings: [{ unit: 'video', nano: 800_000_000 }],
      settledReading: null,
      source: 'stated by usage.cost on 2026-12-02',
    },
    ...more,
  };
}
