import { FileInput } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../../shared/texts.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { readListFile } from './useListDraft.ts';

/** Chooses a file with a shot list from this computer. */
export function FileButton({ label }: { label: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="ghost" onClick={() => input.current?.click()}>
        <Icon of={FileInput} />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`Shot list`}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void readListFile(file);
        }}
      />
    </>
  );
}
