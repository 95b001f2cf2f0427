import { create } from 'zustand';
import type { BundleContents } from '../../../shared/bundle/calls.ts';
import { BUNDLE_ENDING } from '../../../shared/bundle/document.ts';
import type { HostEvent } from '../../../shared/contract/hostEvents.ts';
import { t } from '../../../shared/text/texts.ts';
import { call, uploadBundle } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { announce } from '../announce.ts';
import { showRefusal } from '../refusals.ts';
import { navigate } from '../route.ts';
import { openProject } from './studio.ts';

/** A bundle being opened: uploaded, previewed, and opened only when the user confirms. */
interface OpenBundle {
  /** `asking`: the user chooses a file; `reading`: it is uploaded and previewed; `ready`: the user decides. */
  phase: 'closed' | 'asking' | 'reading' | 'ready' | 'opening';
  /** Whether the system opened the file with Dailies; then the host uploads it. */
  isOfHost?: boolean;
  name: string;
  uploadId?: string;
  contents?: BundleContents;
  refusal?: string;
}

const CLOSED: OpenBundle = { phase: 'closed', name: '' };

export const useOpenBundle = create<OpenBundle>()(() => CLOSED);
/** Returns the shown state; an answer about a state that is no longer shown is dropped. */
function show(state: OpenBundle): OpenBundle {
  useOpenBundle.setState(state, true);
  return state;
}
const isShown = (state: OpenBundle): boolean => useOpenBundle.getState() === state;

export const isBundle = (name: string): boolean => name.toLowerCase().endsWith(BUNDLE_ENDING);

export const askForBundle = (): void => void show({ phase: 'asking', name: '' });

/** Closes the dialog and keeps nothing. A bundle being opened is still opened, whole or not at all. */
export function closeBundle(): void {
  const { phase, uploadId } = useOpenBundle.getState();
  show(CLOSED);
  if (uploadId !== undefined && phase !== 'opening') void call('bundle.discard', { uploadId });
}

/** Uploads a file and shows its content; opens nothing. */
export async function lookInto(file: File): Promise<void> {
  closeBundle();
  const reading = show({ phase: 'reading', name: file.name });
  const sent = await uploadBundle(file);
  if (sent.ok) return look(reading, file.name, sent.data.uploadId);
  if (isShown(reading)) show({ phase: 'asking', name: file.name, refusal: sent.error.message });
}

/** A bundle that the system opened with Dailies is previewed like one chosen here. */
export function takeFromHost({ name, uploadId, refusal }: Extract<HostEvent, { type: 'host.bundle' }>): void {
  const now = useOpenBundle.getState();
  const awaited = now.phase === 'reading' && now.isOfHost ? now : undefined;
  if (uploadId !== undefined) return void look(awaited, name, uploadId);
  if (refusal !== undefined) return void (awaited && show({ phase: 'asking', name, refusal }));
  closeBundle();
  show({ phase: 'reading', isOfHost: true, name });
}

/** Reads the content of an uploaded bundle. One that nobody waits for any more is discarded. */
async function look(reading: OpenBundle | undefined, name: string, uploadId: string): Promise<void> {
  const isAwaited = () => reading !== undefined && isShown(reading);
  const read = isAwaited() ? await call('bundle.read', { uploadId }) : undefined;
  if (isAwaited() && read?.ok) return void show({ phase: 'ready', name, uploadId, contents: read.data });
  void call('bundle.discard', { uploadId });
  if (isAwaited() && read && !read.ok) show({ phase: 'asking', name, refusal: read.error.message });
}

/** Opens the shown bundle as a new project. */
export async function openShown(): Promise<void> {
  const shown = useOpenBundle.getState();
  const { uploadId, phase } = shown;
  if (phase !== 'ready' || uploadId === undefined) return;
  const { refusal: _, ...opening } = shown;
  const mine = show({ ...opening, phase: 'opening' });
  const opened = await call('bundle.open', { uploadId });
  if (!opened.ok) {
    if (isShown(mine)) show({ ...shown, refusal: opened.error.message });
    else showRefusal(opened.error);
    return;
  }
  const { id, name } = opened.data;
  if (isShown(mine)) {
    show(CLOSED);
    if (await goTo(id)) return announce(t`“${name}” was opened`);
  }
  // A user who has closed the dialog is working on something else, which keeps the focus.
  toast({
    text: t`“${name}” was opened`,
    action: { label: t`Open`, onAction: () => void goTo(id) },
  });
}

/** Goes to the project; returns whether it is open. */
async function goTo(projectId: string): Promise<boolean> {
  const isOpen = await openProject(projectId);
  if (isOpen) navigate('storyboard');
  return isOpen;
}
