import { join } from 'node:path';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { fail, ok } from '../../../shared/contract/result.ts';
import { en } from '../../../shared/text/texts.ts';
import { exportFromLibrary } from '../exports/index.ts';
import type { Modules } from '../modules.ts';

type ExportCall = Extract<keyof Handlers, `exports.${string}`> | 'library.export';

/** The calls about exports, and the one that exports library files. */
export function exportHandlers(modules: Modules): Pick<Handlers, ExportCall> {
  const { exports, mover, storyboard, library, imports, engine, ports } = modules;
  const { opener } = ports;
  const exportDeps = {
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
    'library.export': (input) => exportFromLibrary(exportDeps, input),
    'exports.list': (page) => ok(exports.list(page)),
    'exports.get': ({ id }) => (mover.get(id).ok ? mover.get(id) : exports.get(id)),
    'exports.cancel': ({ id }) => (mover.get(id).ok ? mover.cancel(id) : exports.cancel(id)),
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
