import { openStore } from '../../../src/main/core/store/index.ts';
import { silentLog } from '../../helpers/testPorts.ts';

/** `node openStore.ts DIR`: opens the database of a data folder as every start does, migrations included, and closes it. Before it begins, it says so. */
process.stdout.write('It begins.\n');
const opened = openStore({ dataDir: process.argv[2] ?? '', clock: { now: Date.now }, log: silentLog });
if (!opened.ok) throw new Error(opened.error.message);
opened.data.close();
