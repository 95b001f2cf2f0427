import { FileInput, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../shared/text/texts.ts';
import { BackButton, focusOnArrival, printChord, useKeyHint, useShortcut } from '../app/index.ts';
import { Button, FileButton, Icon, IconButton, TextArea } from '../ui/index.ts';
import styles from './tableImport.module.css';
import type { TableImport } from './tableImport.ts';

/** The sources of a text: a file, a drop, a paste, or typing. */

interface ImportBarProps {
  table: TableImport;
  title: ReactNode;
  /** The address of the Back link. */
  back: string;
  onBack: () => void;
  facts: string;
  /** The text can be edited here. */
  isEditable?: boolean;
  children?: ReactNode;
}

export function ImportBar({ table, title, back, onBack, facts, isEditable = false, children }: ImportBarProps) {
  const isEmpty = table.useDraft(({ text }) => text.trim() === '');
  const { fileLabel, accept } = table.options;
  return (
    <div className={`bar ${styles.importBar}`}>
      <BackButton className={styles.back} onLeave={onBack}>
        {back}
      </BackButton>
      {title}
      <span className="t3 cut">{facts}</span>
      <span className="grow" />
      {children}
      {isEditable && !isEmpty && (
        <>
          <UndoButton table={table} />
          <Button variant="ghost" onClick={table.edit}>{t`Edit text`}</Button>
        </>
      )}
      <FileButton label={fileLabel} accept={accept} onFiles={([file]) => void table.readFile(file)}>
        <Button variant="ghost">
          <Icon of={FileInput} />
          {t`Choose a file`}
        </Button>
      </FileButton>
    </div>
  );
}

function UndoButton({ table }: { table: TableImport }) {
  const canUndo = table.useDraft(({ past }) => past.length > 0);
  useShortcut('import.undo', table.undo, canUndo);
  return (
    <IconButton
      label={t`Undo`}
      tip={useKeyHint('import.undo')}
      off={canUndo ? undefined : t`Nothing to undo`}
      onClick={table.undo}
    >
      <Icon of={Undo2} />
    </IconButton>
  );
}

interface StartProps {
  table: TableImport;
  label: string;
  /** One sentence below the field. */
  hint: string;
  placeholder: string;
  children?: ReactNode;
}

/** The empty page: type or paste a text, or drop or choose a file. */
export function ImportStart({ table, label, hint, placeholder, children }: StartProps) {
  const typed = table.useDraft((draft) => draft.typed);
  return (
    <div className={`col gap scroll ${styles.start}`}>
      <p>{t`Drop a file, paste with ${printChord('Mod+V')}, or type here. ${hint}`}</p>
      <TextArea
        className="mono"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onValue={(text) => table.useDraft.setState({ typed: text })}
        maxLength={table.options.mostCharacters}
        rows={8}
        spellCheck={false}
        ref={focusOnArrival}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text/plain');
          // A whole text pasted into the empty field is imported at once.
          if (typed !== '' || !text.includes('\n')) return;
          event.preventDefault();
          table.start(text);
        }}
      />
      <div>
        <Button
          off={typed.trim() === '' ? t`Type or paste a row first.` : undefined}
          onClick={() => table.start(typed)}
        >{t`Read rows`}</Button>
      </div>
      {children}
    </div>
  );
}
