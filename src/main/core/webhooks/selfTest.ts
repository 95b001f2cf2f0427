import { request } from 'node:http';
import type { SelfTest, SelfTestStep } from '../../../shared/gateway/webhookCalls.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Clock } from '../ports.ts';

/** Calls the receiver as a gateway would, through the profile's public address if it has one, and reports each guarantee. */

export interface SelfTestDeps {
  clock: Clock;
  /** A new address and a wrong one; `calls` counts the calls of the right one, `end` removes both. */
  open(): { right: string; wrong: string; local: string; calls(): number; end(): void };
  isPublic: boolean;
}

/** A slow tunnel is no fault of the receiver. */
const ANSWER_MS = 10_000;
/** A gateway may stop waiting for an answer after this time. */
const PROMPT_MS = 2_000;
const LARGE_BYTES = 8 * 1024 * 1024;
const BODY = JSON.stringify({ status: 'SUCCESS' });

export async function runSelfTest(deps: SelfTestDeps): Promise<SelfTest['steps']> {
  const at = deps.open();
  const steps: SelfTestStep[] = [];
  const timed = async (name: SelfTestStep['name'], look: () => Promise<Omit<SelfTestStep, 'name' | 'ms'>>) => {
    const startedAt = deps.clock.now();
    const result = await look();
    steps.push({ name, ...result, ms: deps.clock.now() - startedAt });
    return result.ok;
  };
  try {
    let status: number | string = 0;
    await timed('sent', async () => {
      status = await post(at.right);
      const ok = typeof status === 'number';
      return { ok, message: ok ? t`Sent to ${whereOf(deps)}.` : t`Nothing answers at ${whereOf(deps)}: ${status}.` };
    });
    const arrived = await timed('arrived', async () => arrivedStep(deps, at.calls(), status));
    // If nothing arrives from outside, the receiver itself is still tested.
    const right = arrived ? at.right : local(at.local, at.right);
    await timed('right', () => rightStep(right, at.calls));
    await timed('wrong', () => wrongStep(arrived ? at.wrong : local(at.local, at.wrong), at.calls));
    await timed('twice', () => twiceStep(right, at.calls));
    await timed('large', () => largeStep(local(at.local, at.right)));
    return steps;
  } finally {
    at.end();
  }
}

const whereOf = ({ isPublic }: SelfTestDeps): string => (isPublic ? 'the public base' : 'the receiver on this machine');

/** A tunnel may have a path in front of the receiver's. */
const prefixLength = (url: string): number => new URL(url).pathname.lastIndexOf('/hooks/');
const local = (base: string, url: string): string => base + new URL(url).pathname.slice(prefixLength(url));

function arrivedStep({ isPublic }: SelfTestDeps, calls: number, status: number | string) {
  if (calls > 0) return { ok: true, message: t`The call reached the receiver.` };
  const message = isPublic
    ? t`The call did not arrive (${status}). The tunnel leads elsewhere.`
    : t`The receiver on this computer did not accept the call.`;
  return { ok: false, message };
}

async function rightStep(url: string, calls: () => number) {
  const before = calls();
  const status = await post(url);
  const ok = status === 204 && calls() === before + 1;
  const message = ok
    ? t`Right secret: answered 204, one status check.`
    : t`Right secret: answered ${status}, ${calls() - before} status checks.`;
  return { ok, message };
}

async function wrongStep(url: string, calls: () => number) {
  const before = calls();
  const status = await post(url);
  const ok = status === 204 && calls() === before;
  const message = ok
    ? t`Wrong secret: answered 204, nothing changed.`
    : t`Wrong secret: answered ${status}, ${calls() - before} status checks.`;
  return { ok, message };
}

/** A call only triggers a poll, so a repeat does no harm; it must be answered as promptly. */
async function twiceStep(url: string, calls: () => number) {
  const before = calls();
  const startedAt = performance.now();
  const answers = await Promise.all([post(url), post(url)]);
  const isPrompt = performance.now() - startedAt < 2 * PROMPT_MS;
  const ok = answers.every((status) => status === 204) && calls() === before + 2 && isPrompt;
  const message = ok
    ? t`Same call twice: both answered, nothing fetched twice.`
    : t`Same call twice: answered ${answers.join(' and ')}.`;
  return { ok, message };
}

/** Sent locally: a tunnel may drop the body. */
async function largeStep(url: string) {
  const { status, sent } = await postLarge(url);
  const ok = sent < LARGE_BYTES;
  const shown = Math.ceil(sent / 1024 / 1024);
  const message = ok
    ? t`A body of 8 MB: answered ${status}, closed after ${shown} MB.`
    : t`A body of 8 MB was accepted.`;
  return { ok, message };
}

/** The status of the answer, or the reason why there is none. Sends no key and no cookie, and follows no redirects. */
async function post(url: string): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: BODY, redirect: 'manual', signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name: string };
    return cause?.code ?? (name === 'TimeoutError' ? 'no answer in 10 s' : 'no connection');
  }
}

/** Sends until the receiver closes; returns how much was sent. */
function postLarge(url: string): Promise<{ status: number; sent: number }> {
  return new Promise((done) => {
    let status = 0;
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, 0x20);
    const call = request(url, { method: 'POST', headers: { 'content-length': LARGE_BYTES } }, (response) => {
      status = response.statusCode ?? 0;
      response.resume();
    });
    const end = () => {
      clearTimeout(timer);
      call.destroy();
      done({ status, sent });
    };
    const timer = setTimeout(end, ANSWER_MS);
    const write = () => {
      if (sent >= LARGE_BYTES) return void call.end(end);
      call.write(piece, (error) => {
        if (error) return;
        sent += piece.length;
        setImmediate(write);
      });
    };
    call.on('error', end);
    call.on('close', end);
    write();
  });
}
