/** JSON as services write it: parsed within bounds, with its fields in any spelling. */

export { field, fold, isObject, layersOf, listOf, textOf, wordsOf } from './fields.ts';
export {
  type Json,
  type JsonObject,
  MAX_LIST_VALUES,
  parseJson,
  parsePartialJson,
  unwrapText,
  valuesIn,
} from './parse.ts';
