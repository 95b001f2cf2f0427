import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../app/index.ts';
import { openExport } from './export/openExport.ts';
import type { UndoDirection } from './model/sync.ts';
import { STEP_WORDS, stepLabel } from './UndoButtons.tsx';
import { useBoardView } from './useBoard.ts';

interface BoardCommandActions {
  add: () => void;
  step: (way: UndoDirection) => void;
}

/** The views of the film. */
const TAB_COMMANDS: readonly Command[] = [
  {
    id: 'board.whole',
    label: 'Show the whole board in the viewer',
    group: 'Storyboard',
    keywords: ['play', 'film'],
    run: () => useBoardView.setState({ tab: 'board' }),
  },
  {
    id: 'board.shot',
    label: 'Show one shot in the viewer',
    group: 'Storyboard',
    keywords: ['take', 'judge'],
    run: () => useBoardView.setState({ tab: 'shot' }),
  },
  {
    id: 'board.sound',
    label: 'Show sound and words',
    group: 'Storyboard',
    keywords: ['music', 'narration', 'subtitles', 'lanes'],
    action: 'board.sound',
    run: () => useBoardView.setState({ tab: 'sound' }),
  },
  {
    id: 'board.audition',
    label: 'Audition the takes of the shot',
    group: 'Storyboard',
    keywords: ['compare', 'sync', 'loudness'],
    action: 'board.audition',
    run: () => useBoardView.setState({ tab: 'audition' }),
  },
  {
    id: 'board.seams',
    label: 'Show the seams of the film',
    group: 'Storyboard',
    keywords: ['joints', 'jumps', 'difference'],
    action: 'board.seams',
    run: () => useBoardView.setState({ tab: 'seams' }),
  },
];

/** What the palette can run on the board. */
export function useBoardCommands(actions: BoardCommandActions, { undo, redo }: { undo?: string; redo?: string }): void {
  const latest = useRef(actions);
  latest.current = actions;
  const commands = useMemo<Command[]>(
    () => [
      { id: 'board.add', label: 'Add a shot', group: 'Storyboard', keywords: ['new'], run: () => latest.current.add() },
      step('undo', undo, latest),
      step('redo', redo, latest),
      {
        id: 'board.import',
        label: 'Import shots',
        group: 'Storyboard',
        keywords: ['shot list', 'csv', 'paste'],
        run: () => useBoardView.setState({ isImporting: true }),
      },
      {
        id: 'board.bin',
        label: 'Show removed shots',
        group: 'Storyboard',
        keywords: ['bin', 'put back'],
        run: () => useBoardView.setState({ isBinOpen: true }),
      },
      {
        id: 'board.export',
        label: 'Preflight and export',
        group: 'Storyboard',
        keywords: ['mp4', 'timeline', 'fcpxml', 'otio', 'edl', 'save the film'],
        action: 'board.export',
        run: openExport,
      },
      ...TAB_COMMANDS,
    ],
    [undo, redo],
  );
  useCommands('storyboard', commands);
}

const step = (
  way: UndoDirection,
  deed: string | undefined,
  latest: { current: { step: (way: UndoDirection) => void } },
): Command => ({
  id: `board.${way}`,
  label: deed === undefined ? `${STEP_WORDS[way]} on the board` : stepLabel(way, deed),
  group: 'Storyboard',
  action: `board.${way}`,
  run: () => latest.current.step(way),
});
