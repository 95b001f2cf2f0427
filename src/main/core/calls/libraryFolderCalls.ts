import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { LibraryFolder, libraryFolderCalls } from '../../../shared/library/libraryFolder.ts';
import { en } from '../../../shared/text/texts.ts';
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
  const { location } = library;
  const folder = (): LibraryFolder => {
    const [fault, move, check] = [location.fault(), mover.newest(), verifier.check()];
    const [binEmptied, binEmptiesFrom] = [binKeeper.last(), binKeeper.emptiesFrom()];
    return {
      folder: location.folder,
      home: location.home,
      isUsual: location.home === location.usual,
      ...(fault === undefined ? {} : { fault }),
      ...(move ? { move } : {}),
      ...(check ? { check } : {}),
      ...(binEmptied ? { binEmptied } : {}),
      ...(binEmptiesFrom === undefined ? {} : { binEmptiesFrom }),
    };
  };
  return {
    'library.folder': async () => {
      await location.look();
      return ok(folder());
    },
    'library.space': async () => {
      await location.look();
      return ok({ parts: await store.readInThread(spaceOf), freeBytes: library.room.freeBytes() });
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
      const no = fail('wrong_state', en`The folder cannot be shown here; it is ${location.folder}.`);
      return reveal === undefined
        ? no
        : reveal.call(ports.opener, location.folder).then(
            () => ok(null),
            () => no,
          );
    },
  };
}
