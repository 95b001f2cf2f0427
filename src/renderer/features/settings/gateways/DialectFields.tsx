import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type DialectField, dialectFields } from '../../../../shared/gateway/dialect.ts';
import { documentsOldAddress } from '../../../../shared/gateway/idempotency.ts';
import type { Idempotency } from '../../../../shared/gateway/idempotencySchema.ts';
import { addressOf } from '../../../../shared/gateway/profile.ts';
import { t } from '../../../../shared/text/texts.ts';
import { protocolLabel, protocolNames } from '../../../../shared/wire/families/index.ts';
import { type Protocols, protocolsOf } from '../../../../shared/wire/protocols.ts';
import { useStudio } from '../../../app/index.ts';
import {
  Chip,
  Field,
  formatStamp,
  Icon,
  NumberInput,
  Segmented,
  Select,
  TextInput,
  Toggle,
} from '../../../ui/index.ts';
import type { ProfileDraft } from './draft.ts';
import styles from './gateways.module.css';
import type { Fields } from './useFields.ts';

interface DialectFieldsProps extends Pick<Fields, 'draft' | 'change' | 'faults' | 'off' | 'profile'> {
  place: DialectField['place'];
}

/** The settings of the API format in one part of the form, as their table describes them. */
export function DialectFields({ draft, change, faults, off, profile, place }: DialectFieldsProps) {
  const webhookAddress = useStudio((state) => state.info?.webhookAddress);
  const formats = { protocols: draft.protocols, spoken: profile.spoken };
  const here = dialectFields(formats).filter(([, field]) => field.place === place);
  return here.map(([name, field]) => {
    const hint = field.hint?.({ webhookAddress });
    const value = (draft as object as Record<string, unknown>)[name];
    const onValue = (next: unknown) => change({ [name]: next } as Partial<ProfileDraft>);
    if (field.control.as === 'idempotency') {
      const about = { label: field.label, hint, error: faults[name], off, value, onValue };
      return <IdempotencyFields key={name} {...about} isOfOther={isOfOther(draft, profile)} />;
    }
    if (field.control.as === 'protocols')
      return <ProtocolFields key={name} value={draft.protocols} spoken={profile.spoken} off={off} onValue={onValue} />;
    return (
      <Field
        key={name}
        className={field.control.as === 'names' ? 'span' : ''}
        label={field.label}
        hint={hint}
        error={faults[name]}
        disabled={off}
      >
        <Control control={field.control} value={value} off={off} onValue={onValue} />
      </Field>
    );
  });
}

const KINDS_OF_FORMAT = { video: t`Video format`, image: t`Image format` } as const;
const FOUND = 'found';

interface ProtocolFieldsProps {
  value: Protocols;
  spoken: Protocols | undefined;
  off: boolean;
  onValue: (value: Protocols) => void;
}

/** The API format of each kind: detected or set. */
const ProtocolFields = ({ value, spoken, off, onValue }: ProtocolFieldsProps) =>
  (Object.keys(KINDS_OF_FORMAT) as (keyof typeof KINDS_OF_FORMAT)[]).map((kind) => {
    const found = protocolLabel(protocolsOf({ spoken })[kind]);
    const options = protocolNames(kind).map((name) => ({ value: name, label: protocolLabel(name) }));
    return (
      <Field key={kind} label={KINDS_OF_FORMAT[kind]} disabled={off}>
        <Select
          aria-label={KINDS_OF_FORMAT[kind]}
          options={[{ value: FOUND, label: t`Automatic: ${found}` }, ...options]}
          value={value[kind] ?? FOUND}
          onValue={(name) => onValue({ ...value, [kind]: name === FOUND ? undefined : name })}
        />
      </Field>
    );
  });

/** Whether the documented value belongs to another address; saving then resets it. */
function isOfOther({ baseUrl, idempotency }: ProfileDraft, profile: Fields['profile']): boolean {
  if (profile.idempotency.kind !== 'documented') return false;
  return documentsOldAddress({ baseUrl: addressOf(baseUrl) ?? profile.baseUrl, idempotency }, profile);
}

interface ControlProps {
  control: Exclude<DialectField['control'], { as: 'idempotency' | 'protocols' }>;
  value: unknown;
  off: boolean;
  onValue: (value: unknown) => void;
}

