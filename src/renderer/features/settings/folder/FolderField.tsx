import { t } from '../../../../shared/text/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call, host } from '../../../client/index.ts';
import { Button, Field, Refusal, TextInput } from '../../../ui/index.ts';

interface FolderFieldProps {
  label: string;
  value: string;
  onValue: (value: string) => void;
  onEnter: () => void;
  autoFocus?: boolean;
}

/** The full path of a folder, with a dialog if the host has one. */
export function FolderField({ label, value, onValue, onEnter, autoFocus }: FolderFieldProps) {
  const { refusal, run } = useAction();
  const choose = async () => {
    const answer = await run(call('exports.chooseFolder', {}));
    if (answer.ok && answer.data.folder !== null) onValue(answer.data.folder);
  };
  return (
    <>
      <Field label={label}>
        <span className="row">
          <TextInput
            mono
            className="grow"
            value={value}
            onValue={onValue}
            autoFocus={autoFocus}
            placeholder="/…"
            onKeyDown={(event) => event.key === 'Enter' && onEnter()}
          />
          {host() !== 'browser' && <Button onClick={() => void choose()}>{t`Choose`}</Button>}
        </span>
      </Field>
      <Refusal text={refusal} />
    </>
  );
}
