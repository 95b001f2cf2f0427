import { useMemo } from 'react';
import type { Preflight } from '../../../../shared/film/filmExport.ts';
import type { BoardHandle } from '../useBoard.ts';
import { type ExportChoices, type FilmWay, leavesAt, useChoices, wayOf, whyNotJoined } from './choices.ts';
import { type FilmPicture, type FindingGroups, groupsOf, pictureOf } from './exportView.ts';
import { type Sizes, sizesOf } from './sizes.ts';

/** The next export of a film: what was found, what is chosen for it, and what that comes to. */
export interface ExportPlan {
  board: BoardHandle;
  preflight: Preflight;
  /** Undefined until the film was checked. */
  groups: FindingGroups | undefined;
  choices: ExportChoices;
  choose: (change: Partial<ExportChoices>) => void;
  picture: FilmPicture;
  /** Why the takes cannot be joined as they are. */
  reasons: readonly string[];
  way: FilmWay;
  /** LUFS that the film is brought to; undefined where it keeps its own loudness. */
  loudness: number | undefined;
  sizes: Sizes;
}

export function useExportPlan(board: BoardHandle, projectId: string, read: Preflight | undefined): ExportPlan {
  const preflight = read ?? NOTHING;
  const [choices, choose] = useChoices(projectId);
  const groups = useMemo(() => read && groupsOf(read, board.shots, choices), [read, board.shots, choices]);
  const picture = pictureOf(board.board, preflight.streams);
  const reasons = whyNotJoined(preflight, picture);
  const way = wayOf(choices, reasons);
  const loudness = leavesAt(board.board?.sound?.loudness, { way, soundEncoded: preflight.soundEncoded });
  const sizes = sizesOf(board, preflight, choices, { way, picture });
  return { board, preflight, groups, choices, choose, picture, reasons, way, loudness, sizes };
}

const NOTHING: Preflight = {
  findings: [],
  streams: [],
  canJoin: false,
  whyNot: [],
  joinsPictures: false,
  soundEncoded: [],
};
