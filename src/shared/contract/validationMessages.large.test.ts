import { expect, test } from 'vitest';
import type { z } from 'zod';
import { KINDS } from '../kinds/index.ts';
import { mediaRefSchema } from '../library/mediaRef.ts';
import { NOT_TEXT } from '../text/nulCharacters.ts';
import { type CallName, contract } from './contract.ts';
import { parseInput, type Reason } from './result.ts';
import { NO_WORDS } from './validationMessages.ts';

const SCHEMA_WORDS = /expected|received|invalid (input|option|element|key|union)|too (big|small)|unrecognized|zod/i;

const NAMES = Object.keys(contract) as CallName[];

/** Values that most fields refuse. */
const WRONG: unknown[] = [
  undefined,
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.NaN,
  '',
  'nothing that is known here',
  'x'.repeat(200_001),
  [],
  [null],
  Array.from({ length: 11_000 }, () => 1),
  {},
  { nothing: 1 },
];

interface Place {
  path: string[];
  /** An input with this value at the place, and as little else as possible. */
  inputWith: (value: unknown) => unknown;
}

type Def = z.core.$ZodTypes['_zod']['def'];
const defOf = (schema: z.core.$ZodType): Def => (schema as z.core.$ZodTypes)._zod.def;

/** Every place of an input, through objects, lists, records and unions. */
function placesOf(schema: z.core.$ZodType, place: Place, depth = 0): Place[] {
  if (depth > 9) return [place];
  const def = defOf(schema);
  const into = (inner: z.core.$ZodType, name: string, wrap: (value: unknown) => unknown) =>
    placesOf(inner, { path: [...place.path, name], inputWith: (value) => place.inputWith(wrap(value)) }, depth + 1);
  if (def.type === 'object')
    return [
      place,
      ...Object.entries(def.shape).flatMap(([name, inner]) => into(inner, name, (value) => ({ [name]: value }))),
    ];
  if (def.type === 'array') return [place, ...into(def.element, '0', (value) => [value])];
  if (def.type === 'record') return [place, ...into(def.valueType, 'any', (value) => ({ any: value }))];
  if (def.type === 'union') return [place, ...def.options.flatMap((option) => placesOf(option, place, depth + 1))];
  if (def.type === 'pipe') return placesOf(def.in, place, depth + 1);
  if (def.type === 'lazy') return placesOf(def.getter(), place, depth + 1);
  if ('innerType' in def) return placesOf(def.innerType, place, depth + 1);
  return [place];
}

const ROOT: Place = { path: [], inputWith: (value) => value };

/** A request is validated by its kind, which its own schema does not show. */
const requestPlaces = (call: Place): Place[] =>
  Object.values(KINDS).flatMap(({ name, schema }) =>
    placesOf(schema, {
      path: call.path,
      inputWith: (value) =>
        call.inputWith(
          typeof value === 'object' && value !== null && !Array.isArray(value) ? { kind: name, ...value } : value,
        ),
    }),
  );

function reasonsFor(schema: z.ZodType, input: unknown): Reason[] {
  const answer = parseInput(schema, input);
  return answer.ok ? [] : (answer.error.data?.reasons as Reason[]);
}

function poorReasons(name: CallName): string[] {
  const schema = contract[name].input;
  const places = placesOf(schema, ROOT);
  const requests = places.filter(({ path }) => path.at(-1) === '0' && path.at(-2) === 'requests');
  const poor = new Set<string>();
  for (const { path, inputWith } of [...places, ...requests.flatMap(requestPlaces)]) {
    for (const wrong of WRONG) {
      for (const { field, message } of reasonsFor(schema, inputWith(wrong)))
        if (
          SCHEMA_WORDS.test(message) ||
          message.includes(NO_WORDS) ||
          message.trim() === '' ||
          /undefined/.test(message)
        )
          poor.add(`${name} ${path.join('.')}: ${field}: ${message}`);
    }
  }
  return [...poor];
}

test.each(NAMES)('%s: what is wrong is a rule in words', (name) => {
  expect(poorReasons(name)).toEqual([]);
});

test.each([
  ['projects.create', {}, 'name: is missing; it must be text'],
  ['projects.create', 'a name', 'The input must be an object with named fields.'],
  ['chat.create', { model: 7 }, 'model: must be text'],
  ['jobs.enqueue', { requests: [{ kind: 'chat', model: 'm' }] }, 'requests.0.messages: is missing; it must be a list'],
  ['library.import', {}, 'path: is missing; it must be text'],
] as const)('%s: a refusal names the field and the rule', (name, input, sentence) => {
  const answer = parseInput(contract[name].input, input);
  expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  if (!answer.ok) expect(answer.error.message).toContain(sentence);
});

test.each([
  [{ uri: 5 }, 'uri'],
  [{ assetId: 'a', more: 1 }, 'more'],
  [{ jobId: 'j', frame: 'first' }, 'frame'],
  [{}, ''],
  ['a1', ''],
])('of several forms the fault is that of the one that was meant: %j', (ref, field) => {
  const [reason] = reasonsFor(mediaRefSchema, ref);
  expect(reason?.field).toBe(field);
  if (field === '') expect(reason?.message).toContain('{ assetId }');
});

const SHOT = { id: 's', prompt: 'the sea' };

test.each([
  ['projects.create', { name: 'a\0b' }, 'name'],
  ['projects.rename', { id: 'p', name: 'a\0b' }, 'name'],
  [
    'storyboard.save',
    { projectId: 'p', revision: 0, shots: [SHOT, { ...SHOT, id: 't', prompt: '\0' }] },
    'shots.1.prompt',
  ],
  ['storyboard.makeTake', { projectId: 'p', shotId: 's\0' }, 'shotId'],
  ['storyboard.makeTake', { projectId: 'p', shotId: 's', added: { shot: { title: '\0' } } }, 'added.shot.title'],
  ['film.addShots', { projectId: 'p', shots: [{ prompt: 'x\0' }] }, 'shots.0.prompt'],
  ['chat.send', { conversationId: 'c', text: 'x\0y' }, 'text'],
  ['jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'x\0y' }] }, 'requests.0.prompt'],
  ['library.import', { path: '/tmp/a\0.png' }, 'path'],
  ['profiles.save', { name: 'a\0', baseUrl: 'https://gateway.example' }, 'name'],
] as const)('%s: a text with NUL is refused: %j', (name, input, field) => {
  expect(parseInput(contract[name].input, input)).toMatchObject({
    ok: false,
    error: { code: 'invalid_input', message: `${field}: ${NOT_TEXT}`, data: { field } },
  });
});

test('the reader of a whole file says itself where in it a NUL stands', () => {
  const input = { projectId: 'p', text: 'title\n\0', format: 'csv' };
  expect(parseInput(contract['film.readShots'].input, input)).toMatchObject({ ok: true });
  expect(parseInput(contract['film.readShots'].input, { ...input, projectId: 'p\0' }).ok).toBe(false);
});
