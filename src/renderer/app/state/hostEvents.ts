import { create } from 'zustand';
import type { HostPlace, LinkedThing } from '../../../shared/contract/hostEvents.ts';
import { t } from '../../../shared/text/texts.ts';
import { call, type StudioEvent } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { openHelp } from '../help/openHelp.ts';
import { jobTitle } from '../jobTitle.ts';
import { navigate } from '../route.ts';
import { askForBundle, takeFromHost } from './openBundle.ts';
import { openProject } from './studio.ts';

/** A link from outside that waits for the user, with its target's current name. */
interface AskedLink extends LinkedThing {
  title: string;
}

export const useAskedLink = create<{ link?: AskedLink | undefined }>()(() => ({}));

export const dismissLink = (): void => useAskedLink.setState({ link: undefined });

/** Opens the link's target. Nothing is sent or changed. */
export function followLink(): void {
  const { link } = useAskedLink.getState();
  dismissLink();
  if (link) showThing(link);
}

const PLACES: Record<HostPlace, () => void> = {
  chat: () => navigate('chat'),
  storyboard: () => navigate('storyboard'),
  images: () => navigate('images'),
  queue: () => navigate('queue'),
  night: () => navigate('queue', {}, 'night'),
  library: () => navigate('library'),
  spend: () => navigate('spend'),
  settings: () => navigate('settings'),
  help: openHelp,
  computer: () => navigate('settings', { section: 'computer' }),
  shortcuts: () => navigate('settings', { section: 'shortcuts' }),
  diagnostics: () => navigate('settings', { section: 'diagnostics' }),
  about: () => navigate('settings', { section: 'about' }),
  openBundle: askForBundle,
};

/** Requests of the host to the window, which only ever navigate. */
export function takeHostEvent(event: StudioEvent): void {
  if (event.type === 'host.go') PLACES[event.place]();
  if (event.type === 'host.show') showThing(event);
  if (event.type === 'host.link') void askAbout(event);
  if (event.type === 'host.bundle') takeFromHost(event);
}

function showThing({ thing, id }: LinkedThing): void {
  if (thing === 'job') navigate('queue', { job: id });
  if (thing === 'asset') navigate('library', { asset: id });
  if (thing === 'project') void openProject(id).then((isOpen) => isOpen && navigate('storyboard'));
}

async function askAbout({ thing, id }: LinkedThing): Promise<void> {
  const title = await titleOf({ thing, id });
  if (title === undefined) {
    toast({ kind: 'info', text: t`The linked item was not found. Nothing was opened.` });
    return;
  }
  useAskedLink.setState({ link: { thing, id, title } });
}

/** Its name here; undefined if it does not exist here. */
async function titleOf({ thing, id }: LinkedThing): Promise<string | undefined> {
  if (thing === 'project') {
    const list = await call('projects.list');
    return list.ok ? list.data.projects.find((project) => project.id === id)?.name : undefined;
  }
  if (thing === 'asset') {
    const asset = await call('library.get', { id });
    return asset.ok ? asset.data.name : undefined;
  }
  const job = await call('jobs.get', { id });
  return job.ok ? jobTitle(job.data) : undefined;
}
