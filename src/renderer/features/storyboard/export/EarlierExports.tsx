import type { Export } from '../../../../shared/filmExport.ts';
import { t } from '../../../../shared/texts.ts';
import { useNow, useProjectId } from '../../../app/index.ts';
import { CheckGlyph, FailGlyph, formatWhen, ProgressRing, Section } from '../../../ui/index.ts';
import styles from './export.module.css';
import { formatWords, stateWords } from './exportWords.ts';
import { MarkGlyph } from './Marks.tsx';
import { showExport } from './useExports.ts';

/** The film's exports so far, those that run first; each opens in the panel. */
export function EarlierExports({ exports }: { exports: readonly Export[] }) {
  const projectId = useProjectId();
  const now = useNow();
  if (exports.length === 0 || projectId === undefined) return null;
  const running = exports.filter(({ state }) => state === 'running');
  const ended = exports.filter(({ state }) => state !== 'running');
  return (
    <Section title={t`Earlier exports`}>
      <ul className={`lines ${styles.earlier}`}>
        {[...running, ...ended].map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => showExport(projectId, one.id)}>
              <span className={`st ${GLYPH_STATE[one.state]}`}>
                <StateGlyph one={one} />
              </span>
              <span className="cut grow">{one.name}</span>
              <span className="t2">{formatWords(one)}</span>
              <span className="t3 nw">{one.state === 'done' ? formatWhen(one.createdAt, now) : stateWords(one)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const GLYPH_STATE = { running: 'running', done: t`succeeded`, failed: 'failed', canceled: 'canceled' } as const;

export function StateGlyph({ one: { state, progress } }: { one: Pick<Export, 'state' | 'progress'> }) {
  if (state === 'running') return <ProgressRing percent={progress} />;
  if (state === 'done') return <CheckGlyph />;
  return state === 'failed' ? <FailGlyph /> : <MarkGlyph of="stop" />;
}
