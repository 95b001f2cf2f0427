import { useEffect, useRef } from 'react';
import notices from '../../../../THIRD_PARTY_NOTICES.md?raw';
import { t } from '../../../shared/text/texts.ts';
import { focusOnArrival } from '../../app/index.ts';
import { LongText, SettingsSection } from './form.tsx';

/** The licences of everything that the program contains, in English in every language. */
export function Licences() {
  const text = useRef<HTMLElement>(null);
  useEffect(() => focusOnArrival(text.current), []);
  return (
    <SettingsSection label={t`Licences`}>
      <LongText ref={text} lang="en" aria-label={t`Licences of other software`}>
        {notices}
      </LongText>
    </SettingsSection>
  );
}
