import type { KeyboardEvent } from 'react';
import { create } from 'zustand';
import { SHOT_LINKS, type Shot, type ShotLink } from '../../../../shared/board/board.ts';
import { clipRefOf, extendedFrom, indexBefore, plannedLink, withShotLink } from '../../../../shared/board/shotLinks.ts';
import { filmToCome } from '../../../../shared/film/film.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { EXTENSION_SECONDS } from '../../../../shared/kinds/video.ts';
import type { LookUpMedia } from '../../../../shared/library/mediaRef.ts';
import { t } from '../../../../shared/text/texts.ts';
import { announce, useActiveProfile, useShortcut } from '../../../app/index.ts';
import { formatStamp } from '../../../ui/index.ts';
import { type BoardEdit, onShot } from '../model/shots.ts';
import type { ShotView, TakeView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';

/** The options for the link to the shot before, and why one is not possible. */

export const LINK_NAMES: Record<ShotLink, string> = {
  cut: t`Cut`,
  continue: t`Continue`,
  transition: t`Transition`,
  extend: t`Extend`,
};

export interface LinkChoice {
  kind: ShotLink;
  /** One sentence on what the shot would start from. */
  words: string;
  /** Why it is not possible, and the nearest alternative. */
  off: string | undefined;
  /** The shot for its next take. */
  shot: Shot;
}

export interface LinkChoices {
  before: ShotView;
  view: ShotView;
  /** The take that the shot would start from: the selected one before it, or the one that will be. */
  from: TakeView | undefined;
  choices: LinkChoice[];
}

interface Facts {
  lookUp: LookUpMedia;
  profileId: string | undefined;
  /** The video models of the active profile. */
  models: readonly string[];
}

/** Undefined for the first shot. */
export function linkChoices(shots: readonly ShotView[], index: number, facts: Facts): LinkChoices | undefined {
  const at = indexBefore(shots, index);
  const [before, view] = [at === undefined ? undefined : shots[at], shots[index]];
  if (!before || !view) return undefined;
  const from = filmToCome([before])[0]?.active;
  const choices = SHOT_LINKS.map((kind): LinkChoice => {
    const off = kind === 'extend' ? whyNotExtended(before, view, from, facts) : undefined;
    const shot = withShotLink(view.shot, kind, { now: plannedLink(view.link), from });
    return { kind, off, words: wordsOf(kind, before, view, from), shot };
  });
  return { before, view, from, choices };
}

function wordsOf(kind: ShotLink, before: ShotView, { number }: ShotView, from: TakeView | undefined): string {
  if (kind === 'cut') return t`Shot ${number} starts on its own.`;
  if (kind === 'continue') return t`Shot ${number} starts at the last frame of shot ${before.number}.`;
  if (kind === 'transition')
    return t`Shot ${number} moves from the last frame of shot ${before.number} to a frame you choose.`;
  const until = from?.clip?.expiresAt;
  return until === undefined
    ? t`Shot ${number} extends the take of shot ${before.number} by ${EXTENSION_SECONDS} s.`
    : t`Shot ${number} extends the take of shot ${before.number} by ${EXTENSION_SECONDS} s, until ${formatStamp(until)}.`;
}

function whyNotExtended(
  before: ShotView,
  { number, shot }: ShotView,
  from: TakeView | undefined,
  { lookUp, profileId, models }: Facts,
): string | undefined {
  if (shot.source === 'firstLast' && shot.lastFrame) return t`Shot ${number} ends on a frame you chose. Use Continue.`;
  const job = from?.job;
  if (!job) return undefined;
  const ofShot = before.number;
  const take = t`Take ${from.number} of shot ${ofShot}`;
  if (!extendedFrom(from)) return t`${take} ends at an out point. Use Continue.`;
  if (profileId !== undefined && job.profileId !== profileId) return t`${take} is not at this gateway. Use Continue.`;
  if (job.model !== undefined && !models.includes(job.model))
    return t`This gateway does not list ${job.model}, which made ${take}. Use Continue.`;
  const { status, remoteUri } = lookUp(clipRefOf(from));
  return status === 'ready' && remoteUri === false ? t`${take} is not at this gateway. Use Continue.` : undefined;
}

/** Sets a link, in one undoable step. */
export const chooseLink = ({ view, from }: Pick<LinkChoices, 'view' | 'from'>, kind: ShotLink): BoardEdit =>
  onShot(view.shot.id, (shot) => withShotLink(shot, kind, { now: plannedLink(view.link), from }));

/** The open menus of links; not part of the board. */
interface LinkView {
  /** The shot whose link menu is open. */
  linkOf: string | undefined;
  /** The shot whose chain dialog is open. */
  chainOf: string | undefined;
}

export const useLinkView = create<LinkView>()(() => ({ linkOf: undefined, chainOf: undefined }));

/** The options for the link of a shot to the one before. */
export function useLinkChoices(board: BoardHandle, view: ShotView): LinkChoices | undefined {
  const profile = useActiveProfile();
  return linkChoices(board.shots, view.number - 1, {
    lookUp: board.media.lookUp,
    profileId: profile?.id,
    models: modelsFor(KINDS.video, profile?.models).map(({ id }) => id),
  });
}

export const openLinkMenu = (shotId: string | undefined): void => useLinkView.setState({ linkOf: shotId });

export const linkId = (shotId: string): string => `link-${shotId}`;

/** Opens the menu of the link from the selected shot to the next. */
export function useLinkKey({ shots }: BoardHandle, { number }: ShotView): void {
  useShortcut('board.joint', () => {
    const next = shots.slice(number).find(({ shot }) => !shot.skipped);
    if (next?.link) openLinkMenu(next.shot.id);
    else announce(t`No shot follows shot ${number}.`);
  });
}

/** Moves the focus between the buttons of a group. */
export function goByArrows(event: KeyboardEvent<HTMLElement>, back: string, forward: string): void {
  const step = { [back]: -1, [forward]: 1 }[event.key];
  if (step === undefined || event.altKey || event.shiftKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[at + step]?.focus();
}
