import { MessageSquareText } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { counted, t } from '../../../shared/text/texts.ts';
import { AssetImage, Icon, JobStateGlyph, TakeNumber } from '../../ui/index.ts';
import { CHECK_WORDS, type Checked, CheckMark } from './checks.tsx';
import { firstOf, isSelected, isUnrated, type ReviewGroup, type ReviewItem } from './items.ts';
import styles from './strip.module.css';
import type { Review } from './useReview.ts';

interface StripProps {
  review: Review;
  checks: ReadonlyMap<string, Checked>;
}

/** The takes of the open shot, and the other shots as stacks. */
export function Strip({ review, checks }: StripProps) {
  const { groups, group, show } = review;
  return (
    <nav className={styles.strip} aria-label={t`Takes`} data-panel tabIndex={-1}>
      {groups.map((one) =>
        one === group ? (
          <Open key={one.key} review={review} checks={checks} />
        ) : (
          <Stack key={one.key} group={one} onShow={show} />
        ),
      )}
    </nav>
  );
}

const countOf = ({ items, shot }: ReviewGroup): string =>
  shot ? t`${counted(items.length, 'take')}` : t`${counted(items.length, 'result')}`;

function Stack({ group, onShow }: { group: ReviewGroup; onShow: (key: string) => void }) {
  const { title, items } = group;
  const fresh = items.filter(isUnrated);
  const first = firstOf(group);
  if (!first) return null;
  return (
    <button type="button" className={styles.stack} onClick={() => onShow(first.key)}>
      <span className={styles.rvName}>{title}</span>
      <Picture item={first} />
      <span className="t3">{fresh.length > 0 ? t`${fresh.length} not rated` : countOf(group)}</span>
    </button>
  );
}

function Open({ review, checks }: StripProps) {
  const { group, current, sides, show, beside } = review;
  const on = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the take that is looked at stays in view.
  useEffect(() => {
    on.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current.key]);
  return (
    <div className={styles.open}>
      <span className={styles.rvName}>
        <b>{group.title}</b> <span className="t3">{countOf(group)}</span>
      </span>
      <div className="row">
        {group.items.map((item) => {
          const state = checks.get(item.key)?.state;
          return (
            <button
              key={item.key}
              ref={item === current ? on : undefined}
              type="button"
              className={`${styles.rvTile} ${item === current ? styles.on : sides.includes(item) ? styles.beside : ''}`}
              aria-current={item === current}
              title={t`Shift-click to compare`}
              onClick={({ shiftKey }) => (shiftKey ? beside(item.key) : show(item.key))}
            >
              <Picture item={item} />
              <span className="row">
                {group.shot && <span className="t3" aria-hidden="true">{t`Take`}</span>}
                <TakeNumber
                  number={item.number}
                  verdict={item.job?.verdict}
                  active={isSelected(item, group.shot)}
                  uncertain={item.job?.state === 'uncertain'}
                />
                {(state === 'broken' || state === 'look') && (
                  <>
                    <CheckMark state={state} />
                    <span className="vh">{CHECK_WORDS[state]}</span>
                  </>
                )}
              </span>
            </button>
          );
        })}
      </div>
    </div>
  );
}

function Picture({ item: { asset, job } }: { item: ReviewItem }) {
  return (
    <span className={`media ${asset ? '' : styles.none}`}>
      {asset ? (
        <AssetImage asset={asset} className="fill" alt="" />
      ) : job?.result ? (
        <Icon of={MessageSquareText} />
      ) : (
        job && <JobStateGlyph state={job.state} bare />
      )}
    </span>
  );
}
