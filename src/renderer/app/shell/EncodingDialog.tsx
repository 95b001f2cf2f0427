import { useEffect } from 'react';
import { TEXT_ENCODINGS, type TextEncoding } from '../../../shared/text/textEncoding.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { Dialog, DialogActions, Field, Select, TextArea } from '../../ui/index.ts';
import { answerEncoding, showAs, useAskedEncoding } from '../state/askEncoding.ts';

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

/** How a text file is read that is not Unicode. Nothing is imported before the user has seen its words. */
export function EncodingDialog() {
  const asked = useAskedEncoding((state) => state.asked);
  useEffect(() => {
    useAskedEncoding.setState({ isShown: true });
    return () => {
      useAskedEncoding.setState({ isShown: false });
      answerEncoding(false);
    };
  }, []);
  const footer = (
    <DialogActions onClose={() => answerEncoding(false)} onClick={() => answerEncoding(true)}>
      {t`Use this text`}
    </DialogActions>
  );
  return (
    <Dialog
      open={asked !== undefined}
      onClose={() => answerEncoding(false)}
      title={t`Text encoding`}
      width={560}
      footer={footer}
    >
      {asked && (
        <div className="col gap">
          <p className="t2">{t`Choose the encoding in which ${asked.name} is readable. Nothing is imported yet.`}</p>
          <Field label={t`Encoding`}>
            <Select
              aria-label={t`Encoding`}
              value={asked.shown.encoding}
              onValue={showAs}
              options={TEXT_ENCODINGS.map((value) => ({ value, label: NAMES[value] }))}
            />
          </Field>
          <TextArea
            aria-label={t`Text in this encoding`}
            value={excerptOf(asked.shown.text)}
            onValue={() => undefined}
            rows={10}
            readOnly
          />
          {asked.shown.unreadable > 0 && (
            <p className="err" role="alert">
              {t`${counted(asked.shown.unreadable, 'character')} cannot be read in this encoding.`}
            </p>
          )}
        </div>
      )}
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
