import { t } from '../../../../shared/texts.ts';
import './triage.css';
import { useState } from 'react';
import { announce, navigate, usePlace, useShortcut } from '../../../app/index.ts';
import type { StudioError } from '../../../client/index.ts';
import { Button, CallError, EmptyState, LoadingBars } from '../../../ui/index.ts';
import { TakeNamesOfProject } from '../takeNames.tsx';
import { FindingsPanel } from './FindingsPanel.tsx';
import { TakeList } from './TakeList.tsx';
import { TakeView } from './TakeView.tsx';
import { groupsOf, inOrder, keyOfTake, nextPlace } from './takes.ts';
import { type TriageOf, type TriageState, useTriage } from './useTriage.ts';

const leave = (): void => navigate('queue');

/** What was measured of a night's takes, before they are judged: the odd ones first, with the places to look at. */
export function TriagePage({ of }: { of: TriageOf }) {
  const triage = useTriage(of);
  usePlace('triage');
  useShortcut('page.leave', leave);
  return (
    <main className="page triage">
      <h1 className="vh">{triage.run ? t`Triage of night ${triage.run.number}` : t`Triage of new takes`}</h1>
      <TakeNamesOfProject>
        {triage.loading || triage.takes.length === 0 ? <Nothing triage={triage} /> : <Takes of={of} triage={triage} />}
      </TakeNamesOfProject>
    </main>
  );
}

function Nothing({ triage: { loading, error, others, reload } }: { triage: TriageState }) {
  return (
    <section className="tri-none" aria-label={t`Takes measured`} data-panel tabIndex={-1}>
      {loading ? (
        <LoadingBars rows={6} label={t`Reading the takes`} />
      ) : error ? (
        <Unread error={error} onRetry={reload} />
      ) : (
        <EmptyState title={t`No new takes`}>
          {others > 0
            ? t`What was made are pictures: only clips are measured here.`
            : t`Nothing was made that could be measured. Takes stand here as soon as they are on this disk.`}
        </EmptyState>
      )}
    </section>
  );
}

function Unread({ error, onRetry }: { error: StudioError; onRetry: () => void }) {
  if (error.code !== 'not_found') return <CallError error={error} onRetry={onRetry} />;
  const action = (
    <Button onClick={() => navigate('queue', { new: '1' }, 'triage')}>{t`New takes since the last look`}</Button>
  );
  return (
    <EmptyState title={t`No such night`} action={action}>
      {error.message}
    </EmptyState>
  );
}

function Takes({ of, triage }: { of: TriageOf; triage: TriageState }) {
  const groups = groupsOf(triage.takes);
  const takes = inOrder(groups);
  const [place, setPlace] = useState({ key: '', finding: 0 });
  const at = Math.max(
    0,
    takes.findIndex((take) => keyOfTake(take) === place.key),
  );
  const take = takes[at];
  if (!take) return null;
  const chosen = { key: keyOfTake(take), finding: Math.min(place.finding, Math.max(0, take.findings.length - 1)) };
  const choose = (index: number) => {
    const next = takes[index];
    if (next) setPlace({ key: keyOfTake(next), finding: 0 });
  };
  const next = () => {
    const found = nextPlace(takes, chosen);
    if (found) setPlace(found);
    else announce(t`Nothing stands out in any of the takes.`);
  };
  return (
    <>
      <TriageKeys next={next} earlier={() => choose(at - 1)} later={() => choose(at + 1)} />
      <TakeList
        of={of}
        triage={triage}
        groups={groups}
        chosen={chosen.key}
        onChoose={(key) => setPlace({ key, finding: 0 })}
      />
      <TakeView
        key={chosen.key}
        take={take}
        limits={triage.limits[take.projectId ?? '']?.limits}
        finding={chosen.finding}
        onFinding={(finding) => setPlace({ key: chosen.key, finding })}
        onNext={next}
      />
      <FindingsPanel
        triage={triage}
        groups={groups}
        take={take}
        finding={chosen.finding}
        onFinding={(finding) => setPlace({ key: chosen.key, finding })}
      />
    </>
  );
}

function TriageKeys({ next, earlier, later }: Record<'next' | 'earlier' | 'later', () => void>) {
  useShortcut('triage.next', next);
  useShortcut('triage.earlier', earlier);
  useShortcut('triage.later', later);
  return null;
}
