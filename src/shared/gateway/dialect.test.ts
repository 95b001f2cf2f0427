import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  DIALECT,
  type DialectDraft,
  dialectDraft,
  dialectInput,
  inputFields,
  removableNames,
  storedFields,
} from './dialect.ts';
import { profileInputSchema, profileSchema } from './profile.ts';

/** The table with two more rows, one with a default and one optional. */
const TABLE = {
  ...DIALECT,
  soundPrefix: {
    schema: z.string('must be text').min(1, 'must not be empty'),
    default: 'sound',
    label: 'Sound prefix',
    place: 'format',
    control: { as: 'text' },
  },
  soundPollPath: {
    schema: z.string('must be text').startsWith('/', 'must start with one /'),
    label: 'Sound poll path',
    place: 'format',
    control: { as: 'text' },
  },
} as const;

test('a line of the table is a field of the profile, of the save, and of the draft', () => {
  const stored = z.object(storedFields(TABLE));
  const profile = stored.parse({});
  expect(profile).toMatchObject({ soundPrefix: 'sound', imagePrefix: 'image' });
  expect(profile.soundPollPath).toBeUndefined();

  const input = z.strictObject(inputFields(TABLE)).partial();
  expect(input.parse({ soundPollPath: '' })).toEqual({ soundPollPath: null });
  expect(input.safeParse({ soundPrefix: '' }).success).toBe(false);
  expect(removableNames(TABLE)).toEqual(['videoPollPath', 'webhookBase', 'soundPollPath']);

  const draft: DialectDraft<typeof TABLE> = dialectDraft(TABLE, { ...profile, soundPollPath: '/v1/sounds' });
  expect(draft).toMatchObject({ soundPrefix: 'sound', soundPollPath: '/v1/sounds', webhookBase: '' });
  expect(dialectInput(TABLE, { ...draft, soundPollPath: ' ' })).toMatchObject({
    soundPrefix: 'sound',
    soundPollPath: null,
    webhookBase: null,
  });
});

test('the profile and its save hold every line, so that no save resets one', () => {
  const names = Object.keys(DIALECT);
  expect(Object.keys(profileSchema.shape)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(profileInputSchema.shape)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(dialectInput(DIALECT, dialectDraft(DIALECT, {})))).toEqual(names);
});
