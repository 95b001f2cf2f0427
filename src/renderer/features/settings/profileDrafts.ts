import { useRef, useState } from 'react';
import { create } from 'zustand';
import type { ProfileDraft } from './draft.ts';
import { changesOf, changesSince, type DraftChanges, laidOver } from './draftChanges.ts';

/** What is typed into a profile and not saved. */
interface Kept {
  /** What a profile that was never saved began as. */
  start?: ProfileDraft;
  changes: DraftChanges;
  /** A token or the value of a header was typed too. It is never kept longer than its form is open. */
  hadSecrets: boolean;
  /** It was sent, and is not answered yet: what is typed from here on stays. */
  isSaving?: boolean;
}

interface Drafts {
  /** By profile. One that was never saved has an id of its own. */
  kept: Readonly<Record<string, Kept>>;
  /** The profile whose form was open last. */
  openId: string | undefined;
  /** The ids that profiles had in their forms before they were saved, by the one they have: the form goes on being used. */
  forms: Readonly<Record<string, string>>;
}

export const NO_DRAFTS: Drafts = { kept: {}, openId: undefined, forms: {} };

export const useProfileDrafts = create<Drafts>()(() => NO_DRAFTS);

export const openProfile = (openId: string | undefined): void => useProfileDrafts.setState({ openId });

const keep = (id: string, entry: Kept): void =>
  useProfileDrafts.setState(({ kept }) => ({ kept: { ...kept, [id]: entry } }));

/** Begins a profile that was never saved, and opens it. */
export function beginProfile(start: ProfileDraft): void {
  const openId = crypto.randomUUID();
  keep(openId, { start, changes: {}, hadSecrets: false });
  openProfile(openId);
}

/** It is saved, discarded or removed. */
export function forgetDraft(id: string): void {
  const { [id]: _, ...kept } = useProfileDrafts.getState().kept;
  useProfileDrafts.setState({ kept });
}

interface Secrets {
  botToken: string;
  headers: Readonly<Record<string, string>>;
}

const NO_SECRETS: Secrets = { botToken: '', headers: {} };

const secretsOf = ({ botToken, extraHeaders }: ProfileDraft): Secrets => ({
  botToken,
  headers: Object.fromEntries(
    Object.entries(extraHeaders).filter((entry): entry is [string, string] => entry[1] !== null),
  ),
});

const hasSecrets = ({ botToken, headers }: Secrets): boolean => botToken !== '' || Object.keys(headers).length > 0;

/** What is typed by now and was not sent. */
const secretsSince = (sent: Secrets, now: Secrets): Secrets => ({
  botToken: now.botToken === sent.botToken ? '' : now.botToken,
  headers: Object.fromEntries(Object.entries(now.headers).filter(([name, value]) => sent.headers[name] !== value)),
});

/** Of the headers that were sent, those that were taken away since. */
function removedSince(sent: ProfileDraft, secrets: Secrets, { extraHeaders }: DraftChanges): string[] {
  return Object.entries(sent.extraHeaders).flatMap(([name, value]) => {
    const isThere = value === null ? !extraHeaders || Object.hasOwn(extraHeaders, name) : name in secrets.headers;
    return isThere ? [] : [name];
  });
}

/** A profile as it is typed, on top of what is saved of it; it stays while other forms and pages are open. */
export function useProfileDraft(id: string, start: ProfileDraft) {
  const kept = useProfileDrafts((drafts) => drafts.kept[id]);
  const [secrets, setSecrets] = useState(NO_SECRETS);
  const [isLater, setLater] = useState(kept?.hadSecrets ?? false);
  const cameWithout = isLater && kept?.hadSecrets === true;
  const latest = useRef(secrets);
  latest.current = secrets;
  const changed = laidOver(start, kept?.changes ?? {});
  const draft: ProfileDraft = {
    ...changed,
    botToken: secrets.botToken,
    extraHeaders: { ...changed.extraHeaders, ...secrets.headers },
  };
  const change = (next: ProfileDraft) => {
    const typed = secretsOf(next);
    setSecrets(typed);
    const hadSecrets = hasSecrets(typed) || cameWithout;
    // While it is being saved, a field that is typed back to what was saved before is a change of what will be.
    const sent = kept?.isSaving ? kept.changes : {};
    keepChanged(id, { ...kept, changes: changesOf(start, next, sent), hadSecrets });
  };
  const drop = () => {
    setSecrets(NO_SECRETS);
    setLater(false);
  };
  /** Takes back all that is not saved. */
  const forget = () => {
    drop();
    forgetDraft(id);
  };
  /** It is being saved: the answer is handed over, or undefined where it was refused. What was typed meanwhile stays. */
  const send = () => {
    const sent: Kept = keptOf(id) ?? { changes: {}, hadSecrets: false };
    keep(id, { ...sent, isSaving: true });
    return (saved: ProfileDraft | undefined) => {
      const now = keptOf(id);
      if (!saved) {
        const changes = changesOf(start, laidOver(start, now?.changes ?? {}));
        return now && keepChanged(id, { ...now, changes, isSaving: false });
      }
      const typed = secretsSince(secretsOf(draft), latest.current);
      drop();
      setSecrets(typed);
      const removed = now ? removedSince(draft, latest.current, now.changes) : [];
      const changes = now ? changesSince(sent.changes, now.changes, saved, removed) : {};
      settle(id, saved, { changes, hadSecrets: hasSecrets(typed) });
    };
  };
  const isSaving = kept?.isSaving ?? false;
  /** Secrets were typed before the form was left, and have to be typed again. */
  const lacksSecrets = cameWithout && !hasSecrets(secrets);
  return { draft, change, forget, send, isSaving, isKept: kept !== undefined, lacksSecrets };
}

const keptOf = (id: string): Kept | undefined => useProfileDrafts.getState().kept[id];

/** Keeps it where there is anything to keep. */
function keepChanged(id: string, entry: Kept): void {
  const { start, changes, hadSecrets, isSaving } = entry;
  if (start || hadSecrets || isSaving || Object.keys(changes).length > 0) keep(id, entry);
  else forgetDraft(id);
}

/** The profile that was typed under `id` is saved; `since` was typed after it was sent. */
function settle(id: string, saved: ProfileDraft, since: Kept): void {
  forgetDraft(id);
  if (saved.id === undefined) return;
  keepChanged(saved.id, since);
  const { forms } = useProfileDrafts.getState();
  if (saved.id !== id) useProfileDrafts.setState({ forms: { ...forms, [saved.id]: id } });
}
