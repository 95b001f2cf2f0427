import { openStore } from '../../../src/main/core/store/index.ts';
import { silentLog } from '../../helpers/testPorts.ts';

/**
 * `node openStore.ts DIR`: opens and closes the database of a data folder like every start, migrations included. Prints a line before it
 * begins.
 */
process.stdout.write('It begins.\n');
const opened = openStore({ dataDir: process.argv[2] ?? '', clock: { now: Date.now }, log: silentLog });
if (!opened.ok) throw new Error(opened.error.message);
opened.data.close();
