import { FolderOpen } from 'lucide-react';
import { t } from '../../../shared/text/texts.ts';
import { importFiles, useImporting } from '../../media/importing.ts';
import { Button, FileButton, Icon } from '../../ui/index.ts';
import { lateOpening } from './useImages.ts';

/** Opens the imported picture, unless another one was opened since. */
export function openFiles(files: Iterable<File>): void {
  const open = lateOpening(t`The picture is in Library`);
  void importFiles([...files], ({ id }) => open(id));
}

export function OpenButton() {
  const { left, refused } = useImporting();
  return (
    <>
      {refused[0] && (
        <span className="err cut" role="alert" title={refused.join('\n')}>
          {refused[0]}
        </span>
      )}
      <FileButton label={t`Picture file`} accept="image/png,image/jpeg,image/webp" onFiles={openFiles}>
        <Button variant="ghost" busy={left > 0}>
          <Icon of={FolderOpen} />
          {t`Open a picture`}
        </Button>
      </FileButton>
    </>
  );
}
