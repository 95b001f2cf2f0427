import { create } from 'zustand';
import type { StudioEvent } from '../../client/index.ts';
import { useStudio } from './studio.ts';

type NoticeEvent = Extract<StudioEvent, { type: 'notice' }>;

/** A trouble that was told and is not over, as far as is known. */
export interface Standing extends Pick<NoticeEvent, 'text' | 'about' | 'lane'> {
  at: number;
}

/** Newest first. A toast is gone after a while; what it told stands here until it is over or dismissed. */
export const useNotices = create<{ standing: readonly Standing[] }>()(() => ({ standing: [] }));

const MOST = 20;

export function patchNotices(event: NoticeEvent, now = Date.now()): void {
  // A doubt stands in its inbox, a stopped night in its report and the status line.
  if (event.level === 'doubt' || event.urgent) return;
  const { text, about, lane } = event;
  const isSame = (other: Standing) => (about === undefined ? other.text === text : other.about === about);
  useNotices.setState(({ standing }) => {
    const others = standing.filter((other) => !isSame(other));
    if (event.level === 'info') return { standing: others.length === standing.length ? standing : others };
    return { standing: [{ text, at: now, about, lane }, ...others].slice(0, MOST) };
  });
}

const ABOUT_A_HOST = 'host ';

/** Those to be shown: while the gateway is offline the banner over every page tells that already. */
export function useTroubles(): readonly Standing[] {
  const offline = useStudio((state) => state.queue?.offline ?? false);
  const standing = useNotices((state) => state.standing);
  return offline ? standing.filter(({ about = '' }) => !about.startsWith(ABOUT_A_HOST)) : standing;
}

export const dismissNotice = (notice: Standing): void =>
  useNotices.setState(({ standing }) => ({ standing: standing.filter((other) => other !== notice) }));
