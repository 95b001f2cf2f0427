import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ProfileLimits } from '../../../shared/profileLimits.ts';
import { useStudio } from '../../app/index.ts';
import { Chip, Field, Icon, NumberInput, Segmented, TextInput, WhyOff } from '../../ui/index.ts';
import { type FormPart, Group, type ProfileFormProps } from './form.tsx';
import { KeyFields } from './KeyFields.tsx';
import { Models } from './Models.tsx';

/** Where the gateway is, how it is opened, how it speaks, how much at once. */
export function ProfileForm(props: ProfileFormProps) {
  const off = props.profile?.builtin ?? false;
  const part: FormPart = { ...props, off, change: (change) => props.onChange({ ...props.draft, ...change }) };
  return (
    <div className="scroll set">
      {off && (
        <div className="fs-note">
          <WhyOff>
            The sandbox is a whole gateway inside Dailies. It sets itself up at every start; duplicate it to set up a
            real one.
          </WhyOff>
        </div>
      )}
      {props.faults[''] && <p className="err fs-note">{props.faults['']}</p>}
      <Address {...part} />
      <Group
        title="Key"
        text="Kept in this system's key store where there is one. It is never shown again and never leaves for a page."
      >
        <KeyFields {...part} />
      </Group>
      <Dialect {...part} />
      <Limits {...part} />
      <Group
        title="Models"
        text="What this gateway offers, and what each one is for. Preview video models have the rate limit above."
      >
        <Models {...part} />
      </Group>
    </div>
  );
}

function Address({ draft, change, faults, off }: FormPart) {
  return (
    <Group title="Address" text="The host root, without a version. Images live under their own prefix.">
      <div className="g2">
        <Field label="Name" error={faults.name} disabled={off}>
          <TextInput value={draft.name} onValue={(name) => change({ name })} />
        </Field>
        <Field label="Vendor name" hint="in extra_body" error={faults.vendor} disabled={off}>
          <TextInput mono value={draft.vendor} onValue={(vendor) => change({ vendor })} />
        </Field>
        <Field className="span" label="Base URL" error={faults.baseUrl} disabled={off}>
          <TextInput
            mono
            value={draft.baseUrl}
            onValue={(baseUrl) => change({ baseUrl })}
            placeholder="https://gateway.example"
          />
        </Field>
        <Field label="Image prefix" error={faults.imagePrefix} disabled={off}>
          <TextInput mono value={draft.imagePrefix} onValue={(imagePrefix) => change({ imagePrefix })} before="/" />
        </Field>
        <Field label="Video poll path" hint="optional" error={faults.videoPollPath} disabled={off}>
          <TextInput
            mono
            value={draft.videoPollPath}
            onValue={(videoPollPath) => change({ videoPollPath })}
            placeholder="found by itself"
          />
        </Field>
      </div>
    </Group>
  );
}

function Dialect({ draft, change, faults, off }: FormPart) {
  const address = useStudio((state) => state.info?.webhookAddress);
  return (
    <Group
      title="Dialect"
      text="Where services differ and the specification is silent. What would be sent stands at the right."
    >
      <div className="g2">
        <Field label="Field spelling" disabled={off}>
          <Segmented
            full
            value={draft.fieldCase}
            onValue={(fieldCase) => change({ fieldCase })}
            options={[
              { value: 'camel', label: 'lastFrame' },
              { value: 'snake', label: 'last_frame' },
            ]}
          />
        </Field>
        <Field label="Seed and candidates" disabled={off}>
          <Segmented
            full
            value={draft.seedPlacement}
            onValue={(seedPlacement) => change({ seedPlacement })}
            options={[
              { value: 'config', label: 'in config' },
              { value: 'beside', label: 'beside it' },
            ]}
          />
        </Field>
        <Headers draft={draft} change={change} faults={faults} off={off} />
        <Field
          label="Webhook base"
          hint={address ? `a tunnel to ${address}` : 'optional'}
          error={faults.webhookBase}
          disabled={off}
        >
          <TextInput
            mono
            value={draft.webhookBase}
            onValue={(webhookBase) => change({ webhookBase })}
            placeholder="this machine only"
          />
        </Field>
      </div>
    </Group>
  );
}

/** Header names to try for images, one after the other (spec 5.3). */
function Headers({ draft, change, faults, off }: Pick<FormPart, 'draft' | 'change' | 'faults' | 'off'>) {
  const [name, setName] = useState('');
  const names = draft.imageAuthHeaders;
  const add = () => {
    const added = name.trim();
    if (added !== '' && !names.includes(added)) change({ imageAuthHeaders: [...names, added] });
    setName('');
  };
  return (
    <Field
      className="span"
      label="Image key headers"
      hint="tried in this order"
      error={faults.imageAuthHeaders}
      disabled={off}
    >
      <div className="row wrap">
        {names.map((header) => (
          <Chip
            key={header}
            on
            removeLabel={`Remove ${header}`}
            {...(off
              ? {}
              : { onRemove: () => change({ imageAuthHeaders: names.filter((other) => other !== header) }) })}
          >
            {header}
          </Chip>
        ))}
        {!off && (
          <TextInput
            mono
            className="add-header"
            aria-label="Add a header name"
            placeholder="add a name, Enter"
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
    </Field>
  );
}

const LIMITS: [key: keyof ProfileLimits, label: string, unit?: string][] = [
  ['videoPerMinute', 'Videos a minute'],
  ['videosAtOnce', 'Videos at once'],
  ['imagesAtOnce', 'Images at once'],
  ['chatsAtOnce', 'Chats at once'],
  ['downloadsAtOnce', 'Downloads'],
  ['contextTokens', 'Context', 'tokens'],
  ['outputTokens', 'Output', 'tokens'],
];

function Limits({ draft, change, faults, off }: FormPart) {
  return (
    <Group title="Limits" text="Enforced here before anything is sent.">
      <div className="g4">
        {LIMITS.map(([key, label, unit]) => (
          <Field key={key} label={label} error={faults[`limits.${key}`]} disabled={off}>
            <NumberInput
              value={draft.limits[key]}
              onValue={(value) => change({ limits: { ...draft.limits, [key]: value } })}
              min={1}
              unit={unit}
            />
          </Field>
        ))}
      </div>
    </Group>
  );
}
