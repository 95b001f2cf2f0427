import type { Reason } from '../../../../shared/contract/result.ts';
import type { Profile } from '../../../../shared/gateway/profile.ts';
import type { BatchRemark, BatchRow } from '../../../../shared/jobs/batch.ts';
import {
  allKinds,
  kindOf,
  modelsFor,
  promptOf,
  quantityOf,
  type StudioRequest,
} from '../../../../shared/kinds/index.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { formatLocale, t } from '../../../../shared/text/texts.ts';
import { hashOf, navigate } from '../../../app/index.ts';
import { type Head, type ImportRow, isSkipped, valuesFor } from '../../../tableImport/index.ts';
import { Button, PriceTag, plural, TextAction } from '../../../ui/index.ts';
import styles from './batch.module.css';
import { jobs } from './jobs.ts';

/** The rows of the jobs in the import table. */

export const JOB_HEADS: readonly Head[] = [
  { id: 'kind', label: t`Kind` },
  { id: 'prompt', label: t`Prompt`, isMain: true },
  { id: 'model', label: t`Model` },
  { id: 'seconds', label: t`Length`, isRight: true },
  { id: 'price', label: t`Price`, isRight: true },
];

/** In characters; a row has room for no more. */
const SHOWN_PROMPT = 240;

const modelOf = (request: StudioRequest): string => ('model' in request && request.model) || kindOf(request).name;

/** A row with choices is followed by a row for each of them. */
export function jobRows(rows: readonly BatchRow[], outputTokens: number, skipped: ReadonlySet<string>): ImportRow[] {
  return rows.flatMap(({ line, member, whole, request, errors, cells, know, ...price }): ImportRow[] => {
    if (!request) return [{ key: String(line), line, errors, cells, shown: { price: '–' } }];
    const key = member ? `${line}.${member.at}` : String(line);
    const isOut = isSkipped({ key, line }, skipped);
    const note = know && { note: <Same known={know} itemKey={key} isOut={isOut} /> };
    const own: ImportRow = { key, line, errors, shown: shownOf(request, price, outputTokens), ...note };
    if (!member) return [own];
    const label = shortened(promptOf(request), SHOWN_PROMPT);
    const choice = { checked: !isOut, onChecked: (on: boolean) => jobs.skip([key], !on), label };
    const part = { ...own, shown: { ...own.shown, kind: '' }, choice, isPart: true };
    return whole ? [wholeRow(line, request, whole), part] : [part];
  });
}

type Price = Pick<BatchRow, 'estimateNano' | 'lowNano' | 'unpriced'>;

function shownOf(request: StudioRequest, { estimateNano = 0, lowNano, unpriced }: Price, outputTokens: number) {
  const { seconds } = quantityOf(request, outputTokens);
  return {
    kind: request.kind,
    prompt: shortened(promptOf(request), SHOWN_PROMPT),
    model: modelOf(request),
    seconds: seconds === undefined ? t`1 job` : `${seconds} s`,
    price: <PriceTag nano={estimateNano} lowNano={lowNano} unpriced={unpriced} />,
  };
}

const wholeRow = (line: number, request: StudioRequest, whole: NonNullable<BatchRow['whole']>): ImportRow => ({
  key: String(line),
  line,
  errors: [],
  shown: {
    kind: request.kind,
    prompt: <Choices text={whole.prompt.slice(0, SHOWN_PROMPT)} />,
    model: modelOf(request),
    seconds: plural(whole.jobs, 'job'),
    price: <PriceTag nano={whole.estimateNano} lowNano={whole.lowNano} unpriced={whole.unpriced} />,
  },
});

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short', year: 'numeric' });

/** The other things that are the same, and a way to skip this one. */
const Same = ({ known, itemKey, isOut }: { known: readonly BatchRemark[]; itemKey: string; isOut: boolean }) => (
  <>
    {known.map((fact) =>
      fact.type === 'kept' ? (
        <span key={fact.jobId}>
          {t`Same as a take kept on ${DAY.format(fact.at)}.`}{' '}
          <a className="lnk" href={hashOf('queue', { job: fact.jobId })}>
            {t`Show`}
          </a>
        </span>
      ) : (
        <span key={fact.line}>{t`Same as row ${fact.line}.`}</span>
      ),
    )}
    <TextAction onClick={() => jobs.skip([itemKey], !isOut)}>{isOut ? t`Restore` : t`Skip row`}</TextAction>
  </>
);

/** With more models than this, the model is typed. */
const MOST_MODELS = 3;

/** The allowed values of a cell for the row's kind. */
export const jobValues =
  (models: Profile['models']) =>
  ({ cells = {} }: ImportRow, field: string): readonly string[] => {
    if (field === 'kind') return allKinds().map(({ name }) => name);
    const kind = allKinds().find(({ name }) => name === cells.kind?.trim().toLowerCase());
    const columns: Readonly<Partial<Record<string, string>>> | undefined = kind?.table.columns;
    if (columns && field !== 'prompt' && field !== 'night' && !(field in columns)) return [''];
    if (field !== 'model') return valuesFor(field, cells);
    const fitting = kind ? modelsFor(kindOf(kind.name), models) : [];
    return fitting.slice(0, MOST_MODELS).map(({ id }) => id);
  };

/** Ways to fix an error on another page. */
export function moreJobFixes({ cells = {} }: ImportRow, { field, message }: Reason) {
  if (field === 'mask' && cells.image)
    return (
      <Button variant="ghost" onClick={() => navigate('images', { asset: cells.image?.trim() ?? '', paint: 'mask' })}>
        {t`Open in mask editor`}
      </Button>
    );
  const isUnknown = field === 'model' && Boolean(cells.model) && message.includes(cells.model ?? '');
  return isUnknown && <TextAction onClick={() => navigate('settings')}>{t`Add model`}</TextAction>;
}

/** A prompt with its choices marked as they are written: `{rain|fog}`. */
function Choices({ text }: { text: string }) {
  const parts: { at: number; words: string; isChoice: boolean }[] = [];
  let depth = 0;
  let from = 0;
  const end = (at: number, isChoice: boolean): void => {
    if (at > from) parts.push({ at: from, words: text.slice(from, at), isChoice });
    from = at;
  };
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') {
      if (depth === 0) end(at, false);
      depth += 1;
    } else if (text[at] === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) end(at + 1, true);
    }
  }
  end(text.length, false);
  return parts.map(({ at, words, isChoice }) =>
    isChoice ? (
      <span key={at} className={styles.choice}>
        {words}
      </span>
    ) : (
      words
    ),
  );
}
