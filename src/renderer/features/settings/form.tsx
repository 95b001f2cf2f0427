import type { ReactNode } from 'react';
import type { ProfileView } from '../../../shared/profile.ts';
import type { Faults, ProfileDraft } from './draft.ts';
import styles from './settings.module.css';

export interface ProfileFormProps {
  draft: ProfileDraft;
  onChange: (draft: ProfileDraft) => void;
  faults: Faults;
  profile: ProfileView | undefined;
  /** A token or the value of a header was typed before the form was left, and is not in it any more. */
  lacksSecrets: boolean;
}

export type FormPart = ProfileFormProps & { change: (part: Partial<ProfileDraft>) => void; off: boolean };

/** A block of the form: what it is about at the left, its fields at the right. */
export function Group({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles.fs} aria-label={title}>
      <div className={styles.fl}>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      {children}
    </section>
  );
}
