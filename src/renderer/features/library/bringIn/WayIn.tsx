import { FolderInput } from 'lucide-react';
import { useRef } from 'react';
import type { Asset } from '../../../../shared/library/asset.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { importFiles } from '../../../media/importing.ts';
import { FileButton, Icon, IconButton } from '../../../ui/index.ts';
import { BringInDialog } from './BringInDialog.tsx';
import { checkGiven } from './bringIn.ts';
import { droppedFiles, type GivenFile, isExport, pickedFiles } from './givenFiles.ts';

/** Pictures and clips on their own are imported at once; with sidecars, or as a folder, everything is read first. */
export function takeFiles(given: readonly GivenFile[], onTaken: (asset: Asset) => void): void {
  if (isExport(given)) void checkGiven(given);
  else
    void importFiles(
      given.map(({ file }) => file),
      onTaken,
    );
}

export async function takeDrop(transfer: DataTransfer, onTaken: (asset: Asset) => void): Promise<void> {
  takeFiles(await droppedFiles(transfer), onTaken);
}

/** How to import an export of another folder: a button, a command, and the dialog of both. */
export function BringIn() {
  const picker = useRef<HTMLInputElement>(null);
  useShortcut('library.bringIn', () => picker.current?.click());
  return (
    <>
      <FileButton
        ref={picker}
        label={t`Export folder`}
        isFolder
        onFiles={(files) => void checkGiven(pickedFiles(files))}
      >
        <IconButton label={t`Import an export`}>
          <Icon of={FolderInput} />
        </IconButton>
      </FileButton>
      <BringInDialog />
    </>
  );
}
