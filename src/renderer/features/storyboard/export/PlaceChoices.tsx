import { useState } from 'react';
import { fileNameOf } from '../../../../shared/fileNames.ts';
import { t } from '../../../../shared/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call, host } from '../../../client/index.ts';
import { Button, Field, Refusal, Section, TextAction, TextInput, Toggle } from '../../../ui/index.ts';
import styles from './export.module.css';
import type { ExportPanelProps } from './exportProps.ts';

/** The name of the export, its folder, and whether the files say what they are. */
export function PlaceChoices({ choices, choose, way, project }: ExportPanelProps & { project: string }) {
  const name = choices.name ?? project;
  const extension = way === 'none' ? (choices.beside[0] ?? '') : 'mp4';
  return (
    <Section title={t`Name and place`}>
      <Field label={t`Name`} error={name.trim() === '' ? t`Name: must not be empty.` : undefined}>
        <TextInput value={name} onValue={(next) => choose({ name: next })} maxLength={200} />
      </Field>
      <p className={`t3 ${styles.preview} mono`}>{`${fileNameOf(name)}${extension === '' ? '' : `.${extension}`}`}</p>
      <Folder folder={choices.folder} onFolder={(folder) => choose({ folder })} />
      <div className={styles.toggle}>
        <Toggle checked={choices.provenance} onChecked={(provenance) => choose({ provenance })}>
          {t`Say in each file how it was made`}
        </Toggle>
        <p className="t3">{t`Prompt, model and seed, marked as made by AI: in MP4, PNG, JPEG and WebP. Linked files and the takes in the library stay as they came.`}</p>
      </div>
    </Section>
  );
}

/** A folder of the user's: chosen where the host can ask for one, else named by its path. */
function Folder({ folder, onFolder }: { folder: string | undefined; onFolder: (folder: string | undefined) => void }) {
  const { run, refusal } = useAction();
  const [typed, setTyped] = useState<string>();
  const ask = async () => {
    if (host() === 'browser') return setTyped(folder ?? '');
    const answer = await run(call('exports.chooseFolder', {}));
    if (answer.ok && answer.data.folder !== null) onFolder(answer.data.folder);
  };
  const take = () => {
    onFolder(typed?.trim() === '' ? undefined : typed?.trim());
    setTyped(undefined);
  };
  if (typed !== undefined) {
    return (
      <Field label={t`Folder`} hint={t`an existing one, as a whole path`}>
        <span className="row">
          <TextInput
            mono
            className="grow"
            value={typed}
            onValue={setTyped}
            autoFocus
            placeholder={t`/home/you/Films`}
            onKeyDown={(event) => event.key === 'Enter' && take()}
          />
          <Button onClick={take}>{t`Use it`}</Button>
        </span>
      </Field>
    );
  }
  return (
    <>
      <div className={`row ${styles.folder}`}>
        <span className="t2 cut grow" title={folder}>
          {t`in ${folder ?? t`the data folder`}`}
        </span>
        {folder !== undefined && <TextAction onClick={() => onFolder(undefined)}>{t`Data folder`}</TextAction>}
        <TextAction onClick={() => void ask()}>{t`Change`}</TextAction>
      </div>
      <Refusal text={refusal} />
    </>
  );
}
