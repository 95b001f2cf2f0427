import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DIALECT, type DialectField } from '../../../../shared/dialect.ts';
import { isSaidOfOther } from '../../../../shared/idempotency.ts';
import { addressOf } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { useStudio } from '../../../app/index.ts';
import { Chip, Field, Icon, Segmented, TextInput } from '../../../ui/index.ts';
import type { ProfileDraft } from './draft.ts';
import styles from './gateways.module.css';
import { IdempotencyFields } from './IdempotencyFields.tsx';
import type { Fields } from './useFields.ts';

interface DialectFieldsProps extends Pick<Fields, 'draft' | 'change' | 'faults' | 'off' | 'profile'> {
  place: DialectField['place'];
}

/** The settings of the dialect that stand in one place of the form, as their table describes them. */
export function DialectFields({ draft, change, faults, off, profile, place }: DialectFieldsProps) {
  const webhookAddress = useStudio((state) => state.info?.webhookAddress);
  const here = Object.entries<DialectField>(DIALECT).filter(([, field]) => field.place === place);
  return here.map(([name, field]) => {
    const hint = field.hint?.({ webhookAddress });
    const value = (draft as object as Record<string, unknown>)[name];
    const onValue = (next: unknown) => change({ [name]: next } as Partial<ProfileDraft>);
    if (field.control.as === 'idempotency') {
      const about = { label: field.label, hint, error: faults[name], off, value, onValue };
      return <IdempotencyFields key={name} {...about} isOfOther={isOfOther(draft, profile)} />;
    }
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

/** Whether it stands there from another address: a save takes it away. */
function isOfOther({ baseUrl, idempotency }: ProfileDraft, profile: Fields['profile']): boolean {
  if (profile.idempotency.kind !== 'documented') return false;
  return isSaidOfOther({ baseUrl: addressOf(baseUrl) ?? profile.baseUrl, idempotency }, profile);
}

interface ControlProps {
  control: Exclude<DialectField['control'], { as: 'idempotency' }>;
  value: unknown;
  off: boolean;
  onValue: (value: unknown) => void;
}

function Control({ control, value, off, onValue }: ControlProps) {
  if (control.as === 'names')
    return <Names one={control.one} names={(value ?? []) as string[]} off={off} onValue={onValue} />;
  if (control.as === 'choice')
    return <Segmented full value={String(value)} onValue={onValue} options={control.options} />;
  const { before, placeholder } = control;
  return <TextInput mono value={String(value ?? '')} onValue={onValue} before={before} placeholder={placeholder} />;
}

interface NamesProps {
  /** What each of them is. */
  one: string;
  names: string[];
  off: boolean;
  onValue: (names: string[]) => void;
}

/** A list of names, such as the headers to try for images one after the other (spec 5.3). */
function Names({ one, names, off, onValue }: NamesProps) {
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
          aria-label={t`Add a ${one}`}
          placeholder={t`add a name, Enter`}
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
