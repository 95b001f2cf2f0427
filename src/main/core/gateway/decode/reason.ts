import { type Fault, faultOf } from './fault.ts';
import { type Json, layersOf } from './json.ts';

/** Why a task failed: what the answer says of it, or else what its result object says. */
export function reasonOf(body: Json | undefined): Fault {
  const said = faultOf(body);
  if (said.message !== '') return said;
  const inner = layersOf(body)
    .map((layer) => faultOf(layer))
    .find(({ message }) => message !== '');
  return inner ? { ...inner, words: [...inner.words, ...said.words] } : said;
}
