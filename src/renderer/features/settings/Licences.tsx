import { useEffect, useRef } from 'react';
import notices from '../../../../THIRD_PARTY_NOTICES.md?raw';
import { t } from '../../../shared/texts.ts';
import { focusOnArrival, navigate } from '../../app/index.ts';
import { Button } from '../../ui/index.ts';
import { SettingsSection } from './form.tsx';
import styles from './settings.module.css';

/** The licences of all that the program contains. They are in English in every language. */
export function Licences() {
  const text = useRef<HTMLElement>(null);
  useEffect(() => focusOnArrival(text.current), []);
  return (
    <SettingsSection
      label={t`Licences`}
      bar={
        <Button variant="ghost" onClick={() => navigate('settings', { section: 'about' })}>
          {t`Back to About`}
        </Button>
      }
    >
      <section
        className={styles.wire}
        ref={text}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is read by keyboard.
        tabIndex={0}
        lang="en"
        translate="no"
        aria-label={t`Licences of other software`}
      >
        {notices}
      </section>
    </SettingsSection>
  );
}
