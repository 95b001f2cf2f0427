import { t } from '../../../shared/texts.ts';
import { ApiKey } from '../../app/index.ts';
import { Field, TextInput, WhyOff } from '../../ui/index.ts';
import { ExtraHeaders } from './ExtraHeaders.tsx';
import type { FormPart } from './form.tsx';

export function KeyFields(part: FormPart) {
  const { draft, change, faults, profile, off, lacksSecrets } = part;
  if (off) return <p className="t2">{t`The sandbox needs no key, no network and no money.`}</p>;
  return (
    <div className="g2">
      <div className="span">
        {profile ? (
          <ApiKey profileId={profile.id} place={profile.key} />
        ) : (
          <WhyOff>{t`Save the profile first; then its key can be stored.`}</WhyOff>
        )}
      </div>
      <Field
        label={t`Bot token`}
        hint={profile?.hasBotToken ? t`stored, write to replace` : t`optional`}
        error={faults.botToken}
      >
        <TextInput
          mono
          type="password"
          autoComplete="off"
          value={draft.botToken}
          onValue={(botToken) => change({ botToken })}
          placeholder={profile?.hasBotToken ? '••••••••' : t`none`}
        />
      </Field>
      <ExtraHeaders {...part} />
      {lacksSecrets && (
        <div className="span">
          <WhyOff>{t`A bot token or the value of a header was typed here and is kept only while this form is open. Enter it again.`}</WhyOff>
        </div>
      )}
    </div>
  );
}
