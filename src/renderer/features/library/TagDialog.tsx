import { useState } from 'react';
import type { FacetCount } from '../../../shared/asset.ts';
import { counted, t } from '../../../shared/texts.ts';
import { chosenCount, useAction, useCall, useEntities, useKeyHint, useShortcut } from '../../app/index.ts';
import { Button, Chip, Dialog, Field, formatCount, Refusal, TextInput } from '../../ui/index.ts';
import { tagChosen } from './deeds.ts';
import { useLibraryFilter } from './filter.ts';
import { useLibraryView } from './state.ts';

/** The tags of all that are chosen: each is added and removed at once. */
export function TagButton() {
  const [open, setOpen] = useState(false);
  useShortcut('library.tag', () => setOpen(true));
  return (
    <>
      <Button variant="ghost" kbd={useKeyHint('library.tag')} onClick={() => setOpen(true)}>
        {t`Tags`}
      </Button>
      {open && <TagDialog onClose={() => setOpen(false)} />}
    </>
  );
}

/** What is typed once a tag was added: the next one may be already. */
const without = (added: string) => (now: string) => (now === added ? '' : now);

function TagDialog({ onClose }: { onClose: () => void }) {
  const choice = useLibraryView((view) => view.choice);
  const [text, setText] = useState('');
  const { refusal, run } = useAction();
  const { data } = useCall('library.facets', useLibraryFilter(), { on: ['asset.changed'] });
  const own = useTagsOfChosen(data?.tag);
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
        className="col lib-tags"
        onSubmit={(event) => {
          event.preventDefault();
          void add(text);
        }}
      >
        <Field label={t`Add a tag`} hint={t`Enter adds it`}>
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

/** So many of the tags in use are offered. */
const OFFERED = 12;

/** Which tags they have, and how many of them have each; of a rule, as the library counts them. */
function useTagsOfChosen(counted: readonly FacetCount[] | undefined): readonly FacetCount[] {
  const { ids, all } = useLibraryView((view) => view.choice);
  const assets = useEntities((state) => state.assets);
  if (all) return counted ?? [];
  const counts = new Map<string, number>();
  for (const id of ids) for (const tag of assets.get(id)?.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
}
