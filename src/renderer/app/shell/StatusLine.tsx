import { Hourglass, Moon, Plug, WifiOff } from 'lucide-react';
import { factsOf } from '../../../shared/gateway/modelFacts.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import { laneNamed } from '../../../shared/kinds/index.ts';
import { listed, t } from '../../../shared/text/texts.ts';
import {
  CheckGlyph,
  CloudGlyph,
  FailGlyph,
  formatClock,
  formatCount,
  formatStamp,
  formatUtcDay,
  Icon,
  ProgressRing,
  priceText,
  rich,
  UncertainGlyph,
} from '../../ui/index.ts';
import styles from '../app.module.css';
import { hashOf } from '../route.ts';
import { seenWords } from '../runningWords.ts';
import { useActiveIncidents } from '../state/incidents.ts';
import { lacksKey, useActiveProfile, useStudio } from '../state/studio.ts';
import { useCall, useNow } from '../state/useCall.ts';
import { jobsAt } from './KeyBanner.tsx';

/**
 * Shows, always in this order: the gateway, running jobs, unconfirmed jobs with their cost, the overnight run. Each part links to its page.
 */
export function StatusLine() {
  const link = useStudio((state) => state.link);
  if (link !== 'up') {
    return (
      <footer className="status" data-panel tabIndex={-1}>
        <NoStudioPart />
      </footer>
    );
  }
  return (
    <footer className="status" data-panel tabIndex={-1}>
      <GatewayPart />
      <RunningPart />
      <UnconfirmedPart />
      <IncidentPart />
      <span className="grow" />
      <ModelEndsPart />
      <AwakePart />
      <NightPart />
      <Clock />
    </footer>
  );
}

/** While the studio is lost, the last known state may be wrong, so none is shown. */
function NoStudioPart() {
  return (
    <span>
      <Icon of={WifiOff} />
      <b>{t`Not connected to Dailies. Running jobs are not known.`}</b>
    </span>
  );
}

function GatewayPart() {
  const profile = useActiveProfile();
  const offline = useStudio((state) => state.queue?.offline ?? state.info?.offline ?? false);
  return (
    <a href={hashOf('settings')}>
      <Icon of={offline ? WifiOff : Plug} />
      <b>{profile?.name ?? t`No gateway`}</b>
      {offline ? (
        t`Gateway unreachable`
      ) : profile && lacksKey(profile) ? (
        t`Key needed`
      ) : (
        <span className={styles.usual}>{t`Connected`}</span>
      )}
    </a>
  );
}

function RunningPart() {
  const queue = useStudio((state) => state.queue);
  const profile = useActiveProfile();
  const now = useNow(60_000);
  const atGateway = profile && lacksKey(profile) ? jobsAt(queue, profile.id).running : 0;
  const { running = 0, waiting = 0, paused: isAllPaused = false, lanes = [] } = queue ?? {};
  const held = lanes.filter((lane) => lane.paused).map(({ kind }) => laneNamed(kind)?.words ?? kind);
  const paused = isAllPaused ? t`Paused` : held.length > 0 ? t`Paused: ${listed([...new Set(held)])}` : undefined;
  if (profile && atGateway > 0)
    return (
      <a href={hashOf('queue')}>
        <CloudGlyph />
        <span>
          {seenWords(profile.id, now)}: <b>{formatCount(atGateway)}</b>
        </span>
      </a>
    );
  return (
    <a href={hashOf('queue')}>
      {running > 0 ? (
        <span className="st running">
          <ProgressRing />
        </span>
      ) : (
        <CheckGlyph />
      )}
      {running + waiting === 0 ? (
        <span>
          {t`No jobs running`}
          {paused && <b> · {paused}</b>}
        </span>
      ) : (
        <span>
          {rich`${<b>{formatCount(running)}</b>} running, ${<b>{formatCount(waiting)}</b>} waiting`}
          {paused && <b> · {paused}</b>}
        </span>
      )}
    </a>
  );
}

function UnconfirmedPart() {
  const unconfirmed = useStudio((state) => state.queue?.doubt);
  if (!unconfirmed || unconfirmed.count === 0) return null;
  return (
    <a href={hashOf('queue', { filter: 'doubt' })} className="st uncertain">
      <UncertainGlyph />
      <span>{t`${formatCount(unconfirmed.count)} unconfirmed, ${priceText(unconfirmed.nano, unconfirmed.nano, 'range', unconfirmed.unpriced)}`}</span>
    </a>
  );
}

/** The newest incident that is not over; the Queue lists all. */
function IncidentPart() {
  const [incident] = useActiveIncidents();
  if (!incident) return null;
  return (
    <a href={hashOf('queue')} className={styles.incident} title={incident.text}>
      <span className="st failed">
        <FailGlyph />
      </span>
      <span className="cut">{incident.text}</span>
    </a>
  );
}

function AwakePart() {
  const awake = useStudio((state) => state.info?.awake);
  if (awake !== 'held') return null;
  return <span className={styles.usual}>{t`Kept awake`}</span>;
}

/** An overnight run that a rule has stopped is shown for this long after its end. */
const MORNING_MS = 14 * 3_600_000;

/** The scheduled or running overnight run with its hours, else the one that a rule has stopped. */
function NightPart() {
  const status = useCall('night.get', {}, { on: ['night.changed'] }).data;
  const now = useNow(600_000);
  const night = status?.current;
  const last = status?.last;
  const byRule = last?.endedBy !== undefined && last.endedBy !== 'window' && last.endedBy !== 'user';
  if (last && byRule && night?.state !== 'open' && now < last.endsAt + MORNING_MS) {
    return (
      <a href={hashOf('queue')} title={last.endedText}>
        <Icon of={Moon} />
        <b>{t`Overnight run ${last.number} stopped`}</b>
      </a>
    );
  }
  if (!night) return null;
  return (
    <a href={hashOf('queue')}>
      <Icon of={Moon} />
      {night.state === 'open' ? t`Overnight run ${night.number} running` : t`Overnight run ${night.number} scheduled`}
      <span className={styles.usual}>
        {formatClock(night.startsAt)}–{formatClock(night.endsAt)}
      </span>
    </a>
  );
}

function Clock() {
  return <span className={styles.clock}>{formatStamp(useNow(10_000))}</span>;
}

/** A model's end is shown from this long before it. */
const AHEAD_MS = 10 * 86_400_000;

interface Ending {
  model: string;
  endsAt: number;
}

/** Models of a gateway that end soon, soonest first. */
function endingModels(profile: ProfileView | undefined, now: number): Ending[] {
  const ends = (profile?.models ?? []).flatMap(({ id }) => {
    const { endsAt } = profile ? factsOf(profile, id) : {};
    return typeof endsAt === 'number' && endsAt > now && endsAt <= now + AHEAD_MS ? [{ model: id, endsAt }] : [];
  });
  return ends.toSorted((a, b) => a.endsAt - b.endsAt);
}

/** Shown while a model of the active gateway ends soon. */
function ModelEndsPart() {
  const profile = useActiveProfile();
  const now = useNow(600_000);
  const ending = endingModels(profile, now);
  const [first] = ending;
  if (!profile || !first) return null;
  return (
    <a href={hashOf('settings', { section: 'gateways', tab: 'models', profile: profile.id, model: first.model })}>
      <Icon of={Hourglass} />
      <span>
        <b>{first.model}</b>
        {ending.length > 1 && ` +${ending.length - 1}`} · {t`Ends`} {formatUtcDay(first.endsAt, now)}
      </span>
    </a>
  );
}
