import { FileInput } from 'lucide-react';
import { useState } from 'react';
import { openInterpretations, type Price } from '../../../shared/money/price.ts';
import type { PriceChange, PricePreview } from '../../../shared/money/priceList.ts';
import { t } from '../../../shared/text/texts.ts';
import { announce, useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { wordsOfReading } from '../../spending/index.ts';
import { type Head, type ImportRow, ImportTable } from '../../tableImport/index.ts';
import { Button, Dialog, DialogActions, EmptyState, Icon, plural, Reading, Refusal, WhyOff } from '../../ui/index.ts';
import styles from './spend.module.css';

/** Reads the published price list of the service, compares it with the price book, and applies the selected prices. */
interface ImportProps {
  /** The profile whose price book it is; by default the active one. */
  profileId: string | undefined;
  onImported: () => void;
}

export function ImportPrices({ profileId, onImported }: ImportProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" onClick={() => setOpen(true)}>
        <Icon of={FileInput} />
        {t`Import`}
      </Button>
      {open && <ImportDialog profileId={profileId} onClose={() => setOpen(false)} onImported={onImported} />}
    </>
  );
}

function ImportDialog({ profileId, onClose, onImported }: ImportProps & { onClose: () => void }) {
  const whose = profileId === undefined ? {} : { profileId };
  const read = useCall('prices.preview', whose);
  const preview = read.data;
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const { refusal, run } = useAction();
  const chosen = picked ?? new Set(preview?.changes.filter(isProposed).map(keyOf));
  const take = async () => {
    if (!preview) return;
    const picked = preview.changes.filter((change) => chosen.has(keyOf(change)));
    const names = picked.map(({ kind, listed }) => ({ kind, listed }));
    const asked = { ...whose, previewId: preview.id, chosen: names };
    if (!(await run(call('prices.import', asked), t`Nothing was saved.`)).ok) return;
    announce(t`${countOf(names.length)} imported`);
    onImported();
    onClose();
  };
  const pick = (change: PriceChange, on: boolean) => {
    const next = new Set(chosen);
    if (on) next.add(keyOf(change));
    else next.delete(keyOf(change));
    setPicked(next);
  };
  const footer = (
    <>
      <Refusal text={refusal} />
      <DialogActions
        onClose={onClose}
        off={chosen.size === 0 ? t`Choose a price first.` : undefined}
        onClick={() => void take()}
      >
        {chosen.size === 0 ? t`Import` : t`Import ${countOf(chosen.size)}`}
      </DialogActions>
    </>
  );
  return (
    <Dialog open onClose={onClose} title={t`Prices from the gateway`} width={720} footer={footer}>
      <Reading of={read}>{(list) => <PreviewTable preview={list} chosen={chosen} onPick={pick} />}</Reading>
    </Dialog>
  );
}

const keyOf = ({ kind, listed }: PriceChange): string => `${kind} ${listed}`;
const countOf = (count: number): string => plural(count, 'price');
/** Whether the profile uses the price and it would change. A price set by the user is left to them. */
const isProposed = ({ used, change, yours }: PriceChange): boolean => used && change !== 'same' && !yours;

const HEADS: readonly Head[] = [
  { id: 'model', label: t`Model`, isMain: true },
  { id: 'now', label: t`Now` },
  { id: 'next', label: t`Listed` },
  { id: 'change', label: t`Change` },
];

interface PreviewTableProps {
  preview: PricePreview;
  chosen: ReadonlySet<string>;
  onPick: (change: PriceChange, on: boolean) => void;
}

/** Refused rows come first, with the reason. */
function rowsOf({ preview: { changes, refused }, chosen, onPick }: PreviewTableProps): ImportRow[] {
  const wrong = refused.map(({ model, why }) => ({
    shown: { model: <span className="mono">{model}</span> },
    errors: [{ field: '', message: why }],
  }));
  const right = changes.map((change) => ({
    shown: {
      model: (
        <span className="mono" title={change.listed}>
          {change.listed}
        </span>
      ),
      now: readingWords(change.now),
      next: readingWords(change.next),
      change: changeWords(change),
    },
    errors: [],
    choice: {
      label: change.listed,
      checked: chosen.has(keyOf(change)),
      onChecked: (on: boolean) => onPick(change, on),
      off: change.change === 'same',
    },
  }));
  return [...wrong, ...right].map((row, index) => ({ ...row, key: String(index + 1), line: index + 1 }));
}

function PreviewTable(props: PreviewTableProps) {
  const { left } = props.preview;
  const rows = rowsOf(props);
  if (rows.length === 0) return <EmptyState title={t`No prices`}>{t`The gateway publishes no prices.`}</EmptyState>;
  return (
    <>
      <div className={styles.priceList}>
        <ImportTable heads={HEADS} rows={rows} />
      </div>
      <WhyOff>
        {t`Waiting jobs get this price. Past charges stay.`}
        {left > 0 && ` ${t`${left} more`}`}
      </WhyOff>
    </>
  );
}

/** All possible interpretations of a price, one below the other. */
export const readingWords = (price: Price | null) =>
  price === null
    ? t`Not known`
    : openInterpretations(price).map((reading) => <div key={JSON.stringify(reading)}>{wordsOfReading(reading)}</div>);

const CHANGE_WORDS = {
  same: t`Same`,
  dearer: t`Higher price`,
  cheaper: t`Lower price`,
  other: t`Another unit`,
  new: t`New`,
} as const satisfies Record<PriceChange['change'], string>;

function changeWords({ change, now, next, yours }: PriceChange): string {
  if (change === 'same') return CHANGE_WORDS.same;
  const settles = now !== null && openInterpretations(now).length > 1 && openInterpretations(next).length === 1;
  const words = change === 'other' && settles ? t`Confirmed` : CHANGE_WORDS[change];
  return yours ? t`${words}, set by you` : words;
}
