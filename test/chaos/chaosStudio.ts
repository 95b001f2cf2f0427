import Conf from 'conf';
import { createStudio, type Studio, sandboxProfile } from '../../src/main/core/createStudio.ts';
import { createLogger } from '../../src/main/hosts/common/logger.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../../src/main/hosts/common/settings.ts';
import type { CallInput, CallName, CallOutput } from '../../src/shared/contract.ts';
import type { StudioEvent } from '../../src/shared/events.ts';
import { memoryKeys, type TestClock, tempDir, testPorts } from '../helpers/testPorts.ts';
import { IMAGE_PRICE } from './requests.ts';

/** A whole studio with a real database, log and settings file, on a test clock. All its output is kept and searched for the key. */
export interface ChaosStudio {
  dataDir: string;
  events: StudioEvent[];
  /** Everything sent to a page, a notification or the log's console. */
  outputs: string[];
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  close(): Promise<void>;
}

/** An address where nothing answers: the built-in sandbox is not part of this. */
const unreachableProfile = sandboxProfile({
  baseUrl: 'http://127.0.0.1:9',
  imagePrefix: 'image',
  vendor: 'v',
  imageAuthHeaders: [],
});

export async function openChaosStudio(options: {
  clock: TestClock;
  baseUrl: string;
  key: string;
}): Promise<ChaosStudio> {
  const dataDir = tempDir('chaos');
  const outputs: string[] = [];
  const events: StudioEvent[] = [];
  const written = createLogger(dataDir);
  const log = { ...written, warn: written.info, error: written.info };
  const store = () => new Conf({ ...storeOptions(dataDir), configName: SETTINGS_NAME });
  const ports = testPorts({
    clock: options.clock,
    keys: memoryKeys(),
    settings: openSettings(dataDir, store, options.clock.now, log),
    notifier: { notify: (message) => void outputs.push(JSON.stringify(message)) },
    log,
  });
  const opened = await createStudio(ports, { dataDir, host: 'browser', version: '0.0.0', sandbox: unreachableProfile });
  if (!opened.ok) throw new Error(opened.error.message);
  const studio: Studio = opened.data;
  studio.subscribe((event) => {
    events.push(event);
    outputs.push(JSON.stringify(event));
  });
  const call: ChaosStudio['call'] = async (name, input) => {
    const result = await studio.call(name, input);
    outputs.push(JSON.stringify(result));
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.data as never;
  };
  const { id } = await call('profiles.save', { name: 'Chaos', baseUrl: options.baseUrl, prices: [IMAGE_PRICE] });
  await call('profiles.setKey', { id, apiKey: options.key });
  await call('profiles.activate', { id });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= studio.close();
    return closing;
  };
  return { dataDir, events, outputs, call, close };
}
