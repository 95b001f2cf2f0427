import { serialize } from 'node:v8';
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { PART_CALL } from '../../../shared/contract/callParts.ts';
import type { StudioEvent } from '../../../shared/contract/events.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import type { Logger } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';
import { isForMediaPage, refusedToMediaPage } from '../common/mediaPagePermissions.ts';
import { CallParts } from './callParts.ts';
import { isOwnPage } from './origin.ts';
import type { HostCalls } from './system/dragOut.ts';

/** Largest message between processes. */
const MAX_MESSAGE_BYTES = 256 * 1024;

export interface CallObserver {
  /** True for the hidden media window, identified by the window: its page could navigate to another address of ours. */
  isWorker(sender: WebContents): boolean;
  /** Called after each permitted call. */
  called(sender: WebContents, name: string, result: Result<unknown>): void;
}

/** `studio:call`: checks sender and size; the studio parses. `own`: calls of the host besides the studio's. */
export function serveCalls(
  studio: () => Promise<Studio>,
  { observer, own, log }: { observer: CallObserver; own: HostCalls; log: Logger },
): void {
  const parts = new CallParts();
  const answer = async (sender: WebContents, named: { name: string; input: unknown }, input: unknown) => {
    const complete = named.name === PART_CALL ? parts.add(input) : ok(named);
    if (!complete.ok || complete.data === null) return complete;
    const result = await (await studio()).call(complete.data.name, complete.data.input);
    observer.called(sender, complete.data.name, result);
    return result;
  };
  ipcMain.handle('studio:call', async (event, name: unknown, input: unknown) => {
    if (!isOwnFrame(event)) {
      log.warn({ sender: event.senderFrame?.url ?? '' }, 'a call from a page that is not ours was refused');
      return fail('wrong_state', 'Only the pages of Dailies may call the studio.');
    }
    const call = checkedCall(name, input);
    if (!call.ok) return call;
    const refusal = observer.isWorker(event.sender) ? refusedToMediaPage(call.data.name) : undefined;
    if (refusal) return refusal;
    if (Object.hasOwn(own, call.data.name)) return own[call.data.name]?.(event.sender, call.data.input);
    return answer(event.sender, call.data, input);
  });
}

function checkedCall(name: unknown, input: unknown): Result<{ name: string; input: unknown }> {
  if (typeof name !== 'string') return fail('invalid_input', 'name: must be text.', { field: 'name' });
  if (sizeOf(input) > MAX_MESSAGE_BYTES) {
    return fail('too_large', 'A call must have at most 256 KB; bytes are uploaded with PUT.');
  }
  return ok({ name, input: input ?? {} });
}

/** `studio:event`: sends every change to every page; the media window gets only its work. */
export function sendEvents(
  studio: Studio,
  receivers: () => WebContents[],
  { isWorker }: Pick<CallObserver, 'isWorker'>,
): void {
  studio.subscribe((event: StudioEvent) => {
    for (const contents of receivers()) {
      if (contents.isDestroyed() || (isWorker(contents) && !isForMediaPage(event))) continue;
      contents.send('studio:event', event);
    }
  });
}

/** True for a top frame that shows one of our pages, neither a nested frame nor a navigated one. */
function isOwnFrame({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOwnPage(senderFrame.url);
}

/** Bytes of the structured clone, buffers and maps included, which JSON would omit. */
function sizeOf(input: unknown): number {
  try {
    return serialize(input).byteLength;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
