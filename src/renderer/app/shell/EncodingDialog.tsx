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

/** Characters of the excerpt: enough to see whether the text is right. */
const MOST_SHOWN = 1_500;

/** A text whose encoding the user must confirm. */
interface UnsureText {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The text with the guessed encoding. */
  shown: DecodedText;
}

const encoding = questionOf<UnsureText, string | undefined>(undefined);

/** The text as the user accepts it; undefined if they decline, or without a dialog to ask in. */
export const askEncoding = encoding.ask;

/** Asks for the encoding of a text file that is not Unicode. Nothing is imported before the user has seen the text. */
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

/** An excerpt from the first line in which the encodings differ. */
function excerptOf(text: string): string {
  const first = text.search(BEYOND_ASCII);
  const from = first < MOST_SHOWN / 2 ? 0 : text.lastIndexOf('\n', first) + 1;
  return text.slice(from, from + MOST_SHOWN);
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
