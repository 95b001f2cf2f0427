import { join } from 'node:path';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { LibraryFolder, libraryFolderCalls } from '../../../shared/library/libraryFolder.ts';
import { en } from '../../../shared/text/texts.ts';
import { exportFromLibrary } from '../exports/index.ts';
import { spaceOf } from '../library/index.ts';
import type { Modules } from '../modules.ts';

/** The calls about the library folder; a move can be followed and stopped like an export. */
export function libraryFolderHandlers({
  store,
  library,
  mover,
  verifier,
  binKeeper,
  ports,
  bus,
}: Modules): Pick<Handlers, keyof typeof libraryFolderCalls | 'library.download'> {
  const { place } = library;
  const folder = (): LibraryFolder => {
    const [fault, move, check] = [place.fault(), mover.newest(), verifier.check()];
    const [binEmptied, binEmptiesFrom] = [binKeeper.last(), binKeeper.emptiesFrom()];
    return {
      folder: place.folder,
      home: place.home,
      isUsual: place.home === place.usual,
      ...(fault === undefined ? {} : { fault }),
      ...(move ? { move } : {}),
      ...(check ? { check } : {}),
      ...(binEmptied ? { binEmptied } : {}),
      ...(binEmptiesFrom === undefined ? {} : { binEmptiesFrom }),
    };
  };
  return {
    'library.folder': async () => {
      await place.look();
      return ok(folder());
    },
    'library.space': async () => {
      await place.look();
      return ok({ parts: await store.readAway(spaceOf), freeBytes: library.room.freeBytes() });
    },
    'library.move': (input) => mover.start(input),
    'library.pauseMove': () => mover.pause(true),
    'library.resumeMove': () => mover.pause(false),
    'library.removeOld': () => mover.removeOld(),
    'library.locate': async (input) => {
      const located = await mover.locate(input.folder);
      if (!located.ok) return located;
      bus.emit({ type: 'settings.changed' });
      library.wakeDownloads();
      return ok(folder());
    },
    'library.verify': () => verifier.start(),
    'library.cancelVerify': () => verifier.cancel(),
    'library.download': async ({ id }) => {
      const asked = await library.download(id, verifier.isDamaged(id));
      if (asked.ok && asked.data.state === 'remote') verifier.fetchesAgain(id);
      return asked;
    },
    'library.reveal': (): Promise<Result<null>> | Result<null> => {
      const { reveal } = ports.opener;
      const no = fail('wrong_state', en`The folder cannot be shown here; it is ${place.folder}.`);
      return reveal === undefined
        ? no
        : reveal.call(ports.opener, place.folder).then(
            () => ok(null),
            () => no,
          );
    },
  };
}

type ExportCall = Extract<keyof Handlers, `exports.${string}`> | 'library.export';

/** The calls about exports, and the one that exports library files. */
export function exportHandlers(modules: Modules): Pick<Handlers, ExportCall> {
  const { exports, mover, storyboard, library, imports, engine, ports } = modules;
  const { opener } = ports;
  const leaving = {
    library,
    exports,
    getJob: (id: string) => engine.queries.get(id),
    projectName: (id: string) => {
      const { projects, removed } = storyboard.projects();
      return [...projects, ...removed].find((project) => project.id === id)?.name;
    },
    elsewhere: (id: string) => imports.elsewhere(id),
  };
  return {
    'library.export': (input) => exportFromLibrary(leaving, input),
    'exports.list': (page) => ok(exports.list(page)),
    'exports.get': ({ id }) => (mover.isMove(id) ? mover.get(id) : exports.get(id)),
    'exports.cancel': ({ id }) => (mover.isMove(id) ? mover.cancel(id) : exports.cancel(id)),
    'exports.remove': ({ id }) => exports.remove(id),
    'exports.reveal': async ({ id }) => {
      const found = exports.get(id);
      if (!found.ok) return found;
      const { folder, files } = found.data;
      if (!opener.reveal) return fail('wrong_state', en`This host cannot show a folder; it is ${folder}.`);
      const [first] = files;
      return opener.reveal(first ? join(folder, ...first.name.split('/')) : folder).then(
        () => ok(null),
        () => fail('wrong_state', en`The folder cannot be shown here; it is ${folder}.`),
      );
    },
    'exports.chooseFolder': async () => {
      if (!opener.chooseFolder)
        return fail('wrong_state', en`This host cannot ask for a folder; name its absolute path instead.`);
      return ok({ folder: await opener.chooseFolder() });
    },
  };
}
