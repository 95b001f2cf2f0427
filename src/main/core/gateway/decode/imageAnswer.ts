import type { ErrorKind } from '../../../../shared/job.ts';
import type { RemoteOutput } from '../types.ts';
import type { Reading } from './address.ts';
import { explicitFault, type Fault, faultOf } from './fault.ts';
import { imagesIn, pictureAddress } from './imageOutputs.ts';
import { field, isObject, type Json, layersOf, textOf } from './json.ts';
import { kindOf } from './kind.ts';
import { taskIdIn } from './links.ts';
import { oddlyPlaced } from './oddlyPlaced.ts';
import { progressOf, type Stand, standOf } from './status.ts';
import { bareId, pollUrlOf, taskIdOf } from './taskId.ts';

/** All that an answer about an image task says. */
export interface ImageReading {
  stand: Stand;
  outputs: RemoteOutput[];
  id?: string;
  pollUrl?: string;
  progress?: number;
  fault?: Fault;
  /** A refusal by one of the family's own codes. */
  refusal?: Refusal;
}

export interface Refusal {
  kind: ErrorKind;
  /** A later, identical order may go through. */
  retryable: boolean;
  fault: Fault;
}

export function readImage(body: Json, reading: Reading): ImageReading {
  const stand = standOf(body);
  const id = bareId(body) ?? (typeof body === 'string' ? taskIdIn(body) : taskIdOf(body));
  const refusal = refusalByCode(body);
  return {
    stand,
    outputs: outputsIn(body, stand, reading),
    id,
    pollUrl: pollUrlOf(body),
    progress: progressOf(body),
    fault: acceptedByCode(body) ? undefined : (refusal?.fault ?? explicitFault(body)),
    refusal,
  };
}

function outputsIn(body: Json, stand: Stand, reading: Reading): RemoteOutput[] {
  const found = imagesIn(body, reading);
  if (found.length > 0 || stand.state !== 'succeeded') return found;
  const odd = oddlyPlaced(body, new Set(['video', 'mask', 'base']), (text) => pictureAddress(text, reading));
  return odd === undefined ? [] : [{ uri: odd, role: 'output' }];
}

/** `{ code, description, result }`: the codes of this family that mean the order was taken: accepted, known already, queued. */
const ACCEPTED_CODES = new Set([1, 21, 22]);

/** … and those that mean it was not: no account, invalid or no quota, queue full, banned prompt, saturated. */
const REFUSAL_CODES: ReadonlyMap<number, { kind: ErrorKind; retryable: boolean; alone: boolean }> = new Map([
  [3, { kind: 'server', retryable: true, alone: false }],
  [4, { kind: 'invalid', retryable: false, alone: false }],
  [23, { kind: 'rate_limit', retryable: true, alone: true }],
  [24, { kind: 'moderation', retryable: false, alone: true }],
  [30, { kind: 'rate_limit', retryable: true, alone: true }],
]);

function codeOf(body: Json): number | undefined {
  const code = textOf(field(body, 'code'));
  return code !== undefined && /^\d{1,2}$/.test(code) ? Number(code) : undefined;
}

function acceptedByCode(body: Json): boolean {
  return ACCEPTED_CODES.has(codeOf(body) ?? -1);
}

function refusalByCode(body: Json): Refusal | undefined {
  const known = REFUSAL_CODES.get(codeOf(body) ?? -1);
  const ofFamily = known?.alone || field(body, 'description') !== undefined || (isObject(body) && 'result' in body);
  if (!known || !ofFamily) return undefined;
  const fault = faultOf(body);
  const told = kindOf({ ...fault, words: [fault.message.slice(0, 80)] }, 0);
  const kind =
    known.kind === 'invalid' && (told === 'quota' || told === 'auth' || told === 'moderation') ? told : known.kind;
  return { kind, retryable: known.retryable, fault };
}

/** Whether an answer without a state, a picture or an error is about a task at all. */
export function isAboutTask(body: Json, id: string): boolean {
  return layersOf(body).some((layer) =>
    Object.entries(layer).some(
      ([name, value]) =>
        /progress|status|state|jobid|taskid|prompt/i.test(name.replace(/_/g, '')) || textOf(value) === id,
    ),
  );
}
