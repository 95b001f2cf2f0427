import { Pause, Play } from 'lucide-react';
import type { LaneStatus } from '../../../shared/events.ts';
import { laneNamed } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/texts.ts';
import { refusalOf, refuseAt, takeQueue, useIsPlay, useStudio } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { untilAnswered } from '../../spending/index.ts';
import { formatCount, Icon, MoneyBar, priceText, TextAction } from '../../ui/index.ts';
import { capOf, leftUnder, leftWords, SCOPE_WORDS } from '../../words/index.ts';
import styles from './queue.module.css';
import { OUTCOME } from './state.ts';

/** What each lane has at the service of what it may, which of them are held back, and what is left of the tightest budget. */
export function LaneBar() {
  const lanes = useStudio((state) => state.queue?.lanes);
  if (!lanes || lanes.length === 0) return null;
  return (
    <section className={`bar ${styles.laneBar}`} aria-label={t`Lanes`}>
      {lanes.map((lane) => (
        <LaneCount key={`${lane.kind} ${lane.profileId}`} lane={lane} />
      ))}
      <span className="grow" />
      <BudgetLeft />
    </section>
  );
}

/** Holds its lane back, or lets it go on; what would be sent then has its price here. */
function LaneCount({ lane }: { lane: LaneStatus }) {
  const activeId = useStudio((state) => state.activeProfileId);
  const profile = useStudio((state) => state.profiles.find(({ id }) => id === lane.profileId));
  const words = laneNamed(lane.kind)?.words ?? lane.kind;
  const whose = lane.profileId === activeId ? '' : t` of ${profile?.name ?? t`a gateway that is gone`}`;
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}${whose}`;
  const money = lane.paused && (lane.reservedNano > 0 || lane.unpriced > 0);
  const toggle = async () => {
    const { kind, profileId } = lane;
    const ask = () => call(lane.paused ? 'queue.resume' : 'queue.pause', { lane: { kind, profileId } });
    const answer = await untilAnswered(ask);
    if (answer.ok) takeQueue(answer.data);
    else refuseAt(OUTCOME, refusalOf(answer.error));
  };
  return (
    <TextAction
      aria-pressed={lane.paused}
      aria-label={t`${lane.paused ? t`Resume` : t`Pause`} ${words}${whose}, ${lane.running} of ${lane.atOnce} at the service, ${formatCount(lane.waiting)} waiting`}
      title={lane.paused ? t`Paused by you. Resume ${words}` : t`Pause ${words}; what was sent goes on`}
      onClick={() => void toggle()}
    >
      <Icon of={lane.paused ? Play : Pause} />
      {t`${title} ${lane.running} of ${lane.atOnce}`}
      {lane.paused && <b>{t`, paused`}</b>}
      {money && (
        <span className="price t3">{priceText(lane.reservedNano, lane.reservedNano, 'range', lane.unpriced)}</span>
      )}
    </TextAction>
  );
}

/** Of the active profile's side: the budget with the least left. */
function BudgetLeft() {
  const budgets = useStudio((state) => state.budgets);
  const isPlay = useIsPlay();
  const left = budgets
    .filter(({ scope, play }) => scope !== 'run' && play === isPlay)
    .flatMap((budget) => {
      const cap = capOf(budget);
      return cap === undefined ? [] : [{ budget, cap, nano: leftUnder(cap, budget.used) }];
    })
    .sort((a, b) => a.nano - b.nano)[0];
  if (!left) return null;
  const { budget, cap, nano } = left;
  return (
    <span className={styles.left}>
      <span className="t3">{SCOPE_WORDS[budget.scope].title}</span>
      <MoneyBar totals={budget.used} limitNano={cap} width={72} />
      <span>
        <b>{leftWords(nano, cap)}</b>
      </span>
    </span>
  );
}
