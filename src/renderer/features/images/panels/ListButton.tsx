import { useState } from 'react';
import { fail, ok, type Result } from '../../../../shared/contract/result.ts';
import { flagsStart } from '../../../../shared/jobs/promptFlags.ts';
import { escapeChoice, MAX_PROMPTS, withinChoices } from '../../../../shared/jobs/promptMatrix.ts';
import { csvRows, plainCell, separatorOf } from '../../../../shared/tables/csv.ts';
import { textLines } from '../../../../shared/text/textLines.ts';
import { formatCount, t } from '../../../../shared/text/texts.ts';
import { announce } from '../../../app/index.ts';
import { textOfFile } from '../../../media/textOfFile.ts';
import { FileButton, TextAction } from '../../../ui/index.ts';
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

const MOST_CHARACTERS = 1_000_000;

/** The choice that a file stands for, one line for each member; empty lines are none. */
export async function choiceOfFile(file: Blob & { name: string }): Promise<Result<string>> {
  const text = await textOfFile(file, MOST_CHARACTERS);
  if (!text.ok) return text;
  const read = file.name.toLowerCase().endsWith('.csv') ? ofTable(file.name, text.data) : ok(ofLines(text.data));
  if (!read.ok) return read;
  const members = read.data.map((words) => words.trim()).filter((words) => words !== '');
  if (members.length === 0) return fail('invalid_input', t`${file.name} is empty.`);
  if (members.length > MAX_PROMPTS) {
    const [count, most] = [members.length, MAX_PROMPTS].map((number) => formatCount(number));
    return fail('too_large', t`${file.name} has ${count} lines; a list has at most ${most}.`);
  }
  const words = members.map(escapeChoice).join('|');
  return ok(members.length === 1 ? words : `{${words}}`);
}

const ofLines = (text: string): string[] => [...textLines(text)].map(({ start, end }) => text.slice(start, end));

function ofTable(name: string, text: string): Result<string[]> {
  const members: string[] = [];
  for (const { line, cells, fault } of csvRows(text, separatorOf(text))) {
    if (fault !== undefined) return fail('invalid_input', t`${name}, line ${line}: ${fault}`);
    if (cells.slice(1).some((cell) => cell.trim() !== ''))
      return fail('invalid_input', t`${name} has several columns in line ${line}; a list has one.`);
    members.push(ofLines(plainCell(cells[0] ?? '')).join(' '));
  }
  return ok(members);
}
