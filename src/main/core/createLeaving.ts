import { Bundles } from './bundle/index.ts';
import type { ChatFiles } from './chat/index.ts';
import type { CoreEvents } from './coreEvents.ts';
import { freeBytesOf } from './dataFolder.ts';
import type { Exports } from './exports/index.ts';
import { Film, type MovieTasks } from './film/index.ts';
import type { Imports } from './imports/index.ts';
import type { Engine } from './jobs/index.ts';
import { BundledFiles, type Library, type LibraryPlace, type Verifier } from './library/index.ts';
import type { Ports, StudioOptions } from './ports.ts';
import type { Profiles } from './profiles/index.ts';
import type { createSecretGuard } from './secrets/index.ts';
import type { Store } from './store/index.ts';
import type { Storyboard } from './storyboard/index.ts';

interface LeavingParts {
  ports: Ports;
  options: StudioOptions;
  store: Store;
  dataDir: string;
  place: LibraryPlace;
  clock: Ports['clock'];
  ids: Ports['ids'];
  log: Ports['log'];
  engine: Engine;
  library: Library;
  verifier: Verifier;
  profiles: Profiles;
  storyboard: Storyboard;
  chatFiles: ChatFiles;
  imports: Imports;
  exports: Exports;
  secrets: ReturnType<typeof createSecretGuard>;
}

/** The two ways in which a film leaves: in the forms of others, and as one file that Dailies opens again. */
export const createLeaving = ({
  movies,
  events,
  ...parts
}: LeavingParts & { movies: MovieTasks; events: CoreEvents }) => {
  const { library, exports, storyboard, clock, engine } = parts;
  const getJob = (id: string) => engine.queries.get(id);
  const film = new Film({ movies, library, exports, storyboard, events, clock, getJob });
  return { film, bundles: createBundles(parts) };
};

function createBundles({
  ports,
  options,
  engine,
  library,
  profiles,
  storyboard,
  chatFiles,
  imports,
  secrets,
  ...parts
}: LeavingParts): Bundles {
  const freeBytes = ports.freeBytes ?? freeBytesOf;
  return new Bundles({
    ...parts,
    version: options.version,
    storyboard,
    chats: chatFiles,
    files: new BundledFiles({ ...parts, holds: library.holds, bin: library.bin }),
    announceMedia: () => library.mediaWork.announce(),
    jobs: engine.commands,
    freeBytes: () => Math.min(library.room.freeBytes(), freeBytes(parts.dataDir)),
    getJob: (id) => engine.queries.get(id),
    getAsset: (id) => library.get(id),
    openAsset: (id) => library.open(id),
    elsewhere: (id) => imports.elsewhere(id),
    gatewayName: (id) => profiles.get(id)?.name,
    secretIn: (value) => secrets.heldIn(value),
    chatsOf: (db, projectId) => chatFiles.ofProject(db, projectId),
    board: (projectId) => storyboard.get(projectId),
    projectName: (id) => storyboard.projectName(id),
  });
}
