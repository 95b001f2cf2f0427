import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { BatchRow } from '../../../../shared/batch.ts';
import { kindOf, type StudioRequest } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/texts.ts';
import { TextInput } from '../../../ui/index.ts';
import { cellsOf, withValue } from './batchText.ts';
import { mendBatch, useBatchDraft } from './useBatchDraft.ts';

/** Cells of a line, to be written anew where they stand. */

/** The button goes with what it mends: the focus stays on its line. */
export const keepFocus = (element: HTMLElement): void => element.closest<HTMLElement>('.batch-item')?.focus();

interface CellInputProps {
  row: BatchRow;
  field: string;
  value: string;
}

/** The cell itself, to be written anew; Enter reads it, Escape leaves it as it was. */
export function CellInput({ row: { line }, field, value }: CellInputProps) {
  const [words, setWords] = useState(value);
  const { format, text } = useBatchDraft();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && words !== value) {
      event.stopPropagation();
      setWords(value);
    }
    if (event.key !== 'Enter' || words === value) return;
    keepFocus(event.currentTarget);
    mendBatch(withValue(text, format, { line, field }, words), field === 'prompt' ? line : undefined);
  };
  return (
    <span className={field === 'prompt' ? 'batch-input is-long' : 'batch-input'}>
      <TextInput aria-label={t`${field} of line ${line}`} value={words} onValue={setWords} onKeyDown={onKeyDown} />
    </span>
  );
}

interface EditLineProps {
  row: BatchRow;
  request: StudioRequest;
  onEnd: () => void;
}

/** The cells of a right line, as they stand in the text; Escape, or Enter in a cell, goes back to the line. */
export function EditLine({ row, request, onEnd }: EditLineProps) {
  const { line } = row;
  const { format, text } = useBatchDraft();
  const place = useRef<HTMLFieldSetElement>(null);
  const columns: Readonly<Record<string, string>> = kindOf(request).table.columns;
  const cells = useMemo(() => cellsOf(text, format, line), [text, format, line]);
  useEffect(() => {
    place.current?.querySelector('input')?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if ((event.key !== 'Escape' && event.key !== 'Enter') || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    // The list goes on from there with its own keys.
    place.current?.closest<HTMLElement>('.batch-list')?.focus();
    onEnd();
  };
  return (
    <fieldset ref={place} className="batch-fix" aria-label={t`Cells of line ${line}`} onKeyDown={onKeyDown}>
      {cells
        .filter(([field, value]) => value !== '' || field in columns)
        .sort(([one], [other]) => Number(other === 'prompt') - Number(one === 'prompt'))
        .map(([field, value]) => (
          <span key={field} className={field === 'prompt' ? 'row batch-prompt' : 'row'}>
            <span className="t3" aria-hidden="true">
              {field}
            </span>
            <CellInput row={row} field={field} value={value} />
          </span>
        ))}
    </fieldset>
  );
}
