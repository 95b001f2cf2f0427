import type { Preflight } from '../../../../shared/filmExport.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { TakeNumber } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import styles from './export.module.css';
import { type StreamField, type StreamRow, streamRows, unmeasured } from './exportView.ts';
import { MarkGlyph } from './Marks.tsx';

const COLUMNS: readonly [StreamField, string][] = [
  ['picture', t`Picture`],
  ['rate', t`Rate`],
  ['coding', t`Coding`],
  ['sound', t`Sound`],
  ['loudness', t`Loudness`],
];

/** What each playing take is made of. The odd cells are the reason why a film is encoded again. */
export function Streams({ preflight, shots }: { preflight: Preflight; shots: readonly ShotView[] }) {
  const rows = streamRows(preflight, shots);
  const open = unmeasured(preflight.streams);
  if (rows.length === 0) return null;
  return (
    <>
      <div className="grp">
        <h2 id="x-streams">{t`The streams`}</h2>
        <span className="t3">{t`what decides whether they can be joined as they are`}</span>
        <span className="grow" />
        {open > 0 && <span className="t3">{t`${counted(open, 'take')} still being measured`}</span>}
      </div>
      <table className={`tbl ${styles.streams}`} aria-labelledby="x-streams">
        <thead>
          <tr>
            <th>{t`Shot`}</th>
            <th>{t`Take`}</th>
            {COLUMNS.map(([field, label]) => (
              <th key={field} className="r">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <StreamLine key={row.view.shot.id} row={row} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function StreamLine({ row: { view, stream, words, odd } }: { row: StreamRow }) {
  const { active } = view;
  return (
    <tr>
      <td className="b">{view.number}</td>
      <td>
        {words.picture === undefined ? (
          <span className="t3">–</span>
        ) : (
          <TakeNumber number={active?.number ?? 1} verdict={active?.job?.verdict} />
        )}
      </td>
      {COLUMNS.map(([field]) => (
        <td key={field} className={odd.has(field) ? `r num ${styles.odd}` : 'r num'}>
          {odd.has(field) && <MarkGlyph of="odd" />}
          {odd.has(field) && <span className="vh">{t`differs:`} </span>}
          {field === 'picture' && stream.isTrimmed && <span>{t`trimmed,`} </span>}
          {words[field] ?? <span className="t3">{field === 'picture' ? t`no take` : '–'}</span>}
        </td>
      ))}
    </tr>
  );
}
