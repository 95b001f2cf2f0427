import { useMemo } from 'react';
import { shotTitle } from '../../../shared/board.ts';
import { shortened } from '../../../shared/shortened.ts';
import { t } from '../../../shared/texts.ts';
import { useCall, useProjectId } from '../../app/index.ts';
import type { Offered } from '../../ui/index.ts';
import { useOfThread } from './sending.ts';
import { useChat } from './state.ts';

export interface MentionedShot extends Offered {
  /** What is said of it to a model that cannot read the board. */
  prompt: string;
  title: string;
  number: number;
}

const NO_SHOTS: readonly MentionedShot[] = [];
const MOST_SAID = 300;

/** Those of the project of the chat, or of the one that a new chat will be in. */
export function useShotsToMention(mayRead: boolean): readonly MentionedShot[] {
  const isNew = useChat((state) => state.selectedId === undefined);
  const own = useOfThread((thread) => thread?.conversation?.projectId);
  const active = useProjectId();
  const projectId = isNew ? active : own;
  const { data } = useCall('storyboard.get', projectId ? { projectId } : null, { on: ['board.changed'] });
  return useMemo(() => {
    if (!projectId || data?.projectId !== projectId) return NO_SHOTS;
    return data.shots.map((shot, index): MentionedShot => {
      const [number, title] = [index + 1, shotTitle(shot)];
      const prompt = mayRead ? '' : shortened(shot.prompt.trim(), MOST_SAID);
      return { id: shot.id, number, title, prompt, name: t`Shot ${number}, ${title}`, note: shot.model };
    });
  }, [data, projectId, mayRead]);
}

export const wordsOfShot = ({ number, title, prompt }: MentionedShot): string =>
  prompt === '' || prompt === title ? t`shot ${number} “${title}”` : t`shot ${number} “${title}” (${prompt})`;

/** Puts the sign where the caret is, apart from a word before it: the list opens by it. */
export function mentionAt(field: HTMLTextAreaElement | null, text: string, write: (text: string) => void): void {
  if (!field) return;
  const at = field.selectionStart;
  const sign = at > 0 && !/\s/.test(text[at - 1] ?? '') ? ' @' : '@';
  write(`${text.slice(0, at)}${sign}${text.slice(field.selectionEnd)}`);
  field.focus();
  requestAnimationFrame(() => field.setSelectionRange(at + sign.length, at + sign.length));
}
