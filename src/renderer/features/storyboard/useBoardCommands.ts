import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../app/index.ts';
import type { UndoDirection } from './model/sync.ts';
import { useBoardView } from './useBoard.ts';

/** What the palette can run on the board. */
export function useBoardCommands(actions: { add: () => void; step: (way: UndoDirection) => void }): void {
  const latest = useRef(actions);
  latest.current = actions;
  const commands = useMemo<Command[]>(
    () => [
      { id: 'board.add', label: 'Add a shot', group: 'Storyboard', keywords: ['new'], run: () => latest.current.add() },
      step('undo', 'Undo on the board', latest),
      step('redo', 'Redo on the board', latest),
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
    ],
    [],
  );
  useCommands('storyboard', commands);
}

const step = (
  way: UndoDirection,
  label: string,
  latest: { current: { step: (way: UndoDirection) => void } },
): Command => ({
  id: `board.${way}`,
  label,
  group: 'Storyboard',
  action: `board.${way}`,
  run: () => latest.current.step(way),
});
