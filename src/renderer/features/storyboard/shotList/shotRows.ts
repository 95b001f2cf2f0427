import { SHOT_COLUMNS, type ShotListRow } from '../../../../shared/board/shotList.ts';
import { MAX_CALL_TEXT } from '../../../../shared/chat/callParts.ts';
import { cellsByLine } from '../../../../shared/tables/tableText.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type Head, type ImportRow, tableImport } from '../../../tableImport/index.ts';
import { plannedSeconds } from '../model/shots.ts';

/** The shots that are imported, as rows of the import table. */

export const shotList = tableImport({
  fileLabel: t`File with shots`,
  accept: '.csv,.tsv,.txt,text/csv,text/plain',
  columns: SHOT_COLUMNS,
  formats: ['csv', 'lines'],
  mostCharacters: MAX_CALL_TEXT,
});

export const SHOT_HEADS: readonly Head[] = [
  { id: 'prompt', label: t`Shot`, fields: ['title', 'prompt'], isMain: true },
  { id: 'source', label: t`Starts from` },
  { id: 'model', label: t`Model` },
  { id: 'seconds', label: t`Length`, isRight: true },
  { id: 'picture', label: t`Picture`, fields: ['resolution', 'aspect'] },
];

/** In characters; a row has no room for more. */
const SHOWN_PROMPT = 200;

export function shotRows(rows: readonly ShotListRow[], text: string, isTable: boolean): ImportRow[] {
  const cells = isTable && rows.some(({ errors }) => errors.length > 0) ? cellsByLine(text) : undefined;
  return rows.map(({ line, shot, errors }) => {
    const row = { key: String(line), line, errors };
    // Cells that cannot be told apart belong to no column.
    if (!shot) return { ...row, shown: {}, cells: errors.some(({ field }) => field === '') ? {} : cells?.get(line) };
    const { title = '', prompt = '', source, model, config } = shot;
    const words = [title.trim(), shortened(prompt, SHOWN_PROMPT)].filter(Boolean).join(': ');
    const picture = [config.resolution, config.aspectRatio].filter(Boolean).join(', ');
    return {
      ...row,
      shown: {
        prompt: words || t`Untitled`,
        source,
        model,
        seconds: `${plannedSeconds(shot)} s`,
        picture: picture || '–',
      },
    };
  });
}
