import { fail, type Result, type StudioError } from '../../../../shared/contract/result.ts';
import type { Export } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { type ExportPlan, exportInput, hasDocuments } from './plan.ts';
import { type StartedHere, showExport, useExportsView } from './useExports.ts';

/** An export never uses an older film than the one shown. */
const notSaved = ({ message }: StudioError) => fail('store_unavailable', t`Nothing was exported. ${message}`);

/** Starts exports of the film. Pending edits of the board are saved first, so that the export includes them. */
export function useStart({ board, choices, way, groups, loudness }: ExportPlan) {
  const { run, refusal, isBusy } = useAction();
  const projectId = board.board?.projectId ?? '';
  const begin = async (make: () => Promise<Result<Export>>, about?: StartedHere) => {
    if (isBusy || projectId === '') return;
    const saved = board.sync.whyUnsaved(() => true);
    const answer = await run(saved.then((why) => (why ? notSaved(why) : make())));
    if (!answer.ok) return;
    const { id } = answer.data;
    if (about) useExportsView.setState(({ started }) => ({ started: { ...started, [id]: about } }));
    showExport(projectId, id);
  };
  const film = () => {
    const input = exportInput(projectId, choices, way);
    const decided = groups ? [...groups.decided, ...groups.know] : [];
    if (input)
      void begin(() => call('film.export', input), { way, loudness, hasDocuments: hasDocuments(choices), decided });
  };
  const bundle = () => {
    const { name, folder } = choices;
    const given = { ...(name?.trim() ? { name: name.trim() } : {}), ...(folder === undefined ? {} : { folder }) };
    void begin(() => call('bundle.export', { projectId, ...given }));
  };
  return { film, bundle, isBusy, refusal };
}
