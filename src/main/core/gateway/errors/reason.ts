import { deeperObjects } from '../addresses/nestedObjects.ts';
import { field, type Json, layersOf, textOf } from '../json/json.ts';
import { isFailure } from '../tasks/status.ts';
import { type Fault, faultOf, isAllRight } from './serviceError.ts';

/**
 * Why a task failed: what the answer says of it, or else what its result object says, or else what a result further in says that failed,
 * or else the bare code of its failure.
 */
export function reasonOf(body: Json | undefined): Fault {
  const said = faultOf(body);
  if (said.message !== '') return said;
  const inner = layersOf(body)
    .map((layer) => faultOf(layer))
    .concat(
      deeperObjects(body ?? null)
        .filter(isFailure)
        .map((layer) => faultOf(layer)),
    )
    .find(({ message }) => message !== '');
  return inner ? { ...inner, words: [...inner.words, ...said.words] } : { ...said, message: codeOf(body) };
}

const CODE_FIELDS = ['failureCode', 'failCode', 'errorCode', 'errCode'];
/** A number says nothing to a reader. */
const IN_WORDS = /^[a-z][a-z_.-]{3,79}$/i;

function codeOf(body: Json | undefined): string {
  const codes = layersOf(body).map((layer) => textOf(field(layer, ...CODE_FIELDS)) ?? '');
  return codes.find((code) => IN_WORDS.test(code) && !isAllRight(code)) ?? '';
}
