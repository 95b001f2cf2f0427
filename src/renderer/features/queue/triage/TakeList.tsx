import { ChevronLeft, Info } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted, t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import { navigate, saveSettings, useAsset, useJob, useKeyHint } from '../../../app/index.ts';
import {
  Button,
  FindingGlyph,
  type FindingShape,
  formatCount,
  Icon,
  Kbd,
  Panel,
  plural,
  TextAction,
  Thumb,
  VerdictWord,
} from '../../../ui/index.ts';
import { JobName } from '../takeNames.tsx';
import { GROUPS, keyOfFinding, keyOfTake, type TakeGroups, tookMs } from './takes.ts';
import type { TriageOf, TriageState } from './useTriage.ts';
import { rowText } from './words.ts';

interface TakeListProps {
  of: TriageOf;
  triage: TriageState;
  groups: TakeGroups;
  /** The key of the chosen take. */
  chosen: string;
  onChoose: (key: string) => void;
}

/** The takes that were measured, the odd ones first, each with marks where something is. */
export function TakeList({ of, triage, groups, chosen, onChoose }: TakeListProps) {
  const { run, takes } = triage;
  return (
    <Panel label={t`Takes measured`} side="left">
      <div className="bar">
        <Button variant="ghost" onClick={() => navigate('queue')}>
          <Icon of={ChevronLeft} />
          {t`Report`} <Kbd>{useKeyHint('page.leave')}</Kbd>
        </Button>
        <b className="cut">{run ? t`Night ${run.number}` : t`New takes`}</b>
        <span className="grow" />
        <span className="t3">{run ? plural(takes.length, 'new take') : plural(takes.length, 'take')}</span>
      </div>
      <dl className="figs tri-figs">
        <Figure name={t`Clean`} value={groups.clean.length} />
        <Figure name={t`To look at`} value={groups.look.length} />
        <Figure name={t`Broken`} value={groups.broken.length} />
        {groups.waiting.length > 0 ? (
          <Figure name={t`Measuring`} value={groups.waiting.length} />
        ) : (
          <Figure name={t`Measured in`} value={lengthText(tookMs(takes))} />
        )}
      </dl>
      <div className="scroll">
        {GROUPS.map((group) =>
          groups[group].length === 0 ? null : (
            <Group key={group} group={group} takes={groups[group]} chosen={chosen} onChoose={onChoose} />
          ),
        )}
        {triage.others > 0 && (
          <p className="tri-note t3">{t`${counted(triage.others, 'picture')} besides: only clips are measured.`}</p>
        )}
      </div>
      <ListFoot of={of} triage={triage} />
    </Panel>
  );
}

/** `0:41`: minutes and seconds. */
const lengthText = (ms: number): string => {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

function Figure({ name, value }: { name: string; value: number | string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const GROUP_WORDS: Record<(typeof GROUPS)[number], { title: string; note: string }> = {
  broken: { title: t`Broken`, note: t`most of it is missing` },
  look: { title: t`To look at`, note: '' },
  waiting: { title: t`Being measured`, note: '' },
  absent: { title: t`Not on this disk`, note: t`nothing to measure` },
  clean: { title: t`Clean`, note: t`nothing above your limits` },
};

/** Of a night of thousands only so many rows are drawn at first. */
const MOST_ROWS = 200;

interface GroupProps extends Pick<TakeListProps, 'chosen' | 'onChoose'> {
  group: (typeof GROUPS)[number];
  takes: readonly TriageTake[];
}

function Group({ group, takes, chosen, onChoose }: GroupProps) {
  const { title, note } = GROUP_WORDS[group];
  const [more, setMore] = useState(MOST_ROWS);
  const count = Math.max(more, takes.findIndex((take) => keyOfTake(take) === chosen) + 1);
  return (
    <section aria-label={title}>
      <div className="grp">
        {title}{' '}
        <span className="t3">
          {takes.length}
          {note && `, ${note}`}
        </span>
      </div>
      <ol className={`tri ${group === 'clean' ? 'cl' : ''}`}>
        {takes.slice(0, count).map((take) => (
          <Row key={keyOfTake(take)} take={take} isChosen={keyOfTake(take) === chosen} onChoose={onChoose} />
        ))}
      </ol>
      {takes.length > count && (
        <p className="tri-note">
          <TextAction
            onClick={() => setMore(count + MOST_ROWS)}
          >{t`Show more of ${formatCount(takes.length)}`}</TextAction>
        </p>
      )}
    </section>
  );
}

const SHAPES: Record<TriageTake['state'], FindingShape> = {
  broken: 'stop',
  look: 'step',
  clean: 'level',
  waiting: 'none',
  absent: 'none',
};

function Row({ take, isChosen, onChoose }: { take: TriageTake; isChosen: boolean; onChoose: (key: string) => void }) {
  const row = useRef<HTMLLIElement>(null);
  const job = useJob(take.jobId);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li ref={row} className={isChosen ? 'sel' : undefined}>
      <button type="button" aria-current={isChosen} onClick={() => onChoose(keyOfTake(take))}>
        <Thumb asset={useAsset(take.assetId)} />
        <span className="col grow">
          <span className="row">
            <b className="cut">
              <JobName id={take.jobId} />
              {take.output > 0 && t`, clip ${take.output + 1}`}
            </b>
            <span className="grow" />
            <VerdictWord verdict={job?.verdict} />
            {take.seconds !== undefined && <span className="t3 num">{take.seconds.toFixed(1)} s</span>}
          </span>
          <span className="row t2 tri-what">
            <FindingGlyph of={SHAPES[take.state]} />
            <span className="cut">{take.state === 'waiting' ? t`being measured` : rowText(take)}</span>
          </span>
          <Marks take={take} />
        </span>
      </button>
    </li>
  );
}

/** The same places as on the strip of the take, so that most takes are understood unopened. */
function Marks({ take: { findings, seconds = 0 } }: { take: TriageTake }) {
  if (findings.length === 0 || seconds <= 0) return null;
  const percent = (at: number) => `${Math.min(100, (at / seconds) * 100)}%`;
  return (
    <span className="mst" aria-hidden="true">
      {findings.map((one) => {
        const { at, to = at } = one;
        const isMoment = to - at < seconds / 100;
        const style = { left: percent(at), ...(isMoment ? {} : { width: percent(to - at) }) };
        return <i key={keyOfFinding(one)} className={isMoment ? undefined : 'w'} style={style} />;
      })}
    </span>
  );
}

function ListFoot({ of, triage: { takes, lastEndedAt } }: Pick<TakeListProps, 'of' | 'triage'>) {
  const isNight = !('since' in of);
  return (
    <div className="foot">
      <p className="why">
        <Icon of={Info} />
        <span>
          {t`No take is judged, hidden or binned by this. All ${formatCount(takes.length)} wait for you.`}{' '}
          {isNight ? (
            <TextAction onClick={() => navigate('queue', { new: '1' }, 'triage')}>
              {t`New takes since the last look`}
            </TextAction>
          ) : (
            lastEndedAt !== undefined && (
              <TextAction onClick={() => void saveSettings({ triageLookedAt: lastEndedAt + 1 })}>
                {t`I have looked at these`}
              </TextAction>
            )
          )}
        </span>
      </p>
    </div>
  );
}
