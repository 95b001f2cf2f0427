import { expect, test } from 'vitest';
import { takeEnvironmentKey } from './hostPorts.ts';

test('the key is removed from the environment, so that no child process inherits it', () => {
  const env: NodeJS.ProcessEnv = { DAILIES_API_KEY: 'sk-0123\n', PATH: '/bin' };
  expect(takeEnvironmentKey(env)).toBe('sk-0123\n');
  expect(env).toEqual({ PATH: '/bin' });
  expect(takeEnvironmentKey({ DAILIES_API_KEY: '  ' })).toBeUndefined();
});
