import { expect, test } from 'vitest';
import { PROVENANCE_KEY } from '../film/filmTask.ts';
import { parametersOf, promptFound, promptsFound, provenanceInTexts, provenanceOfFilm } from './provenance.ts';

test('of what a file says only the words of its prompt are recalled', () => {
  const parameters = 'A quay at night,\nrain\nNegative prompt: people\nSteps: 20, Seed: 7';
  expect(promptFound({ c2pa: false, parameters })).toBe('A quay at night,\nrain');
  const own = parametersOf({
    version: 1,
    kind: 'imagine',
    prompt: 'A pier',
    seed: 7,
    sourceType: 'trainedAlgorithmicMedia',
  });
  expect(promptFound({ c2pa: false, parameters: own })).toBe('A pier');
  expect(promptFound({ c2pa: true })).toBeUndefined();
  expect(promptFound({ c2pa: false, parameters: 'Steps: 20' })).toBeUndefined();
  expect(promptFound({ c2pa: false, parameters: '{"sui_image_params":{"prompt":"A pier"}}' })).toBe('A pier');
  expect(promptFound({ c2pa: false, parameters: '{"seed": 42, "nodes": [' })).toBeUndefined();
});

test('of a film the words of each shot are recalled, in their order', () => {
  const made = { version: 1 as const, kind: 'video', sourceType: 'trainedAlgorithmicMedia' as const };
  const film = provenanceOfFilm([
    { number: 1, made: { ...made, prompt: 'A quay at night' } },
    { number: 2, made: undefined },
    { number: 3, made: { ...made, prompt: ' ' } },
    { number: 4, made: { ...made, prompt: 'A ferry\u202e leaves' } },
  ]);
  const found = provenanceInTexts([{ keyword: PROVENANCE_KEY, text: film?.json ?? '' }], false);
  expect(promptsFound(found)).toEqual(['A quay at night', 'A ferry‹U+202E› leaves']);
});

test('of any other file it is the one prompt, and shots that are none are ignored', () => {
  const said = (json: object) => provenanceInTexts([{ keyword: PROVENANCE_KEY, text: JSON.stringify(json) }], false);
  const own = { version: 1, kind: 'video', prompt: 'A pier', sourceType: 'trainedAlgorithmicMedia' };
  expect(promptsFound(said(own))).toEqual(['A pier']);
  for (const shots of ['many', [{ number: 1 }], Array(501).fill({ number: 1, prompt: 'Sea' })])
    expect(promptsFound(said({ ...own, shots }))).toEqual(['A pier']);
  expect(promptsFound({ c2pa: true })).toEqual([]);
});

test('what is recalled is never longer than a prompt may be', () => {
  const text = JSON.stringify({
    version: 1,
    kind: 'film',
    prompt: '\u202e'.repeat(100_000),
    sourceType: 'trainedAlgorithmicMedia',
    shots: [{ number: 1, prompt: '\u202e'.repeat(100_000) }],
  });
  const found = provenanceInTexts([{ keyword: PROVENANCE_KEY, text }], false);
  expect([found.provenance?.prompt.length, promptsFound(found)[0]?.length]).toEqual([100_000, 100_000]);
});
