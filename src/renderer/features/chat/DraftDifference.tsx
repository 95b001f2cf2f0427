import { type ReactNode, useMemo } from 'react';
import type { Draft, DraftChange } from '../../../shared/director/draft.ts';
import { shownName } from '../../../shared/shownName.ts';
import { formatLocale, t } from '../../../shared/texts.ts';
import { DifferingWords, differingWords } from '../../ui/differingWords.tsx';
import styles from './drafts.module.css';

export function DraftDifference({ draft }: { draft: Draft }) {
  const { kind, shot, image, changes = [], goesStale = [], state } = draft;
  const words = shownName(shot?.prompt ?? image?.prompt ?? '');
  const rows = kind === 'changeShot' ? changes : [];
  return (
    <div className={styles.difference}>
      {kind !== 'changeShot' && words && <p className={styles.words}>{words}</p>}
      {rows.map((change) => (
        <Row key={change.field} name={NAMES[change.field] ?? change.field}>
          <Change change={change} />
        </Row>
      ))}
      {shot && kind === 'newShot' && shot.joint !== 'cut' && <Row name={t`Link`}>{LINKS[shot.joint]}</Row>}
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
  joint: t`Link`,
  'config.durationSeconds': t`Length`,
  'config.resolution': t`Resolution`,
  'config.aspectRatio': t`Aspect`,
  'config.generateAudio': t`Sound`,
  'config.sampleCount': t`Variations`,
  'config.seed': t`Seed`,
};

const LINKS = {
  cut: t`Cut`,
  continue: t`Continues from the last frame of the shot before`,
  transition: t`Transition from the last frame of the shot before`,
  extend: t`Extends the clip before, with its sound`,
};

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className={styles.change}>
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
  if (value === undefined) return t`not set`;
  if (typeof value === 'boolean') return value ? t`on` : t`off`;
  return field === 'config.durationSeconds' ? `${String(value)} s` : shownName(String(value));
}

function effectOf(outdated: readonly number[]): string {
  if (outdated.length === 0) return t`No other shot becomes outdated`;
  const names = new Intl.ListFormat(formatLocale()).format(outdated.map(String));
  return outdated.length === 1 ? t`Shot ${names} becomes outdated` : t`Shots ${names} become outdated`;
}
