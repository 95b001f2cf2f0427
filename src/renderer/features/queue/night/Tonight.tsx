import { Moon } from 'lucide-react';
import { Fragment } from 'react';
import type { DryRun, NightRun } from '../../../../shared/jobs/night.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { hashOf, MoneyPlate, navigate, useNow, useStudio } from '../../../app/index.ts';
import {
  formatClock,
  Icon,
  KeyValue,
  Panel,
  PriceTag,
  plural,
  Reading,
  startOfDay,
  TextAction,
  WhyOff,
} from '../../../ui/index.ts';
import { leftWords } from '../../../words/index.ts';
import styles from '../queue.module.css';
import { NothingKeepsAwake } from './PlanFields.tsx';
import { stopsAfter } from './planForm.ts';
import { useDryRun, useNight } from './useNight.ts';

/** The scheduled or open run: its hours, budget, rules, the jobs it would send with their price, and those that do not fit. */
export function Tonight() {
  const night = useNight();
  const { data } = night;
  const current = data?.current;
  return (
    <Panel label={t`Overnight run`} className="top-line">
      <div className="bar">
        <Icon of={Moon} />
        <h2>{current ? t`Overnight run ${current.number}` : t`Overnight run`}</h2>
        {current && <span className="t3 cut">{whenOf(current, Date.now())}</span>}
        <span className="grow" />
        <a className="lnk" href={hashOf('queue', {}, 'night')}>
          {current ? t`Open run` : t`Schedule a run`}
        </a>
      </div>
      <div className="scroll">
        <Reading of={night} rows={3}>
          {({ last }) =>
            current ? <Planned night={current} /> : last?.notOpened && <p className="pad t2">{last.notOpened}</p>
          }
        </Reading>
      </div>
    </Panel>
  );
}

function whenOf(run: NightRun, now: number): string {
  if (run.held === 'battery') return t`On hold: this computer is on battery`;
  if (run.state === 'open') return t`Open now`;
  const days = Math.round((startOfDay(run.startsAt) - startOfDay(now)) / 86_400_000);
  return days <= 0 ? t`Tonight` : days === 1 ? t`Tomorrow` : t`In ${days} days`;
}

function Planned({ night }: { night: NightRun }) {
  const now = useNow(60_000);
  const dry = useDryRun(night.id);
  const offline = useStudio((state) => state.queue?.offline ?? false);
  const awake = useStudio((state) => state.info?.awake);
  const about = dry.data?.endsAbout;
  return (
    <div className="stack pad">
      <HoursBar startsAt={night.startsAt} endsAt={night.endsAt} endsAbout={about} now={now} />
      <NightFacts night={night} about={about} />
      {awake === 'cannot' && <NothingKeepsAwake />}
      {offline && <WhyOff>{t`Gateway unreachable. The run waits for it.`}</WhyOff>}
      <Reading of={{ ...dry, loading: false }}>{(result) => <DryRunResult dry={result} />}</Reading>
    </div>
  );
}

interface NightFactsProps {
  night: NightRun;
  /** The estimated end, by the dry run. */
  about: number | undefined;
}

/** Its hours, its budget and the rules that would stop it. */
function NightFacts({ night, about }: NightFactsProps) {
  return (
    <KeyValue
      items={[
        [
          t`Hours`,
          [
            t`${formatClock(night.startsAt)} to ${formatClock(night.endsAt)}`,
            about !== undefined && t`Ends about ${formatClock(about)}`,
          ]
            .filter(Boolean)
            .join(' · '),
        ],
        [
          t`Budget`,
          <Fragment key="cap">
            {formatNano(night.capNano)}
            {night.play && (
              <>
                {' '}
                <MoneyPlate play />
              </>
            )}
            {night.capReading === 'low' && <span className="t3"> · {t`Lower price`}</span>}
            {night.state === 'open' && <span className="t3">, {leftWords(night.capNano - night.countedNano)}</span>}
          </Fragment>,
        ],
        [t`Stops after`, stopsAfter(night.rules)],
      ]}
    />
  );
}

/** The total at both prices, and how many jobs would be left out; the plan lists those. */
const DryRunResult = ({ dry }: { dry: DryRun }) => (
  <div className="col gap-s">
    <div className="row">
      <span>{t`Dry run, ${counted(dry.fitCount, 'job')}`}</span>
      <span className="grow" />
      <PriceTag nano={dry.totalNano} lowNano={dry.totalLowNano} unpriced={dry.unpriced} />
    </div>
    {dry.unfitCount > 0 && (
      <div className="row between">
        <span>{t`Does not fit`}</span>
        <TextAction onClick={() => navigate('queue', { plan: 'change' }, 'night')}>
          {plural(dry.unfitCount, 'job')}
        </TextAction>
      </div>
    )}
    {dry.notes.map((note) => (
      <WhyOff key={note}>{note}</WhyOff>
    ))}
  </div>
);

const HOUR_MS = 3_600_000;
const AROUND_MS = 2 * HOUR_MS;

interface HoursBarProps {
  startsAt: number;
  endsAt: number;
  /** When the last job would be ready. */
  endsAbout?: number | undefined;
  now: number;
}

/** The hours of a run: the window outlined, the estimated duration of its jobs filled. The numbers are in words below. */
function HoursBar({ startsAt, endsAt, endsAbout, now }: HoursBarProps) {
  const from = Math.floor((startsAt - AROUND_MS) / HOUR_MS) * HOUR_MS;
  const to = Math.ceil((endsAt + AROUND_MS) / HOUR_MS) * HOUR_MS;
  const at = (time: number) => `${(Math.min(1, Math.max(0, (time - from) / (to - from))) * 100).toFixed(2)}%`;
  const wide = (start: number, end: number) => ({ left: at(start), right: `calc(100% - ${at(end)})` });
  const worksFrom = Math.max(startsAt, Math.min(now, endsAt));
  const every = (to - from) / HOUR_MS > 14 ? 4 : 2;
  const marks = Array.from(
    { length: Math.floor((to - from) / HOUR_MS / every) + 1 },
    (_, n) => from + n * every * HOUR_MS,
  );
  return (
    <div aria-hidden="true">
      <div className={styles.hoursTrack}>
        <i className={styles.window} style={wide(startsAt, endsAt)} />
        {endsAbout !== undefined && <i className={styles.works} style={wide(worksFrom, Math.min(endsAbout, endsAt))} />}
        {now > from && now < to && <i className={styles.now} style={{ left: at(now) }} />}
      </div>
      <div className={styles.hoursMarks}>
        {marks.map((time) => (
          <span key={time} style={{ left: at(time) }}>
            {formatClock(time).slice(0, 2)}
          </span>
        ))}
      </div>
    </div>
  );
}
