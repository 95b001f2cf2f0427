import { useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { FolderField } from './FolderField.tsx';

/** The library is not there: what that means, and where it may be by now. */
export function Elsewhere({ fault, onChange }: { fault: string; onChange: () => void }) {
  const [folder, setFolder] = useState('');
  const { refusal, run } = useAction();
  const locate = async () => {
    await run(call('library.locate', { folder: folder.trim() }));
    onChange();
  };
  return (
    <Group
      title={t`Not there`}
      text={t`Nothing is lost and nothing is begun anew. It goes on when the disk is back.`}
      refusal={refusal}
    >
      <p role="status">{fault}</p>
      <FolderField label={t`It is here now`} value={folder} onValue={setFolder} onEnter={() => void locate()} />
      <div className="row">
        <span className="grow" />
        <Button off={folder.trim() === '' ? t`Name the folder.` : undefined} onClick={() => void locate()}>
          {t`Use it`}
        </Button>
      </div>
    </Group>
  );
}
