import { useState } from 'react';
import { flagsStart } from '../../../../shared/promptFlags.ts';
import { withinChoices } from '../../../../shared/promptMatrix.ts';
import { t } from '../../../../shared/texts.ts';
import { announce } from '../../../app/index.ts';
import { FileButton, TextAction } from '../../../ui/index.ts';
import { choiceOfFile } from '../model/listFile.ts';
import { useImages } from '../useImages.ts';
import styles from './matrix.module.css';

/** Where a choice goes: behind the words, before the flags. */
export function withChoice(prompt: string, choice: string): string {
  const at = flagsStart(prompt, withinChoices(prompt));
  return [prompt.slice(0, at).trim(), choice, prompt.slice(at).trim()].filter((part) => part !== '').join(' ');
}

/** Reads a choice from a file, one line for each member. */
export function ListButton() {
  const [refusal, setRefusal] = useState<string>();
  const take = async (file: File) => {
    const choice = await choiceOfFile(file);
    setRefusal(choice.ok ? undefined : choice.error.message);
    if (!choice.ok) return;
    useImages.setState(({ prompt }) => ({ prompt: withChoice(prompt, choice.data) }));
    announce(t`The list of ${file.name} is in the prompt`);
  };
  return (
    <div className={`${styles.listFile} t3`}>
      <FileButton label={t`List file`} accept=".txt,.csv,text/plain,text/csv" onFiles={([file]) => void take(file)}>
        <TextAction>{t`List from a file`}</TextAction>
      </FileButton>
      <span>
        {t`Lists:`} <code>{'{a|b}'}</code>
      </span>
      {refusal && (
        <p className="err" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}
