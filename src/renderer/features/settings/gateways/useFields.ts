import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { announce, takeProfile } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { draftOfProfile, type Faults, faultsOf, inputOf, type ProfileDraft } from './draft.ts';

/** The settings of a gateway as they are typed; each is saved when its field is left. */
export interface Fields {
  draft: ProfileDraft;
  change: (part: Partial<ProfileDraft>) => void;
  faults: Faults;
  profile: ProfileView;
  /** The sandbox configures itself. */
  off: boolean;
}

const isTyped = (element: Element | null): boolean =>
  element instanceof HTMLInputElement && !['checkbox', 'radio'].includes(element.type);

/** The documented repetition of a key is saved once its page and its hours are filled in. */
const isWhole = ({ idempotency }: Partial<ProfileDraft>): boolean =>
  idempotency?.kind !== 'documented' || (idempotency.source !== '' && Boolean(idempotency.windowHours));

export function useFields(profile: ProfileView) {
  const [typed, setTyped] = useState<Partial<ProfileDraft>>({});
  const [faults, setFaults] = useState<Faults>({});
  const latest = useRef(typed);
  const isSaving = useRef(false);
  const keep = (next: Partial<ProfileDraft>) => {
    latest.current = next;
    setTyped(next);
  };

  const commit = async () => {
    const sent = latest.current;
    if (isSaving.current || Object.keys(sent).length === 0 || !isWhole(sent)) return;
    isSaving.current = true;
    const answer = await call('profiles.save', { id: profile.id, ...inputOf(sent) });
    isSaving.current = false;
    if (!answer.ok) {
      const refused = faultsOf(answer.error);
      announce(Object.values(refused)[0] ?? '', 'assertive');
      return setFaults(refused);
    }
    setFaults({});
    takeProfile(answer.data);
    const since = Object.entries(latest.current).filter(
      ([name, value]) => value !== (sent as Record<string, unknown>)[name],
    );
    keep(Object.fromEntries(since));
    if (since.length > 0) void commit();
  };

  const change = (part: Partial<ProfileDraft>) => {
    keep({ ...latest.current, ...part });
    // A choice is saved at once; text is saved when typing ends.
    if (!isTyped(document.activeElement)) void commit();
  };
  const leave = useEffectEvent(() => void commit());
  useEffect(() => () => leave(), []);
  const fields: Fields = {
    draft: { ...draftOfProfile(profile), ...typed },
    change,
    faults,
    profile,
    off: profile.builtin,
  };
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Enter' && void commit();
  return { fields, handlers: { onBlur: () => void commit(), onKeyDown } };
}
