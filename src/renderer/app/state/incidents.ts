import { create } from 'zustand';
import type { StudioEvent } from '../../client/index.ts';
import { useStudio } from './studio.ts';

type NoticeEvent = Extract<StudioEvent, { type: 'notice' }>;

/** A reported problem that is not over, as far as known. */
export interface Incident extends Pick<NoticeEvent, 'text' | 'about' | 'lane'> {
  at: number;
}

/** Newest first. A toast disappears after a while; an incident stays until it is over or dismissed. */
export const useIncidents = create<{ incidents: readonly Incident[] }>()(() => ({ incidents: [] }));

const MOST = 20;

export function patchIncidents(event: StudioEvent): void {
  // Unconfirmed jobs are shown in the Queue, stopped overnight runs in their report and the status line.
  if (event.type !== 'notice' || event.level === 'doubt' || event.urgent) return;
  const { text, about, lane } = event;
  const isSame = (other: Incident) => (about === undefined ? other.text === text : other.about === about);
  useIncidents.setState(({ incidents }) => {
    const others = incidents.filter((other) => !isSame(other));
    if (event.level === 'info') return { incidents: others.length === incidents.length ? incidents : others };
    return { incidents: [{ text, at: Date.now(), about, lane }, ...others].slice(0, MOST) };
  });
}

const ABOUT_A_HOST = 'host ';

/** The incidents to show: while the gateway is offline, the banner over every page already says so. */
export function useActiveIncidents(): readonly Incident[] {
  const offline = useStudio((state) => state.queue?.offline ?? false);
  const incidents = useIncidents((state) => state.incidents);
  return offline ? incidents.filter(({ about = '' }) => !about.startsWith(ABOUT_A_HOST)) : incidents;
}

export const dismissIncident = (incident: Incident): void =>
  useIncidents.setState(({ incidents }) => ({ incidents: incidents.filter((other) => other !== incident) }));
