import { isBlank } from '../../../shared/blank.ts';
import { announceReplaced } from '../../app/index.ts';
import { type Draft, draftOf, isDrafted, putDraft, setDraft, useChat } from './state.ts';

/** Where it is said what was put into the box of a chat. */
export const outcomeOfBox = (id: string): string => `box of ${id}`;

/** Puts a draft into the box and says so (`done`, a sentence without its end); what had been begun there can be had back. */
export function replaceDraft(id: string, draft: Draft, done: string): void {
  const before = draftOf(useChat.getState(), id);
  const isBegun = !isBlank(before.text) || (before.pictures?.length ?? 0) > 0;
  const isLost = isBegun && !isDrafted(id, draft);
  const undo = () => {
    giveBack(id, before, [...Object.keys(draft), 'offer']);
    before.offer?.();
  };
  const offer = () => {
    if (!isDrafted(id, draft)) return;
    const close = announceReplaced(outcomeOfBox(id), done, isLost ? undo : undefined);
    const stop = useChat.subscribe(() => {
      if (isDrafted(id, draft)) return;
      stop();
      close();
    });
  };
  setDraft(id, { ...draft, offer: isLost ? offer : undefined });
  offer();
}

/** What was set of the draft besides since then, such as another model, stays. */
function giveBack(id: string, before: Draft, fields: readonly string[]): void {
  const since = Object.entries(draftOf(useChat.getState(), id)).filter(([field]) => !fields.includes(field));
  const replaced = Object.entries(before).filter(([field]) => fields.includes(field));
  putDraft(id, { text: '', ...Object.fromEntries([...since, ...replaced]) });
}
