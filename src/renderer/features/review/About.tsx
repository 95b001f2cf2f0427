import { useState } from 'react';
import { configOfShot, type Shot } from '../../../shared/board/board.ts';
import { seamLimitsOf } from '../../../shared/film/continuityLimits.ts';
import { undisplayedNote } from '../../../shared/jobs/resultWords.ts';
import { KINDS } from '../../../shared/kinds/index.ts';
import { quantityOfClips } from '../../../shared/kinds/video.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { t } from '../../../shared/text/texts.ts';
import { evidenceOfJob, navigate, useActiveProfile, useShortcut, useWholeJob } from '../../app/index.ts';
import { SaveCopy } from '../../media/SaveCopy.tsx';
import { useMeasures } from '../../media/useMeasures.ts';
import { PriceRow, SpendDialog, usePrice } from '../../spending/index.ts';
import {
  Button,
  FindingGlyph,
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
import { ordering } from '../storyboard/inspector/SendBar.tsx';
import type { ShotView, TakeView } from '../storyboard/model/view.ts';
import { SPOKEN } from '../storyboard/seams/seam.ts';
import type { BoardHandle } from '../storyboard/useBoard.ts';
import styles from './about.module.css';
import { brokenText, type Checked, CheckMark, checkWords, findingText, findingTitle, keyOfFinding } from './checks.tsx';
import { Differences } from './Differences.tsx';
import { isSelected, keptBeside, type ReviewItem } from './items.ts';
import { Limits, useLimits } from './Limits.tsx';
import { clipsAtLinks, linkLines } from './takeLinks.ts';
import type { Review } from './useReview.ts';
import { isPicture } from './view.ts';

interface AboutProps {
  review: Review;
  board: BoardHandle | undefined;
  checks: ReadonlyMap<string, Checked>;
  finding: number;
  onFinding: (finding: number) => void;
}

/** Facts about the take being rated: how it differs, how it fits its neighbours, quality check, cost. */
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
        <Differences items={compared} areShown={sides.length > 1} />
        {board && shot && take && asset && (
          <AtLinks
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

/** The take to compare with if the selected take is new itself. */
function besideOf({ group: { shot, items }, current }: Review): ReviewItem | undefined {
  if (!shot) return undefined;
  const isNew = new Set(items.flatMap((item) => (item.isNew && item.jobId !== undefined ? [item.jobId] : [])));
  const jobId = keptBeside(shot, isNew)?.jobId;
  return items.find((item) => item.jobId === jobId && item !== current);
}

/** Reads the whole jobs; renders nothing. */
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
  const limits = useLimits(board, checked.projectId);
  const { findings, state, seconds } = checked;
  return (
    <Section
      title={t`Quality check`}
      end={
        <Popover trigger={<TextAction>{t`Change limits`}</TextAction>} title={t`Change limits`}>
          <Limits board={board} projectId={checked.projectId} />
        </Popover>
      }
    >
      {findings.length === 0 ? (
        <p className="row t2">
          <CheckMark state={state} /> {checkWords(checked)}
        </p>
      ) : (
        <ol className={`stack gap-s mb ${styles.findings}`}>
          {findings.map((one, index) => (
            <li key={keyOfFinding(one)}>
              <button type="button" aria-pressed={index === finding} onClick={() => onFinding(index)}>
                <b className={styles.number}>{index + 1}</b>
                <span className="col">
                  <span>{findingTitle(one, seconds)}</span>
                  <span className="t2">{findingText(one, limits)}</span>
                </span>
              </button>
            </li>
          ))}
        </ol>
      )}
      {state === 'broken' && findings.length > 0 && <p className="t2">{brokenText(checked)}</p>}
    </Section>
  );
}

/** Next steps from a picture. */
function GoOn({ asset }: { asset: Asset }) {
  const use = () => navigate('storyboard', { frame: asset.id });
  const reuse = () => navigate('images', { remake: asset.id });
  const frameHint = useShortcut('review.frame', use);
  const reuseHint = useShortcut('library.recall', reuse);
  return (
    <Section title={t`Next steps`}>
      <div className="stack">
        <Button kbd={frameHint} onClick={use}>
          {t`Use as frame`}
        </Button>
        <Button
          onClick={() => navigate('images', { asset: asset.id, paint: 'mask' })}
        >{t`Paint a mask and edit`}</Button>
        <Button kbd={reuseHint} onClick={reuse}>
          {t`Reuse prompt`}
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
          [t`Charged`, job && <PriceWords nano={chargedNano} lowNano={chargedLowNano} as="most" unpriced={unpriced} />],
          [t`File`, asset && `${storageWords(asset)}, ${formatBytes(asset.bytes)}`],
          [
            t`Job`,
            job && (
              <a className="lnk" href={evidenceOfJob(job.id)}>
                {t`Job record`}
              </a>
            ),
          ],
        ]}
      />
    </Section>
  );
}

interface AtLinksProps {
  board: BoardHandle;
  shot: ShotView;
  take: TakeView;
  beside: TakeView | undefined;
}

/** How far the shown take is from the shots around it; measures what has not been measured. */
function AtLinks({ board, shot, take, beside }: AtLinksProps) {
  const of = { shots: board.shots, shot, take, beside: beside?.clip?.id === take.clip?.id ? undefined : beside };
  const files = useMeasures(clipsAtLinks(of));
  const lines = linkLines({ ...of, files, limits: seamLimitsOf(board.board) });
  return (
    <Section title={t`Continuity`}>
      {lines.length === 0 ? (
        <p className="t3">{t`Not measured`}</p>
      ) : (
        <table className={`mini ${styles.fnd}`}>
          <tbody>
            {lines.map(({ key, place, finding, figure, note, isSound }) => (
              <tr key={key}>
                <td>
                  <FindingGlyph of={finding} />
                </td>
                <th scope="row" className={isSound ? styles.loud : undefined}>
                  {place}
                  {finding === 'none' && note !== '' && <div className="t3">{note}</div>}
                </th>
                <td className="r">
                  <span className="vh">{SPOKEN[finding] && `${SPOKEN[finding]}, `}</span>
                  {finding === 'step' ? <b>{figure}</b> : figure}
                </td>
                <td className="r t3">{finding !== 'none' && note}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

/** Makes another take of the shot as it is now, at its price. */
export function MakeAgain({ board: { sync }, shot }: { board: BoardHandle; shot: Shot }) {
  const [isOffered, setOffered] = useState(false);
  const config = configOfShot(shot);
  const profile = useActiveProfile();
  const isSeedSent = config.seed !== undefined && !profile?.omittedFields.includes('seed');
  const now = usePrice(
    shot.model === ''
      ? undefined
      : { kind: KINDS.video.name, model: shot.model, quantity: quantityOfClips({ config }) },
  );
  const label = t`Make take ${shot.takes.length + 1}`;
  return (
    <Section title={t`Make it again`}>
      <PriceRow what={t`1 take`} now={now} kind={KINDS.video.name} />
      <Button off={now.hasFailed ? now.off : undefined} onClick={() => setOffered(true)}>
        {label}
      </Button>
      {isOffered && (
        <SpendDialog
          title={t`Make it again`}
          label={label}
          off={now.off}
          price={<PriceRow what={t`1 take`} now={now} kind={KINDS.video.name} />}
          {...ordering(label, now, (order) => sync.makeTake(shot.id, order))}
          onClose={() => setOffered(false)}
        >
          {isSeedSent
            ? t`Uses the shot as it is now. The seed is fixed: the same clip may come again.`
            : t`Uses the shot as it is now.`}
        </SpendDialog>
      )}
    </Section>
  );
}
