import { type ReactNode, useMemo } from 'react';
import type { Draft, DraftChange } from '../../../shared/director/draft.ts';
import { shownName } from '../../../shared/shownName.ts';
import { formatLocale, inflected, t } from '../../../shared/texts.ts';
import { DifferingWords, differingWords } from '../../ui/index.ts';
import styles from './drafts.module.css';

/** What a draft would make or change, and what follows from it on the board. */
export function DraftDifference({ draft }: { draft: Draft }) {
  const { kind, shot, image, changes = [], goesStale = [], state } = draft;
  const words = shownName(shot?.prompt ?? image?.prompt ?? '');
  const rows = kind === 'changeShot' ? changes : [];
  return (
    <div className={styles.dcb}>
      {kind !== 'changeShot' && words && <p className={styles.dwords}>{words}</p>}
      {rows.map((change) => (
        <Row key={change.field} name={NAMES[change.field] ?? change.field}>
          <Change change={change} />
        </Row>
      ))}
      {shot && kind === 'newShot' && shot.joint !== 'cut' && <Row name={t`Joint`}>{JOINTS[shot.joint]}</Row>}
      {shot && state === 'open' && (kind === 'changeShot' || goesStale.length > 0) && (
        <Row name={t`Then`}>{effectOf(goesStale.map(({ number }) => number))}</Row>
      )}
    </div>
  );
}

const NAMES: Record<string, string> = {
  title: t`Title`,
  prompt: t`Prompt`,
  model: t`Model`,
  joint: t`Joint`,
  'config.durationSeconds': t`Length`,
  'config.resolution': t`Resolution`,
  'config.aspectRatio': t`Aspect`,
  'config.generateAudio': t`Sound`,
  'config.sampleCount': t`Candidates`,
  'config.seed': t`Seed`,
};

const JOINTS = {
  cut: t`starts on its own`,
  continue: t`starts from the last frame of the shot before`,
  transition: t`goes from the last frame of the shot before to one that you choose`,
  extend: t`goes on from the clip before, with its sound`,
};

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className={styles.dif1}>
      <span className="t3">{name}</span>
      <span>{children}</span>
    </p>
  );
}

function Change({ change: { field, before, after } }: { change: DraftChange }) {
  const isText = typeof before === 'string' && typeof after === 'string' && (field === 'prompt' || field === 'title');
  const parts = useMemo(
    () => (isText ? differingWords(shownName(before as string), shownName(after as string)) : undefined),
    [isText, before, after],
  );
  if (parts) return <DifferingWords parts={parts} />;
  return (
    <>
      {before !== undefined && <del>{valueWords(field, before)}</del>} <ins>{valueWords(field, after)}</ins>
    </>
  );
}

function valueWords(field: string, value: unknown): string {
  if (value === undefined) return t`as the service likes`;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return field === 'config.durationSeconds' ? `${String(value)} s` : shownName(String(value));
}

function effectOf(stale: readonly number[]): string {
  if (stale.length === 0) return t`no other shot goes stale`;
  const names = new Intl.ListFormat(formatLocale()).format(stale.map(String));
  return t`${inflected(stale.length, 'shot', 'shots')} ${names} ${inflected(stale.length, 'goes', 'go')} stale: made from what plays before now`;
}
