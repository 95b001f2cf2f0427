import { expect, test } from 'vitest';
import { parametersOf, promptFound } from './provenance.ts';

/** Bug: the settings of another program become words of the prompt. */
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
});
