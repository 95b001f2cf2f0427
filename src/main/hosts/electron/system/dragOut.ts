import { join } from 'node:path';
import type { WebContents } from 'electron';
import { z } from 'zod';
import { DRAG_CALLS } from '../../../../shared/contract/hostEvents.ts';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import type { DraggedFiles } from './draggedFiles.ts';

/** The drag image; without one the system drags nothing. */
const ICON = join(import.meta.dirname, '..', '..', 'resources', 'tray.png');
const input = z.strictObject({ id: z.string().min(1).max(200) });

export type HostCalls = Readonly<Record<string, (sender: WebContents, input: unknown) => Promise<Result<unknown>>>>;

/** The calls about dragging files out of the window. The page names a library file by id, never by path. */
export function dragCalls(files: DraggedFiles): HostCalls {
  const withId =
    (run: (id: string, sender: WebContents) => Promise<Result<null>>) =>
    async (sender: WebContents, given: unknown): Promise<Result<unknown>> => {
      const read = input.safeParse(given);
      return read.success ? run(read.data.id, sender) : fail('invalid_input', 'id: must be text.', { field: 'id' });
    };
  return {
    [DRAG_CALLS.ready]: withId(async (id) => {
      files.press(id);
      return ok(null);
    }),
    [DRAG_CALLS.start]: withId((id, sender) => files.start(id, (file) => sender.startDrag({ file, icon: ICON }))),
    [DRAG_CALLS.end]: withId(async () => {
      files.end();
      return ok(null);
    }),
  };
}
