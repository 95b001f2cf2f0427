import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../kinds/video.ts';
import { UINT32_MAX } from '../kinds/videoConfig.ts';
import { formatCount } from '../text/texts.ts';

/** Cell values and rules that tables of shots and of requests share. */

/**
 * The whole number in a cell, from 0 on; undefined for anything else. A comma is a decimal separator, `4,0`; three digits after it could be
 * thousands and are refused.
 */
export function wholeNumber(cell: string): number | undefined {
  const [, decimals] = cell.split(',');
  const plain = decimals?.length === 3 ? cell : cell.replace(',', '.');
  const value = [...plain].every((character) => '0123456789.'.includes(character)) ? Number(plain) : Number.NaN;
  return cell !== '' && Number.isSafeInteger(value) ? value : undefined;
}

/** In English, and as spreadsheets and people write it in other languages. */
const YES = new Set(
  `true yes y on 1 wahr ja vrai oui verdadero sí si vero sì verdadeiro sim waar prawda tak sant sand sann tosi kyllä pravda ano
  igaz igen doğru evet истина да істина так αληθησ ναι adevărat da 真 是 はい 참 예`.split(/\s+/),
);
const NO = new Set(
  `false no n off 0 falsch nein faux non falso falso não onwaar nee fałsz nie falskt nej falsk usann nei epätosi ei nepravda ne
  hamis nem yanlış yanliş hayır ложь нет хибність ні ψευδησ οχι όχι fals nu 假 否 いいえ 거짓 아니요`.split(/\s+/),
);

export const yesOrNo = (cell: string): boolean | undefined => {
  const word = cell.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
};

export const LENGTH_RULE = `must be ${GENERATION_SECONDS.join(', ')}, or ${EXTENSION_SECONDS} when extending.`;
export const SEED_RULE = `must be a whole number from 0 to ${formatCount(UINT32_MAX)}.`;
export const YES_NO_RULE = 'must be true or false.';
/** Longer names are cut in messages: a file that is no table may have any. */
export const MAX_PRINTED_NAME = 40;

/** Field names of requests that tables and JSON lines may use for our columns. */
const ALIASES: Readonly<Record<string, string>> = {
  durationSeconds: 'seconds',
  aspectRatio: 'aspect',
  referenceImages: 'references',
  lastFrame: 'last_frame',
  generateAudio: 'audio',
  sampleCount: 'samples',
};

const BY_KEY = new Map(Object.entries(ALIASES).map(([field, column]) => [field.toLowerCase(), column]));

/** The column of a request field, or the name itself. */
export const columnOfField = (name: string): string => (Object.hasOwn(ALIASES, name) && ALIASES[name]) || name;

/** The same for a lower-case header, whatever separates its words. */
export const columnOfHeader = (name: string): string => BY_KEY.get(name.replace(/[\s_-]/g, '')) ?? name;
