import { Plus } from 'lucide-react';
import { useState } from 'react';
import { counted, t } from '../../../../shared/texts.ts';
import { ActionButton, useNow } from '../../../app/index.ts';
import { SetPrice } from '../../../spending/index.ts';
import { Button, EmptyState, formatClock, formatStamp, Icon, Reading, Refusal, Select } from '../../../ui/index.ts';
import { AddModel } from './AddModel.tsx';
import { Dependents } from './Dependents.tsx';
import { FactsDialog } from './FactsDialog.tsx';
import { FactsPanel } from './FactsPanel.tsx';
import { ModelTable } from './ModelTable.tsx';
import styles from './models.module.css';
import { type ModelsHandle, useModels } from './useModels.ts';

/** What each model can, what it costs, the day it ends, and which shots hang on it. */
export function ModelsAndPrices() {
  const now = useNow(60_000);
  const handle = useModels();
  const { list, models, prices, chosen, choose, profile, byHand } = handle;
  return (
    <>
      <section className={`col ${styles.mdlPage}`} aria-label={t`Models and prices`} data-panel tabIndex={-1}>
        <Head handle={handle} now={now} />
        <div className="scroll grow">
          <Reading of={list} rows={6} label={t`Reading the models`} />
          {list.data && models.length === 0 && (
            <EmptyState title={t`This gateway has no models yet`}>
              {t`Read its list, or enter one by hand. Neither costs anything.`}
            </EmptyState>
          )}
          {models.length > 0 && (
            <ModelTable models={models} prices={prices} chosen={chosen?.id} onChoose={choose} now={now} />
          )}
        </div>
        {profile && chosen && (
          <Dependents key={`${profile.id} ${chosen.id}`} handle={handle} model={chosen} now={now} />
        )}
      </section>
      {chosen && <FactsPanel handle={handle} model={chosen} now={now} />}
      {byHand && <FactsDialog {...byHand} onSaved={list.reload} onClose={handle.closeByHand} />}
    </>
  );
}

function Head({ handle, now }: { handle: ModelsHandle; now: number }) {
  const { profiles, profile, list, openProfile, read, isReading, refusal, chosen } = handle;
  const [isAdding, setAdding] = useState(false);
  const off = profile?.builtin ? t`The sandbox has its own models. Connect a gateway to add others.` : undefined;
  return (
    <>
      <div className="bar">
        <h2 className="cut">{t`Models of ${profile?.name}`}</h2>
        <span className="t3 cut">{readWords(list.data, now)}</span>
        <span className="grow" />
        {profiles.length > 1 && (
          <span className={styles.whose}>
            <Select
              aria-label={t`Gateway`}
              options={profiles.map(({ id, name }) => ({ value: id, label: name }))}
              value={profile?.id ?? null}
              onValue={openProfile}
            />
          </span>
        )}
        <Button variant="ghost" off={off} onClick={() => setAdding(true)}>
          <Icon of={Plus} />
          {t`By hand`}
        </Button>
        {chosen && (
          <>
            <Button variant="ghost" className={styles.narrow} onClick={handle.openByHand}>
              {t`Set by hand`}
            </Button>
            <SetPrice kind={chosen.kind} model={chosen.id} profileId={profile?.id} className={styles.narrow}>
              {t`Set a price`}
            </SetPrice>
          </>
        )}
        <ActionButton action="settings.again" busy={isReading} onDo={() => void read()}>
          {t`Read again`}
        </ActionButton>
      </div>
      <Refusal text={refusal} />
      {isAdding && profile && (
        <AddModel
          key={profile.id}
          profile={profile}
          others={list.data?.others ?? []}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

/** `7 listed, read 07:40, nothing billed`. */
function readWords(list: { readAt?: number; listed?: number } | undefined, now: number): string {
  if (!list) return '';
  if (list.readAt === undefined) return t`not read yet; reading costs nothing`;
  const isToday = new Date(list.readAt).toDateString() === new Date(now).toDateString();
  const when = isToday ? formatClock(list.readAt) : formatStamp(list.readAt, now);
  return t`${counted(list.listed ?? 0, 'model')} listed, read ${when}, nothing billed`;
}
