import { useState } from 'react';
import { type DecodedText, decodeAs, TEXT_ENCODINGS, type TextEncoding } from '../../../shared/text/textEncoding.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { Dialog, DialogActions, Field, Select, TextArea } from '../../ui/index.ts';
import { questionOf } from '../state/question.ts';

const NAMES: Readonly<Record<TextEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': t`UTF-16, big-endian`,
  'windows-1252': t`Western (Windows-1252)`,
  'windows-1251': t`Cyrillic (Windows-1251)`,
  gb18030: t`Chinese (GB18030)`,
  shift_jis: t`Japanese (Shift JIS)`,
};

/** Enough to see whether the words are right. */
const MOST_SHOWN = 1_500;

/** A text whose encoding the user is asked for. */
interface UnsureText {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** As it is read at first. */
  shown: DecodedText;
}

const encoding = questionOf<UnsureText, string | undefined>(undefined);

/** The text as the user accepts it; undefined where they do not, or where no dialog is there to ask. */
export const askEncoding = encoding.ask;

/** How a text file is read that is not Unicode. Nothing is imported before the user has seen its words. */
export function EncodingDialog() {
  const asked = encoding.useAsked();
  const [chosen, setChosen] = useState<{ of: object; shown: DecodedText }>();
  if (!asked) return null;
  const shown = chosen?.of === asked ? chosen.shown : asked.shown;
  const refuse = () => asked.answer(undefined);
  const footer = (
    <DialogActions onClose={refuse} onClick={() => asked.answer(shown.text)}>
      {t`Use this text`}
    </DialogActions>
  );
  return (
    <Dialog open onClose={refuse} title={t`Text encoding`} width={560} footer={footer}>
      <div className="col gap">
        <p className="t2">{t`Choose the encoding in which ${asked.name} is readable. Nothing is imported yet.`}</p>
        <Field label={t`Encoding`}>
          <Select
            aria-label={t`Encoding`}
            value={shown.encoding}
            onValue={(next) => setChosen({ of: asked, shown: decodeAs(asked.bytes, next) })}
            options={TEXT_ENCODINGS.map((value) => ({ value, label: NAMES[value] }))}
          />
        </Field>
        <TextArea
          aria-label={t`Text in this encoding`}
          value={excerptOf(shown.text)}
          onValue={() => undefined}
          rows={10}
          readOnly
        />
        {shown.unreadable > 0 && (
          <p className="err" role="alert">
            {t`${counted(shown.unreadable, 'character')} cannot be read in this encoding.`}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** From the line of the first character that encodings differ in. */
function excerptOf(text: string): string {
  const first = text.search(BEYOND_ASCII);
  const from = first < MOST_SHOWN / 2 ? 0 : text.lastIndexOf('\n', first) + 1;
  return text.slice(from, from + MOST_SHOWN);
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