function Control({ control, value, off, onValue }: ControlProps) {
  if (control.as === 'names') return <Names names={(value ?? []) as string[]} off={off} onValue={onValue} />;
  if (control.as === 'choice')
    return <Segmented full value={String(value)} onValue={onValue} options={control.options} />;
  const { before, placeholder } = control;
  return <TextInput mono value={String(value ?? '')} onValue={onValue} before={before} placeholder={placeholder} />;
}

interface NamesProps {
  names: string[];
  off: boolean;
  onValue: (names: string[]) => void;
}

/** A list of names, such as the image headers to try in turn (spec 5.3). */
function Names({ names, off, onValue }: NamesProps) {
  const [name, setName] = useState('');
  const add = () => {
    const added = name.trim();
    if (added !== '' && !names.includes(added)) onValue([...names, added]);
    setName('');
  };
  return (
    <div className="row wrap">
      {names.map((header) => (
        <Chip
          key={header}
          on
          removeLabel={t`Remove ${header}`}
          {...(off ? {} : { onRemove: () => onValue(names.filter((other) => other !== header)) })}
        >
          {header}
        </Chip>
      ))}
      {!off && (
        <TextInput
          mono
          className={styles.addHeader}
          aria-label={t`Add a name`}
          placeholder={t`Add a name`}
          value={name}
          onValue={setName}
          before={<Icon of={Plus} />}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
      )}
    </div>
  );
}

type None = Extract<Idempotency, { kind: 'none' }>;
type Documented = Omit<Extract<Idempotency, { kind: 'documented' }>, 'windowHours'> & { windowHours: number | null };

interface IdempotencyFieldsProps {
  label: string;
  hint: string | undefined;
  error: string | undefined;
  off: boolean;
  value: unknown;
  /** The documented value belongs to another address, so the field shows what a save will make of it. */
  isOfOther: boolean;
  onValue: (value: unknown) => void;
}

/**
 * What the gateway documents about a repeated idempotency key: nothing, or that it returns the first task, on which page and for how long.
 */
function IdempotencyFields({ label, hint, error, off, value, isOfOther, onValue }: IdempotencyFieldsProps) {
  const now: None | Documented = isOfOther ? { kind: 'none' } : (value as None | Documented);
  const choose = (kind: string) =>
    onValue(kind === 'none' ? { kind } : { kind, source: '', windowHours: null, readAt: Date.now(), night: true });
  return (
    <>
      <Field className="span" label={label} hint={hint} error={error} disabled={off}>
        <Segmented
          full
          value={now.kind}
          onValue={choose}
          options={[
            { value: 'none', label: t`Not known` },
            { value: 'documented', label: t`Supported` },
          ]}
        />
      </Field>
      {now.kind === 'documented' && (
        <>
          <Field
            className="idem"
            label={t`Documentation`}
            hint={now.readAt === undefined ? t`Link or page name` : t`Read ${formatStamp(now.readAt)}`}
            disabled={off}
          >
            <TextInput value={now.source} onValue={(source) => onValue({ ...now, source, readAt: Date.now() })} />
          </Field>
          <Field className="idem" label={t`Key is remembered for`} disabled={off}>
            <NumberInput
              value={now.windowHours}
              onValue={(windowHours) => onValue({ ...now, windowHours, readAt: Date.now() })}
              unit="h"
              min={1}
              max={8_784}
              format={{ maximumFractionDigits: 3 }}
            />
          </Field>
          <div className="span">
            <Toggle checked={now.night} onChecked={(night) => onValue({ ...now, night })} disabled={off}>
              {t`Repeat during overnight runs`}
            </Toggle>
          </div>
        </>
      )}
      <p className="t3 span">{whatItMeans(now, isOfOther)}</p>
    </>
  );
}

function whatItMeans(value: None | Documented, isOfOther: boolean): string {
  if (value.kind === 'documented')
    return t`Dailies repeats a lost request with the same key. If the documentation is wrong, you pay twice.`;
  const { falseSince } = value;
  return [
    isOfOther && t`This documentation is for another address.`,
    falseSince !== undefined && t`On ${formatStamp(falseSince)} the gateway accepted the same idempotency key twice.`,
    t`Off until you add a link to the gateway’s documentation.`,
  ]
    .filter(Boolean)
    .join(' ');
}
