import Conf from 'conf';
import { createLogger } from '../../src/main/hosts/common/logger.ts';
import { openSettings, SETTINGS_NAME, storeOptions } from '../../src/main/hosts/common/settings.ts';
import type { CallInput, CallName, CallOutput } from '../../src/shared/contract/contract.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import { type TestClock, tempDir } from '../helpers/testPorts.ts';
import { openStudio } from '../helpers/testStudio.ts';
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

export async function openChaosStudio(options: {
  clock: TestClock;
  baseUrl: string;
  key: string;
}): Promise<ChaosStudio> {
  const dataDir = tempDir('chaos');
  const outputs: string[] = [];
  const written = createLogger(dataDir);
  const log = { ...written, warn: written.info, error: written.info };
  const store = () => new Conf({ ...storeOptions(dataDir), configName: SETTINGS_NAME });
  const ports = {
    clock: options.clock,
    settings: openSettings(dataDir, store, options.clock.now, log),
    notifier: { notify: (message: object) => void outputs.push(JSON.stringify(message)) },
    log,
  };
  const opened = await openStudio({ dataDir, ports });
  const { studio, events, close } = opened;
  studio.subscribe((event) => void outputs.push(JSON.stringify(event)));
  const call: ChaosStudio['call'] = async (name, input) => {
    const result = await opened.call(name, input);
    outputs.push(JSON.stringify(result));
    if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
    return result.data;
  };
  const { id } = await call('profiles.save', { name: 'Chaos', baseUrl: options.baseUrl, prices: [IMAGE_PRICE] });
  await call('profiles.setKey', { id, apiKey: options.key });
  await call('profiles.activate', { id });
  return { dataDir, events, outputs, call, close };
}
