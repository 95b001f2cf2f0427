import { useState } from 'react';
import { create } from 'zustand';
import { isSame } from '../../../shared/boardChanges.ts';
import type { ProfileDraft } from './draft.ts';

/** What is typed into a profile and not saved: its own fields only, so that what is changed elsewhere meanwhile is not taken back. */
interface Kept {
  /** What a profile that was never saved began as. */
  start?: ProfileDraft;
  changes: Partial<ProfileDraft>;
  /** A token or the value of a header was typed too. It is never kept longer than its form is open. */
  hadSecrets: boolean;
}

interface Drafts {
  /** By profile. One that was never saved has an id of its own. */
  kept: Readonly<Record<string, Kept>>;
  /** The profile whose form was open last. */
  openId: string | undefined;
}

export const NO_DRAFTS: Drafts = { kept: {}, openId: undefined };

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

/** The fields that differ from the start, without secrets: of the headers those that are stored already. */
function changesOf(start: ProfileDraft, next: ProfileDraft): Partial<ProfileDraft> {
  const stored = Object.keys(next.extraHeaders).filter((name) => Object.hasOwn(start.extraHeaders, name));
  const extraHeaders = Object.fromEntries(stored.map((name) => [name, null]));
  const open: ProfileDraft = { ...next, botToken: '', extraHeaders };
  const fields = Object.keys(open) as (keyof ProfileDraft)[];
  return Object.fromEntries(
    fields.filter((name) => !isSame(open[name], start[name])).map((name) => [name, open[name]]),
  );
}

interface DraftHandle {
  draft: ProfileDraft;
  change: (next: ProfileDraft) => void;
  /** Takes back all that is not saved. */
  forget: () => void;
  /** Secrets were typed before the form was left, and have to be typed again. */
  lacksSecrets: boolean;
}

/** A profile as it is typed, on top of what is saved of it; it stays while other forms and pages are open. */
export function useProfileDraft(id: string, start: ProfileDraft): DraftHandle {
  const kept = useProfileDrafts((drafts) => drafts.kept[id]);
  const [secrets, setSecrets] = useState(NO_SECRETS);
  const [cameWithout, setCameWithout] = useState(kept?.hadSecrets ?? false);
  const changed = { ...start, ...kept?.changes };
  const draft: ProfileDraft = {
    ...changed,
    botToken: secrets.botToken,
    extraHeaders: { ...changed.extraHeaders, ...secrets.headers },
  };
  const change = (next: ProfileDraft) => {
    const typed = secretsOf(next);
    setSecrets(typed);
    const changes = changesOf(start, next);
    const hadSecrets = hasSecrets(typed) || cameWithout;
    if (!kept?.start && !hadSecrets && Object.keys(changes).length === 0) forgetDraft(id);
    else keep(id, { ...kept, changes, hadSecrets });
  };
  const forget = () => {
    setSecrets(NO_SECRETS);
    setCameWithout(false);
    forgetDraft(id);
  };
  return { draft, change, forget, lacksSecrets: cameWithout && !hasSecrets(secrets) };
}
