import { useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { Button, Field, TextAction, TextInput } from '../../../ui/index.ts';
import type { Fields } from './useFields.ts';

/** Headers that a gateway in front of the gateway asks for. Their values are written, never shown; they are stored as they are added. */
export function ExtraHeaders({ draft, change, faults, profile }: Fields) {
  const headers = Object.entries(draft.extraHeaders);
  const keep = (other: string, added: Record<string, string> = {}) => {
    const rest = headers.filter(([name]) => name.toLowerCase() !== other.toLowerCase());
    change({ extraHeaders: { ...Object.fromEntries(rest), ...added } });
  };
  return (
    <Field
      className="span"
      label={t`Extra headers`}
      hint={t`for a gateway in front; guarded like the key`}
      error={faults.extraHeaders}
    >
      <div className="col gap-s">
        {headers.map(([name, value]) => {
          const isMissing = value === null && profile.missingHeaders.includes(name);
          return (
            <span key={name} className="in">
              <span className="mono cut">{name}</span>
              <span className={isMissing ? 'grow err' : 'grow t3'}>
                {isMissing ? t`its value is gone: remove it, and add it again` : t`stored, not shown`}
              </span>
              <TextAction aria-label={t`Remove the header ${name}`} onClick={() => keep(name)}>
                {t`Remove`}
              </TextAction>
            </span>
          );
        })}
        <NewHeader onAdd={(name, value) => keep(name, { [name]: value })} />
      </div>
    </Field>
  );
}

function NewHeader({ onAdd }: { onAdd: (name: string, value: string) => void }) {
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const complete = name.trim() !== '' && value.trim() !== '';
  const add = () => {
    if (!complete) return;
    onAdd(name.trim(), value.trim());
    setName('');
    setValue('');
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <span className="row">
      <TextInput
        mono
        aria-label={t`Name of the header`}
        placeholder={t`X-Gateway-Team`}
        value={name}
        onValue={setName}
        onKeyDown={onKeyDown}
      />
      <TextInput
        mono
        type="password"
        autoComplete="off"
        aria-label={t`Value of the header`}
        placeholder={t`its value`}
        value={value}
        onValue={setValue}
        onKeyDown={onKeyDown}
      />
      <Button onClick={add} off={complete ? undefined : t`Enter the name and the value first.`}>
        {t`Add header`}
      </Button>
    </span>
  );
}
