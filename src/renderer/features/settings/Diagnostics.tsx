import { t } from '../../../shared/texts.ts';
import { copyText, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { saveFile } from '../../media/saveText.ts';
import { Button, Reading } from '../../ui/index.ts';
import { LongText, SettingsSection } from './form.tsx';

/** What helps to find a fault, shown before it is copied; nothing goes out by itself. */
export function Diagnostics() {
  const read = useCall('diagnostics.read', {});
  const { data, reload } = read;
  const { refusal, run } = useAction();
  const copy = async () => {
    // As it is now, and not as it was when the page was opened.
    const answer = await run(call('diagnostics.read', {}));
    if (answer.ok) await copyText(answer.data.text, t`diagnostics`);
    reload();
  };
  return (
    <SettingsSection
      label={t`Diagnostics`}
      note={t`no key, prompt or header value is in it`}
      refusal={refusal}
      bar={
        <>
          <Button variant="ghost" onClick={reload}>
            {t`Read again`}
          </Button>
          <Button variant="ghost" off={data ? undefined : t`It is being read.`} onClick={() => data && save(data.text)}>
            {t`Save as file`}
          </Button>
          <Button onClick={() => void copy()}>{t`Copy`}</Button>
        </>
      }
    >
      <Reading of={read} rows={8} label={t`Reading what there is to know`}>
        {({ text }) => <LongText aria-label={t`What is copied`}>{text}</LongText>}
      </Reading>
    </SettingsSection>
  );
}

const save = (text: string): void => saveFile('dailies-diagnostics.txt', text, 'text/plain;charset=utf-8');
