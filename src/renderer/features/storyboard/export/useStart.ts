import { fail, type StudioError } from '../../../../shared/contract/result.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type ExportChoices, exportInput, type FilmWay, hasDocuments } from './choices.ts';
import type { FindingGroups } from './exportView.ts';
import { showExport, useExportsView } from './useExports.ts';

/** An older film than the one that is shown is never exported. */
export const notSaved = ({ message }: StudioError) => fail('store_unavailable', t`Nothing was exported. ${message}`);

export interface StartedExport {
  start: () => void;
  isBusy: boolean;
  refusal: string | undefined;
}

/** Starts the export of what is chosen; what is edited on the board is saved first, so that it is in the film. */
export function useStart(
  board: BoardHandle,
  {
    choices,
    way,
    groups,
    loudness,
  }: {
    choices: ExportChoices;
    way: FilmWay;
    groups: FindingGroups | undefined;
    loudness: number | undefined;
  },
): StartedExport {
  const { run, refusal, isBusy } = useAction();
  const projectId = board.board?.projectId ?? '';
  const begin = async () => {
    const input = exportInput(projectId, choices, way);
    if (!input || isBusy) return;
    const saved = board.sync.whyUnsaved(() => true);
    const answer = await run(saved.then((why) => (why ? notSaved(why) : call('film.export', input))));
    if (!answer.ok) return;
    const { id } = answer.data;
    const about = {
      way,
      loudness,
      hasDocuments: hasDocuments(choices),
      decided: groups ? [...groups.decided, ...groups.know] : [],
    };
    useExportsView.setState(({ started }) => ({ started: { ...started, [id]: about } }));
    showExport(projectId, id);
  };
  return { start: () => void begin(), isBusy, refusal };
}
