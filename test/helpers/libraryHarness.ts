import { Readable } from 'node:stream';
import { createCoreEvents } from '../../src/main/core/coreEvents.ts';
import { LibraryLocation } from '../../src/main/core/library/content/location.ts';
import { Library } from '../../src/main/core/library/library.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';
import type { Asset } from '../../src/shared/library/asset.ts';
import { openTestStore } from './emptyDatabase.ts';
import { countingIds, silentLog, TestClock, tempDir } from './testPorts.ts';

/** The library of a data folder, without an engine. */
export function libraryIn(dataDir = tempDir('library')) {
  const [clock, location] = [new TestClock(), new LibraryLocation(dataDir)];
  const store = openTestStore({ dataDir, clock });
  const events: StudioEvent[] = [];
  /** Assets whose media tasks have ended. */
  const derived: string[] = [];
  const coreEvents = createCoreEvents();
  coreEvents.on('mediaTask.ended', (assetId) => void derived.push(assetId));
  const parts = { store, clock, ids: countingIds(), log: silentLog, location };
  const library = new Library({
    namedBy: [],
    ...parts,
    emit: (event) => void events.push(event),
    gatewayFor: async () => null,
    downloadsAtOnce: () => 1,
    events: coreEvents,
  });
  /** Adds a file as a page does. */
  const add = async (name: string, bytes: Uint8Array): Promise<Asset> => {
    const asset = await library.upload({ name, body: Readable.from([bytes]) });
    if (!asset.ok) throw new Error(asset.error.message);
    return asset.data;
  };
  return { dataDir, clock, location, store, parts, events, derived, library, mediaWork: library.mediaWork, add };
}
