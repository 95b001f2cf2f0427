import { type AddressContext, findAnyUrls, isPlainlyMedia, pictureAddress, taskIdIn } from '../../addresses/index.ts';
import { errorKindOf, explicitError, nestedError, serviceErrorOf } from '../../errors/index.ts';
import { field, isObject, type Json, textOf } from '../../json/index.ts';
import {
  type ParsedAnswer,
  plainId,
  pollUrlOf,
  progressOf,
  type Refusal,
  type TaskStatus,
  taskIdOf,
  taskStatusOf,
} from '../../tasks/index.ts';
import type { RemoteOutput } from '../../types.ts';
import { imagesIn } from './imageOutputs.ts';
import { withheldBy } from './withheld.ts';

export function parseImage(body: Json, context: AddressContext): ParsedAnswer {
  const taskStatus = taskStatusOf(body);
  const id = plainId(body) ?? (typeof body === 'string' ? taskIdIn(body) : taskIdOf(body));
  const outputs = outputsIn(body, taskStatus, context);
  const byCode = refusalByCode(body);
  const serviceError = byCode?.serviceError ?? explicitError(body) ?? nestedError(body);
  const isToldOtherwise = outputs.length > 0 || serviceError !== undefined || acceptedByCode(body);
  const refusal = byCode ?? (isToldOtherwise ? undefined : withheldBy(body));
  return {
    taskStatus,
    outputs,
    id,
    pollUrl: pollUrlOf(body),
    progress: progressOf(body),
    serviceError: acceptedByCode(body) ? undefined : (serviceError ?? refusal?.serviceError),
    refusal,
  };
}

function outputsIn(body: Json, taskStatus: TaskStatus, context: AddressContext): RemoteOutput[] {
  const found = imagesIn(body, context);
  if (found.length > 0 || taskStatus.state !== 'succeeded') return found;
  const urls = findAnyUrls(body, new Set(['video', 'mask', 'base']), (text) => {
    const uri = pictureAddress(text, context);
    return uri !== undefined && isPlainlyMedia(uri) ? uri : undefined;
  });
  return urls.map((uri) => ({ uri, role: 'output' }));
}

/** `{ code, description, result }`: codes of Midjourney proxies for an accepted request: accepted, already known, queued. */
const ACCEPTED_CODES = new Set([1, 21, 22]);
/** Their codes for a refused request. */
const REFUSED_CODES = new Set([3, 4, 9, 23, 24, 30]);
/** Codes that no other family uses. */
const UNIQUE_CODES = new Set([23, 24, 30]);

function codeOf(body: Json): number | undefined {
  const code = textOf(field(body, 'code'));
  return code !== undefined && /^\d{1,2}$/.test(code) ? Number(code) : undefined;
}

function acceptedByCode(body: Json): boolean {
  return ACCEPTED_CODES.has(codeOf(body) ?? -1);
}

/** The refusal that a code of this family means; its numeric code gets the family's name. */
function refusalByCode(body: Json): Refusal | undefined {
  const code = codeOf(body);
  const isOfFamily = field(body, 'description') !== undefined || (isObject(body) && 'result' in body);
  if (code === undefined || !(isOfFamily || UNIQUE_CODES.has(code))) return undefined;
  const error = serviceErrorOf(body);
  const serviceError = { ...error, numericCodes: [`midjourney.code=${code}`, ...(error.numericCodes ?? [])] };
  return REFUSED_CODES.has(code) ? { kind: errorKindOf(serviceError, 0), serviceError } : undefined;
}
