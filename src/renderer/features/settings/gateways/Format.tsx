import { useState } from 'react';
import type { FoundSetting } from '../../../../shared/gateway/connection.ts';
import { dialectFields } from '../../../../shared/gateway/dialect.ts';
import { t } from '../../../../shared/text/texts.ts';
import { WIRE_EXAMPLES, type WireExampleName } from '../../../../shared/wire/examples.ts';
import { announce, useAction, useCall } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { CheckGlyph, DraftGlyph, formatStamp, Refusal, Segmented, TableHead, TextAction } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import settingsStyles from '../settings.module.css';
import { DialectFields } from './DialectFields.tsx';
import styles from './gateways.module.css';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';
import { markedPieces, wirePreview } from './wirePreview.ts';

/** How the gateway is spoken to, what the check found of that, and the next request as it would be sent. */
export function Format({ fields, handle }: TabProps) {
  return (
    <>
      <Group title={t`API format`} text={t`Video options can only be checked by a first job.`}>
        <div className="g2">
          <DialectFields {...fields} place="format" />
        </div>
      </Group>
      <Found fields={fields} handle={handle} />
      <WouldBeSent {...fields} />
    </>
  );
}

/** What the check changed in the API format: what it was, what it is now, and how that is known. The rest is as it is set. */
function Found({ fields: { profile }, handle }: TabProps) {
  const { data } = useCall('profiles.found', { id: profile.id }, { on: ['profiles.changed'] });
  const { refusal, run } = useAction();
  const found = data?.found ?? [];
  const asSet = settingsAsSet(profile, found);
  const undo = async () => {
    const answer = await run(call('profiles.undoFound', { id: profile.id }));
    if (!answer.ok) return;
    announce(t`What was found is forgotten. Your settings are used.`);
    void handle.check();
  };
  return (
    <>
      <div className="bar sub">
        <h2>{t`Found by the check`}</h2> <span className="t3">{t`${found.length} found, ${asSet.length} as set`}</span>
        <span className="grow" />
        {found.length > 0 && <TextAction onClick={() => void undo()}>{t`Undo what was found`}</TextAction>}
      </div>
      <Refusal text={refusal} />
      <table className={`tbl ${styles.found}`}>
        <TableHead heads={[[t`Found`, 'vh'], t`Setting`, t`Was`, t`Is now`, t`How it was found`]} />
        <tbody>
          {found.map((one) => (
            <Setting key={one.setting} {...one} isFound />
          ))}
          {asSet.map(({ value, ...one }) => (
            <Setting key={one.setting} {...one} was={value} now={value} />
          ))}
        </tbody>
      </table>
    </>
  );
}

type SettingProps = Omit<FoundSetting, 'by'> & { isFound?: boolean };

const Setting = ({ setting, was, now, how, at, isFound }: SettingProps) => (
  <tr>
    <td className={`${styles.mark} ${isFound ? '' : 't3'}`}>
      {isFound ? <CheckGlyph /> : <DraftGlyph />}
      <span className="vh">{isFound ? t`found` : t`not found out`}</span>
    </td>
    <td>{setting}</td>
    <td className="mono t3">{was}</td>
    <td className="mono">{now}</td>
    <td className={isFound ? 't2' : 't3'}>
      {how}
      {at !== undefined && <span className="t3">, {formatStamp(at)}</span>}
    </td>
  </tr>
);

/** Settings of the dialect that nothing was found of, as they are set. */
function settingsAsSet(profile: Fields['profile'], found: readonly FoundSetting[]) {
  const names = new Set(found.map(({ setting }) => setting));
  return dialectFields(profile).flatMap(([name, field]) => {
    if (field.control.as !== 'choice' || names.has(field.label)) return [];
    const value = (profile as unknown as Record<string, unknown>)[name];
    const shown = field.control.options.find((option) => option.value === value)?.label ?? String(value);
    const how = value === field.default ? t`Default. Would show only in a billed job` : t`Set by you`;
    return [{ setting: field.label, value: shown, how }];
  });
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
    <Group title={t`Next request`} text={t`As it would be sent. Marked words come from the API format.`}>
      <Segmented small aria-label={t`Kind of request`} options={EXAMPLES} value={example} onValue={setExample} />
      <pre className={`${settingsStyles.wire} mono`}>
        <b>{t`POST`}</b> <Marked text={`${preview.path}\n`} marks={preview.marks} />
        <span className="t3">
          <Marked text={`${preview.headers.join('\n')}\n`} marks={preview.marks} />
        </span>
        <Marked text={JSON.stringify(preview.body, null, 2)} marks={preview.marks} />
      </pre>
    </Group>
  );
}

function Marked({ text, marks }: { text: string; marks: readonly string[] }) {
  return markedPieces(text, marks).map((piece, index) =>
    piece.marked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a fixed text have no other name.
      <mark key={index} className="alt">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
