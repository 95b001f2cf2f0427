import { httpError, isNoSuchRoute, transportError } from '../errors/index.ts';
import { type Answer, type Echo, type SubmitRequest, submitRequest } from '../exchange/index.ts';
import { type Json, parsePartialJson } from '../json/index.ts';
import { refused, withStated } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import type { RemoteTask, SubmitOutcome } from '../types.ts';
import { lostAnswerOutcome, submitErrorOutcome, taskOf } from './taskOutcomes.ts';

/** One request of any family, in one spelling. */
export interface Sent {
  outcome: SubmitOutcome;
  /** None where nothing was sent, or nothing came back. */
  answer?: Answer;
  /** The gateway has no such route: nothing was made of the request. */
  hasNoRoute?: boolean;
}

interface Family {
  kind: RemoteTask['kind'];
  echo: Echo;
  /** The earlier task that the request itself is about. */
  baseTaskId?: unknown;
  /** What an answer with a good status came to. */
  read(answer: Answer): SubmitOutcome;
  /** Where the answer may state a cost; its JSON if nothing else is given. */
  documents?(): Json[];
}

/** Sends a request once. */
export async function submitOnce(service: Service, request: SubmitRequest, family: Family): Promise<Sent> {
  const { answer, failure } = await submitRequest(service, request);
  if (failure) return { outcome: refused(transportError(service, failure)) };
  const error = httpError(service, answer);
  if (error) {
    const outcome = submitErrorOutcome(service, family.kind, answer, { ...family, error });
    return { outcome, answer, hasNoRoute: isNoSuchRoute(answer) };
  }
  return { outcome: wholeOutcome(service, answer, family.read(answer), family.documents?.()), answer };
}

/** What is missing of an answer that broke off may be the task. */
export function wholeOutcome(
  service: Service,
  answer: Answer,
  outcome: SubmitOutcome,
  more: Json[] = [],
): SubmitOutcome {
  const isLost = answer.truncatedBy && outcome.type === 'refused';
  return withStated(isLost ? lostAnswerOutcome(service, answer) : outcome, answer, [answer.json, ...more]);
}

/** The task in the complete part of an answer that broke off. */
export function taskInPartialAnswer(
  service: Service,
  { text }: Answer,
  { kind, echo, parse }: Pick<Family, 'kind' | 'echo'> & { parse(part: Json): { id?: string; pollUrl?: string } },
): RemoteTask | undefined {
  const part = parsePartialJson(text);
  const { id, pollUrl } = part === undefined ? {} : parse(part);
  return id === undefined ? undefined : taskOf(service, kind, id, { ...(pollUrl ? { pollUrl } : {}), echo });
}
