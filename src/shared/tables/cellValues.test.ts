import { expect, test } from 'vitest';
import { wholeNumber, yesOrNo } from './cellValues.ts';

test.each([
  ['4', 4],
  ['4.0', 4],
  ['4,0', 4],
  ['8,00', 8],
  ['4,5', undefined],
  ['1,000', undefined],
  ['1,2,0', undefined],
  [',', undefined],
  ['', undefined],
])('%j holds the number %j', (cell, number) => expect(wholeNumber(cell)).toBe(number));

test.each([
  [
    ['true', 'TRUE', 'WAHR', 'Ja', 'VRAI', 'oui', 'VERDADERO', 'si', 's\u00ed', 'ИСТИНА', 'да', 'はい', '是', '1'],
    true,
  ],
  [['false', 'FALSCH', 'nein', 'FAUX', 'non', 'FALSO', 'FAŁSZ', 'ЛОЖЬ', 'нет', 'YANLIŞ', 'いいえ', '否', '0'], false],
  [['', 'maybe', 'constructor', '2'], undefined],
])('%j say %j', (cells, value) => expect(cells.map(yesOrNo)).toEqual(cells.map(() => value)));
