import { t } from '../../../../shared/texts.ts';
import { Field, TextInput } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { DialectFields } from './DialectFields.tsx';
import { ExtraHeaders } from './ExtraHeaders.tsx';
import type { TabProps } from './tabs.ts';
import { Webhooks } from './Webhooks.tsx';

/** What only an unusual gateway needs. */
export function Advanced({ fields }: TabProps) {
  const { draft, change, faults, off, profile } = fields;
  return (
    <>
      <Group title={t`Requests`} text={t`Where gateways differ and nothing says how.`}>
        <div className="g2">
          <DialectFields {...fields} place="advanced" />
        </div>
      </Group>
      {!off && (
        <Group title={t`Further secrets`} text={t`Stored like the key, and never shown again.`}>
          <Field label={t`Bot token`} hint={profile.hasBotToken ? t`stored` : t`optional`} error={faults.botToken}>
            <TextInput
              mono
              type="password"
              autoComplete="off"
              value={draft.botToken}
              onValue={(botToken) => change({ botToken })}
              placeholder={profile.hasBotToken ? '••••••••' : t`none`}
            />
          </Field>
          <ExtraHeaders {...fields} />
        </Group>
      )}
      <Webhooks profile={profile} />
    </>
  );
}
