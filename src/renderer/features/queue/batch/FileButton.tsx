import { FileInput } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../../shared/texts.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { readBatchFile } from './useBatchDraft.ts';

/** Chooses a file with jobs from this computer. */
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
        aria-label={t`File with jobs`}
        accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv,text/plain,application/jsonl"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void readBatchFile(file);
        }}
      />
    </>
  );
}
