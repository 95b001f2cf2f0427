import { expect, test } from 'vitest';
import { memorySettings } from '../../../test/helpers/testPorts.ts';
import { studiosOfThisFile } from '../../../test/helpers/testStudios.ts';
import { activateService, jobAfter, serviceKeys, servicesOfThisFile } from '../../../test/helpers/wireServices.ts';

/** The settings file cannot be written for a while, as where another program holds it, or its disk is full. */

const openStudio = studiosOfThisFile();
const startService = servicesOfThisFile();

function settingsThatHold() {
  const settings = memorySettings();
  const held = { isHeld: false, settings };
  settings.write = ((write) => (key, value) => {
    if (held.isHeld) throw Object.assign(new Error(`EPERM: operation not permitted, rename`), { code: 'EPERM' });
    write(key, value);
  })(settings.write);
  return held;
}

/** Bug: what was learnt from the answer could not be written, and the task of the order was thrown away with it. */
test('an order that is accepted while the settings file is held has its task, and what was learnt is written later', async () => {
  const { baseUrl } = await startService(({ path }) => {
    if (!path.endsWith('/submit/imagine')) return { status: 404, body: {} };
    return { body: { code: 1, result: '1730000000' } };
  });
  const held = settingsThatHold();
  const { studio, ask } = await openStudio({ ports: { keys: serviceKeys(), settings: held.settings } });
  await activateService({ ask }, baseUrl, { imagePrefix: 'mj' });
  const order = () =>
    jobAfter(
      { studio },
      () => ask('jobs.enqueue', { requests: [{ kind: 'imagine', prompt: 'A quay' }] }),
      ({ state }) => state === 'running' || state === 'uncertain',
    );
  held.isHeld = true;
  expect(await order()).toMatchObject({ state: 'running', remoteId: '1730000000' });
  held.isHeld = false;
  expect(held.settings.read('dialects')).toBeUndefined();
  await order();
  expect(held.settings.read('dialects')).toMatchObject({ p: { imageAuthHeader: expect.any(String) } });
});
