import { originOf } from '../../../shared/profile.ts';
import { LIMITS, type LimitDescription, type LimitName } from '../../../shared/profileLimits.ts';
import { t } from '../../../shared/texts.ts';
import { ApiKey } from '../../app/index.ts';
import { Field, NumberInput, TextInput, WhyOff } from '../../ui/index.ts';
import { DialectFields } from './DialectFields.tsx';
import { ExtraHeaders } from './ExtraHeaders.tsx';
import { type FormPart, Group, type ProfileFormProps } from './form.tsx';
import { Models } from './Models.tsx';
import styles from './settings.module.css';

/** Where the gateway is, how it is opened, how it speaks, how much at once. */
export function ProfileForm(props: ProfileFormProps) {
  const off = props.profile?.builtin ?? false;
  const part: FormPart = { ...props, off, change: (change) => props.onChange({ ...props.draft, ...change }) };
  return (
    <div className={`scroll ${styles.set}`}>
      {off && (
        <div className={styles.fsNote}>
          <WhyOff>
            {t`The sandbox is a whole gateway inside Dailies. It sets itself up at every start; duplicate it to set up a real one.`}
          </WhyOff>
        </div>
      )}
      {props.faults[''] && <p className={`err ${styles.fsNote}`}>{props.faults['']}</p>}
      <Address {...part} />
      <Group
        title={t`Key`}
        text={t`Kept in this system's key store where there is one. It is never shown again and never leaves for a page.`}
      >
        <KeyFields {...part} />
      </Group>
      <Dialect {...part} />
      <Limits {...part} />
      <Group
        title={t`Models`}
        text={t`What this gateway offers, and what each one is for. Preview video models have the rate limit above.`}
      >
        <Models {...part} />
      </Group>
    </div>
  );
}

function Address(part: FormPart) {
  const { draft, change, faults, off, profile } = part;
  const origin = originOf(draft.baseUrl);
  const moves = profile !== undefined && origin !== undefined && origin !== originOf(profile.baseUrl);
  return (
    <Group title={t`Address`} text={t`The host root, without a version. Images live under their own prefix.`}>
      <div className="g2">
        <Field label={t`Name`} error={faults.name} disabled={off}>
          <TextInput value={draft.name} onValue={(name) => change({ name })} />
        </Field>
        <DialectFields {...part} place="name" />
        <Field
          className="span"
          label={t`Base URL`}
          hint={moves && !off ? t`Another gateway: enter its API key again after saving.` : undefined}
          error={faults.baseUrl}
          disabled={off}
        >
          <TextInput
            mono
            value={draft.baseUrl}
            onValue={(baseUrl) => change({ baseUrl })}
            placeholder={t`https://gateway.example`}
          />
        </Field>
        <DialectFields {...part} place="address" />
      </div>
    </Group>
  );
}

const Dialect = (part: FormPart) => (
  <Group
    title={t`Dialect`}
    text={t`Where services differ and the specification is silent. What would be sent stands at the right.`}
  >
    <div className="g2">
      <DialectFields {...part} place="dialect" />
    </div>
  </Group>
);

const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

const Limits = ({ draft, change, faults, off }: FormPart) => (
  <Group
    title={t`Limits`}
    text={t`Kept here before anything is sent. Output is what a price counts with: no service is told to stop there, and a longer answer costs more.`}
  >
    <div className="g4">
      {LIMIT_NAMES.map((name) => {
        const { label, unit }: LimitDescription = LIMITS[name];
        return (
          <Field key={name} label={label} error={faults[`limits.${name}`]} disabled={off}>
            <NumberInput
              value={draft.limits[name]}
              onValue={(value) => change({ limits: { ...draft.limits, [name]: value } })}
              min={1}
              unit={unit}
            />
          </Field>
        );
      })}
    </div>
  </Group>
);

function KeyFields(part: FormPart) {
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
