import { useState } from 'react';
import { t } from '../../../../shared/text/texts.ts';
import { WIRE_EXAMPLES, type WireExampleName } from '../../../../shared/wire/examples.ts';
import { announce, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { formatStamp, Refusal, Segmented, TableHead, TextAction } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import settingsStyles from '../settings.module.css';
import { DialectFields } from './DialectFields.tsx';
import styles from './gateways.module.css';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';
import { wirePreview } from './wirePreview.ts';

/** The API format of the gateway, what the check found about it, and the next request as it would be sent. */
export function Format({ fields, handle }: TabProps) {
  return (
    <>
      <Group title={t`API format`} text={t`The first job checks the video options.`}>
        <div className="g2">
          <DialectFields {...fields} place="format" />
        </div>
      </Group>
      <Found fields={fields} handle={handle} />
      <WouldBeSent {...fields} />
    </>
  );
}

/** What the check changed in the API format: the old value, the new one, and how it was found. */
function Found({ fields: { profile }, handle }: TabProps) {
  const { data } = useCall('profiles.found', { id: profile.id }, { on: ['profiles.changed'] });
  const { refusal, run } = useAction();
  const found = data?.found ?? [];
  const undo = async () => {
    const answer = await run(call('profiles.undoFound', { id: profile.id }));
    if (!answer.ok) return;
    announce(t`Undone`);
    void handle.check();
  };
  if (found.length === 0) return null;
  return (
    <>
      <div className="bar sub">
        <h2>{t`Found by the check`}</h2>
        <span className="grow" />
        <TextAction onClick={() => void undo()}>{t`Undo`}</TextAction>
      </div>
      <Refusal text={refusal} />
      <table className={`tbl ${styles.found}`}>
        <TableHead heads={[t`Setting`, t`Was`, t`Is now`, t`How`]} />
        <tbody>
          {found.map(({ setting, was, now, how, at }) => (
            <tr key={setting}>
              <td>{setting}</td>
              <td className="mono t3">{was}</td>
              <td className="mono">{now}</td>
              <td className="t2">{at === undefined ? how : t`${how}, ${formatStamp(at)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const EXAMPLES = (Object.keys(WIRE_EXAMPLES) as WireExampleName[]).map((value) => ({
  value,
  label: WIRE_EXAMPLES[value].label,
}));

function WouldBeSent({ draft, profile }: Fields) {
  const [example, setExample] = useState<WireExampleName>('video');
  const hasBotToken = profile.hasBotToken || draft.botToken !== '';
  const preview = wirePreview(
    { ...draft, spoken: profile.spoken, webhookBase: draft.webhookBase || undefined, hasBotToken },
    example,
  );
  return (
    <Group title={t`Next request`}>
      <Segmented small aria-label={t`Kind of request`} options={EXAMPLES} value={example} onValue={setExample} />
      <pre className={`${settingsStyles.wire} mono`}>
        <b>{`POST ${preview.path}\n`}</b>
        <span className="t3">{`${preview.headers.join('\n')}\n`}</span>
        {JSON.stringify(preview.body, null, 2)}
      </pre>
    </Group>
  );
}
