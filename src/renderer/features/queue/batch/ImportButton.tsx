import { FileInput } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { useKeyHint } from '../../../app/index.ts';
import { Button, Icon } from '../../../ui/index.ts';
import { openImport } from './jobs.ts';

/** The way from the queue to many jobs at once; the palette has it everywhere. */
export function ImportButton() {
  const hint = useKeyHint('queue.import');
  return (
    <Button kbd={hint} onClick={openImport}>
      <Icon of={FileInput} />
      {t`Import`}
    </Button>
  );
}
