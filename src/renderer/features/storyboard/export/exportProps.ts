import type { Preflight } from '../../../../shared/film/filmExport.ts';
import type { BoardHandle } from '../useBoard.ts';
import type { ExportChoices, FilmWay } from './choices.ts';
import type { FindingGroups } from './exportView.ts';
import type { useExports } from './useExports.ts';
import type { StartedExport } from './useStart.ts';

/** What the parts of the page are given. */

export interface ExportPanelProps {
  board: BoardHandle;
  preflight: Preflight;
  groups: FindingGroups | undefined;
  choices: ExportChoices;
  choose: (change: Partial<ExportChoices>) => void;
  way: FilmWay;
  /** Why the takes cannot be joined as they are. */
  reasons: readonly string[];
  exports: ReturnType<typeof useExports>['exports'];
  start: StartedExport;
}

export interface FilmFindingsProps {
  board: BoardHandle;
  groups: FindingGroups;
  choices: ExportChoices;
  choose: (change: Partial<ExportChoices>) => void;
  way: FilmWay;
  /** LUFS that the film is brought to; undefined where it keeps its own loudness. */
  loudness: number | undefined;
}
