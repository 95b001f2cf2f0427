import type { Asset } from '../../../shared/asset.ts';
import { undisplayedNote } from '../../../shared/resultWords.ts';
import { t } from '../../../shared/texts.ts';
import { evidenceOfJob, jobTitle, navigate, useJob, useShortcut, useWholeJob } from '../../app/index.ts';
import { SaveCopy } from '../../media/SaveCopy.tsx';
import {
  Button,
  formatBytes,
  formatStamp,
  KeyValue,
  Panel,
  Popover,
  PriceWords,
  Section,
  TextAction,
} from '../../ui/index.ts';
import { storageWords } from '../../words/index.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import { AtJoints } from './AtJoints.tsx';
import styles from './about.module.css';
import { CheckMark } from './CheckMark.tsx';
import type { Checked } from './checks.ts';
import { Differences } from './Differences.tsx';
import { brokenText, checkWords, findingText, findingTitle, keyOfFinding } from './findingWords.ts';
import { isSelected, keptBeside, type ReviewItem } from './items.ts';
import { Limits, useLimits } from './Limits.tsx';
import { MakeAgain } from './MakeAgain.tsx';
import type { Review } from './useReview.ts';
import { isPicture } from './view.ts';

interface AboutProps {
  review: Review;
  board: BoardHandle | undefined;
  checks: ReadonlyMap<string, Checked>;
  finding: number;
  onFinding: (finding: number) => void;
}

/** What is known of the take that is rated: how it differs, how it fits, what the quality check found, what it cost. */
export function About({ review, board, checks, finding, onFinding }: AboutProps) {
  const { current, sides, group } = review;
  const { shot } = group;
  const checked = checks.get(current.key);
  const { asset, take } = current;
  const selected = group.items.find((item) => item !== current && isSelected(item, shot)) ?? besideOf(review);
  const compared = sides.length > 1 ? sides : selected ? [selected, current] : [current];
  const note = asset && undisplayedNote(asset);
  return (
    <Panel label={t`About ${current.name}`} className={styles.about}>
      <div className="scroll">
        {asset && note !== undefined && (
          <Section>
            <SaveCopy asset={asset} why={note} />
          </Section>
        )}
        <Known items={compared} />
        <Differences items={compared} areShown={sides.length > 1} isInFilm={isSelected(compared[0] ?? current, shot)} />
        {board && shot && take && asset && (
          <AtJoints
            board={board}
            shot={shot}
            take={{ ...take, clip: asset, clipIndex: current.output }}
            beside={selected?.take}
          />
        )}
        {checked && <Check checked={checked} board={board} finding={finding} onFinding={onFinding} />}
        {board && shot && checked?.state === 'broken' && <MakeAgain board={board} shot={shot.shot} />}
        {asset && isPicture(current) && <GoOn asset={asset} />}
        <Facts item={current} />
      </div>
    </Panel>
  );
}

/** What a take is compared with where the selected one is new itself. */
function besideOf({ group: { shot, items }, current }: Review): ReviewItem | undefined {
  if (!shot) return undefined;
  const isNew = new Set(items.flatMap((item) => (item.isNew && item.jobId !== undefined ? [item.jobId] : [])));
  const jobId = keptBeside(shot, isNew)?.jobId;
  return items.find((item) => item.jobId === jobId && item !== current);
}

/** Has the whole jobs read; shows nothing. */
const Known = ({ items }: { items: readonly ReviewItem[] }) =>
  items.map(({ key, jobId }) => <KnownJob key={key} jobId={jobId} />);

function KnownJob({ jobId }: { jobId: string | undefined }) {
  useWholeJob(jobId);
  return null;
}

interface CheckProps extends Pick<AboutProps, 'board' | 'finding' | 'onFinding'> {
  checked: Checked;
}

function Check({ checked, board, finding, onFinding }: CheckProps) {
  const given = useJob(checked.given?.jobId);
  const limits = useLimits(board, checked.projectId);
  const { findings, state, seconds } = checked;
  return (
    <Section
      title={t`Quality check`}
      end={
        <Popover trigger={<TextAction>{t`Change limits`}</TextAction>} title={t`Limits of quality checks`}>
          <Limits board={board} projectId={checked.projectId} />
        </Popover>
      }
    >
      {findings.length === 0 ? (
        <p className="row t2">
          <CheckMark state={state} /> {checkWords(checked)}
        </p>
      ) : (
        <ol className={styles.findings}>
          {findings.map((one, index) => (
            <li key={keyOfFinding(one)}>
              <button type="button" aria-pressed={index === finding} onClick={() => onFinding(index)}>
                <b className={styles.number}>{index + 1}</b>
                <span>
                  <span>{findingTitle(one, seconds)}</span>
                  <span className="t2">
                    {findingText(one, { take: checked, limits, givenName: given && jobTitle(given) })}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {state === 'broken' && findings.length > 0 && <p className="t2">{brokenText(checked)}</p>}
      <p className="t3">{t`Checks never rate, hide or bin a take.`}</p>
    </Section>
  );
}

/** The way on from a picture. */
function GoOn({ asset }: { asset: Asset }) {
  const use = () => navigate('storyboard', { frame: asset.id });
  const reuse = () => navigate('images', { remake: asset.id });
  const frameHint = useShortcut('review.frame', use);
  const reuseHint = useShortcut('library.recall', reuse);
  return (
    <Section title={t`Continue with it`}>
      <div className={styles.rvWays}>
        <Button kbd={frameHint} onClick={use}>
          {t`Use as a frame`}
        </Button>
        <Button onClick={() => navigate('images', { asset: asset.id, paint: 'mask' })}>{t`Paint`}</Button>
        <Button kbd={reuseHint} onClick={reuse}>
          {t`Use its prompt`}
        </Button>
      </div>
    </Section>
  );
}

function Facts({ item: { asset, job } }: { item: ReviewItem }) {
  const { chargedNano = 0, chargedLowNano = 0, unpriced = false } = job?.money ?? {};
  return (
    <Section title={t`Take`}>
      <KeyValue
        items={[
          [t`Made`, job ? formatStamp(job.finishedAt ?? job.createdAt) : asset && formatStamp(asset.createdAt)],
          [t`Model`, job?.model],
          [
            t`Charged`,
            job && <PriceWords nano={chargedNano} lowNano={chargedLowNano} as="most" unpriced={unpriced ? 1 : 0} />,
          ],
          [t`File`, asset && `${storageWords(asset).name}, ${formatBytes(asset.bytes)}`],
          [
            t`Record`,
            job && (
              <a className="lnk" href={evidenceOfJob(job)}>
                {t`Export job record`}
              </a>
            ),
          ],
        ]}
      />
    </Section>
  );
}
