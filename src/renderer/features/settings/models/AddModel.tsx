import { useState } from 'react';
import { allPricings } from '../../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../../shared/kinds/pricings.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Dialog, Field, Refusal, Select, TextInput } from '../../../ui/index.ts';

interface AddModelProps {
  profile: ProfileView;
  /** Ids of the service's list that the profile does not have. */
  others: readonly string[];
  onClose: () => void;
}

/** Enters a model by hand; the ids of the service's list are offered. */
export function AddModel({ profile, others, onClose }: AddModelProps) {
  const [id, setId] = useState('');
  const [kind, setKind] = useState<PriceKind>(PRICINGS.video.name);
  const { refusal, run } = useAction();
  const known = profile.models.some((model) => model.id === id.trim());
  const off =
    id.trim() === '' ? 'Write the id of the model first.' : known ? 'That model is listed already.' : undefined;
  const add = async () => {
    if (off) return;
    const models = [...profile.models, { id: id.trim(), kind }];
    const saved = await run(call('profiles.save', { id: profile.id, models }));
    if (!saved.ok) return;
    announce(`${id.trim()} is added`);
    onClose();
  };
  const footer = (
    <>
      <Button variant="ghost" onClick={onClose}>
        Cancel
      </Button>
      <Button variant="primary" off={off} onClick={() => void add()}>
        Add the model
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={`A model of ${profile.name}`} footer={footer} width={420}>
      <div className="mdl-add">
        <Refusal text={refusal} />
        <Field label="Model id" hint={others.length > 0 ? `${others.length} of its list are not here yet` : undefined}>
          <TextInput
            mono
            list="listed-models"
            value={id}
            onValue={setId}
            onKeyDown={(event) => event.key === 'Enter' && void add()}
          />
        </Field>
        <datalist id="listed-models">
          {others.map((other) => (
            <option key={other} value={other} />
          ))}
        </datalist>
        <Field label="What it is for">
          <Select
            aria-label="What it is for"
            options={allPricings().map(({ name, title }) => ({ value: name as PriceKind, label: title }))}
            value={kind}
            onValue={setKind}
          />
        </Field>
      </div>
    </Dialog>
  );
}
