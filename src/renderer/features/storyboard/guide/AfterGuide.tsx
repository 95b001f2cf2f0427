import type { GuideSettings } from '../../../../shared/contract/settings.ts';
import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { navigate, newFilm, saveSettings, useAction, useCall, useOneAtATime, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { PriceTag, Refusal } from '../../../ui/index.ts';
import { quantityOfShot } from '../model/draft.ts';
import type { BoardHandle } from '../useBoard.ts';
import styles from './guide.module.css';

interface AfterGuideProps {
  board: BoardHandle;
  guide: GuideSettings;
}

/** What was done, what it would cost in real money, and three ways to go on. */
export function AfterGuide({ board, guide }: AfterGuideProps) {
  const { refusal, run } = useAction();
  const keep = async () => {
    const answer = await run(call('projects.rename', { id: guide.projectId, name: t`My film` }));
    if (answer.ok) await saveSettings({ guide: { ...guide, isOpen: false } });
  };
  const empty = useOneAtATime(newFilm);
  return (
    <div className={`sec ${styles.ways}`}>
      <Figures board={board} />
      <div className="ways">
        <Way label={t`Keep it as my film`} onChoose={() => void keep()} />
        <Way label={t`Start an empty film`} onChoose={() => void empty()} />
        <Way label={t`Connect a gateway`} onChoose={() => navigate('settings', { section: 'profiles' })}>
          <RealPrice board={board} />
        </Way>
      </div>
      <Refusal text={refusal} />
    </div>
  );
}

function Figures({ board: { shots } }: { board: BoardHandle }) {
  const jobs = shots.flatMap(({ takes }) => takes.flatMap(({ job }) => job ?? []));
  const charged = jobs.reduce((sum, { profileId, money }) => sum + (isPlayMoney(profileId) ? 0 : money.chargedNano), 0);
  const figures: [string, string][] = [
    [t`Takes`, `${jobs.filter(({ state }) => state === 'succeeded').length}`],
    [t`Kept`, `${jobs.filter(({ verdict }) => verdict === 'keep').length}`],
    [t`Real money`, formatNano(charged)],
  ];
  return (
    <dl className="figs">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

interface WayProps {
  label: string;
  onChoose: () => void;
  children?: React.ReactNode;
}

const Way = ({ label, onChoose, children }: WayProps) => (
  <div className="way">
    <button type="button" className="way-do" onClick={onChoose}>
      {label}
    </button>
    {children && <span className="t2">{children}</span>}
  </div>
);

/** The film once more, one take for each shot: at a gateway of the person's own, else at the prices of the sandbox. */
function RealPrice({ board }: { board: BoardHandle }) {
  const profile = useStudio(({ profiles }) => profiles.find(({ builtin }) => !builtin) ?? profiles[0]);
  const quantities = board.shots.flatMap(({ shot }) => quantityOfShot(shot) ?? []);
  const { data } = useCall(
    'ledger.estimate',
    profile && quantities.length > 0 ? { quantities, profileId: profile.id } : null,
  );
  if (!profile || !data || data.unpriced > 0)
    return <>{t`The same film with real models, at the prices of your gateway.`}</>;
  return (
    <>
      {t`At ${profile.name}, one take of each shot would cost:`}{' '}
      <PriceTag nano={data.estimateNano} lowNano={data.lowNano} unpriced={data.unpriced} />
    </>
  );
}
