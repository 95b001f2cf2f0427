import { useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { WIRE_EXAMPLES, type WireExampleName } from '../../../../shared/wire/examples.ts';
import { useCall } from '../../../app/index.ts';
import { Segmented } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import settingsStyles from '../settings.module.css';
import { DialectFields } from './DialectFields.tsx';
import { Found } from './Found.tsx';
import styles from './gateways.module.css';
import type { TabProps } from './tabs.ts';
import type { Fields } from './useFields.ts';
import { markedPieces, wirePreview } from './wirePreview.ts';

/** How the gateway is spoken to, what the check found of that, and the next request as it would be sent. */
export function Format({ fields, handle }: TabProps) {
  const { profile } = fields;
  const found = useCall('profiles.found', { id: profile.id }, { on: ['profiles.changed'] });
  return (
    <>
      <Group title={t`API format`} text={t`Video options can only be checked by a first job.`}>
        <div className="g2">
          <DialectFields {...fields} place="format" />
        </div>
      </Group>
      <Found profile={profile} found={found.data?.found ?? []} onUndone={() => void handle.check()} />
      <WouldBeSent {...fields} />
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
  const preview = wirePreview({ ...draft, webhookBase: draft.webhookBase || undefined, hasBotToken }, example);
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
      <mark key={index} className={styles.k}>
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
