import { useState } from 'react';
import type { SharedValue } from '../../../shared/library/chosenAssets.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { ActionButton, chosenCount, chosenInput, useAction, useCall, useEntities } from '../../app/index.ts';
import { Button, Chip, Dialog, Field, formatCount, Refusal, TextInput } from '../../ui/index.ts';
import { tagChosen } from './bulkActions.ts';
import { useLibraryFilter } from './filter.ts';
import { type AssetChoice, useLibraryView } from './state.ts';

/** The tags of all selected assets. Each change applies at once. */
export function TagButton() {
  // Fixed while the dialog is open: files that arrive meanwhile change the selection.
  const [tagged, setTagged] = useState<AssetChoice>();
  const open = () => setTagged(useLibraryView.getState().choice);
  return (
    <>
      <ActionButton variant="ghost" action="library.tag" onDo={open}>
        {t`Tags`}
      </ActionButton>
      {tagged && <TagDialog choice={tagged} onClose={() => setTagged(undefined)} />}
    </>
  );
}

/** Clears the field after a tag was added, unless the next one is already being typed. */
const without = (added: string) => (now: string) => (now === added ? '' : now);

function TagDialog({ choice, onClose }: { choice: AssetChoice; onClose: () => void }) {
  const [text, setText] = useState('');
  const { refusal, run } = useAction();
  const { data } = useCall('library.facets', useLibraryFilter(), { on: ['asset.changed'] });
  const own = useTagsOfChosen(choice);
  const others = (data?.tag ?? []).filter(({ value }) => !own.some((one) => one.value === value)).slice(0, OFFERED);
  const add = async (tag: string) => {
    if (tag.trim() === '') return;
    const answer = await run(tagChosen(choice, { add: [tag] }));
    if (answer.ok) setText(without(text));
  };
  const count = chosenCount(choice);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t`Tags of ${counted(count, 'item')}`}
      footer={<Button onClick={onClose}>{t`Done`}</Button>}
    >
      <form
        className="col gap"
        onSubmit={(event) => {
          event.preventDefault();
          void add(text);
        }}
      >
        <Field label={t`Add a tag`}>
          <TextInput value={text} onValue={setText} maxLength={60} />
        </Field>
        <Refusal text={refusal} />
        {own.length > 0 && (
          <div className="row wrap">
            {own.map(({ value, count: having }) => (
              <Chip
                key={value}
                on
                onRemove={() => void run(tagChosen(choice, { remove: [value] }))}
                removeLabel={t`Remove ${value}`}
              >
                {value}
                {having < count && <span className="t3"> {formatCount(having)}</span>}
              </Chip>
            ))}
          </div>
        )}
        {others.length > 0 && (
          <>
            <p className="t3">{t`In use`}</p>
            <div className="row wrap">
              {others.map(({ value }) => (
                <Chip key={value} onClick={() => void add(value)}>
                  {value}
                </Chip>
              ))}
            </div>
          </>
        )}
      </form>
    </Dialog>
  );
}

const OFFERED = 12;

/** The tags of the selection, each with its count; for a rule, the library counts them. */
function useTagsOfChosen(choice: AssetChoice): readonly SharedValue[] {
  const { ids, all } = choice;
  const assets = useEntities((state) => state.assets);
  const { data } = useCall('library.chosen', all ? chosenInput(choice) : null, { on: ['asset.changed'] });
  if (all) return data?.tags ?? [];
  const counts = new Map<string, number>();
  for (const id of ids) for (const tag of assets.get(id)?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
}
