import { useMemo, useRef } from 'react';
import { type Command, useCommands } from '../../app/index.ts';
import { useBoardView } from './useBoard.ts';

/** What the palette can run on the board. */
export function useBoardCommands(add: () => void): void {
  const latest = useRef(add);
  latest.current = add;
  const commands = useMemo<Command[]>(
    () => [
      { id: 'board.add', label: 'Add a shot', group: 'Storyboard', keywords: ['new'], run: () => latest.current() },
      {
        id: 'board.whole',
        label: 'Show the whole board in the viewer',
        group: 'Storyboard',
        keywords: ['play', 'film'],
        run: () => useBoardView.setState({ mode: 'board' }),
      },
      {
        id: 'board.shot',
        label: 'Show one shot in the viewer',
        group: 'Storyboard',
        keywords: ['take', 'judge'],
        run: () => useBoardView.setState({ mode: 'shot' }),
      },
    ],
    [],
  );
  useCommands('storyboard', commands);
}
