import { useMemo, useRef } from 'react';
import { t } from '../../../shared/texts.ts';
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
    label: t`Show the whole board in the viewer`,
    group: t`Storyboard`,
    keywords: ['play', 'film'],
    run: () => useBoardView.setState({ tab: 'board' }),
  },
  {
    id: 'board.shot',
    label: t`Show one shot in the viewer`,
    group: t`Storyboard`,
    keywords: ['take', 'judge'],
    run: () => useBoardView.setState({ tab: 'shot' }),
  },
  {
    id: 'board.sound',
    label: t`Show sound and words`,
    group: t`Storyboard`,
    keywords: ['music', 'narration', 'subtitles', 'lanes'],
    action: 'board.sound',
    run: () => useBoardView.setState({ tab: 'sound' }),
  },
  {
    id: 'board.audition',
    label: t`Audition the takes of the shot`,
    group: t`Storyboard`,
    keywords: ['compare', 'sync', 'loudness'],
    action: 'board.audition',
    run: () => useBoardView.setState({ tab: 'audition' }),
  },
  {
    id: 'board.seams',
    label: t`Show the seams of the film`,
    group: t`Storyboard`,
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
      {
        id: 'board.add',
        label: t`Add a shot`,
        group: t`Storyboard`,
        keywords: ['new'],
        run: () => latest.current.add(),
      },
      step('undo', undo, latest),
      step('redo', redo, latest),
      {
        id: 'board.import',
        label: t`Import shots`,
        group: t`Storyboard`,
        keywords: [t`shot list`, 'csv', 'paste'],
        run: () => useBoardView.setState({ isImporting: true }),
      },
      {
        id: 'board.bin',
        label: t`Show removed shots`,
        group: t`Storyboard`,
        keywords: ['bin', t`put back`],
        run: () => useBoardView.setState({ isBinOpen: true }),
      },
      {
        id: 'board.export',
        label: t`Preflight and export`,
        group: t`Storyboard`,
        keywords: ['mp4', 'timeline', 'fcpxml', 'otio', 'edl', t`save the film`],
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
  label: deed === undefined ? t`${STEP_WORDS[way]} on the board` : stepLabel(way, deed),
  group: t`Storyboard`,
  action: `board.${way}`,
  run: () => latest.current.step(way),
});
