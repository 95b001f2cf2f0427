import { formatNano } from '../../../../shared/money.ts';
import { isPlayMoney } from '../../../../shared/profile.ts';
import type { GuideSettings } from '../../../../shared/settings.ts';
import { t } from '../../../../shared/texts.ts';
import { navigate, newFilm, saveSettings, useAction, useCall, useOneAtATime, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { formatSpan, PriceTag, Refusal, rich } from '../../../ui/index.ts';
import { quantityOfShot } from '../model/draft.ts';
import type { BoardHandle } from '../useBoard.ts';
import guideStyles from './guide.module.css';

interface AfterGuideProps {
  board: BoardHandle;
  guide: GuideSettings;
}

/** What was done, and three ways to go on. */
export function AfterGuide({ board, guide }: AfterGuideProps) {
  const { refusal, run } = useAction();
  const close = () => saveSettings({ guide: { ...guide, isOpen: false } });
  const keep = async () => {
    const answer = await run(call('projects.rename', { id: guide.projectId, name: t`My film` }));
    if (answer.ok) await close();
  };
  const empty = useOneAtATime(newFilm);
  const { made, kept, billedNano } = figuresOf(board);
  const took = guide.doneAt === undefined ? undefined : formatSpan(Math.max(0, guide.doneAt - guide.startedAt));
  return (
    <>
      <div className="sec">
        <p>{rich`That was all of it: write, make, judge, join.${took && t` It took ${took}.`}`}</p>
        <dl className="figs">
          <Figure label={t`Takes`} value={String(made)} />
          <Figure label={t`Kept`} value={String(kept)} />
          <Figure label={t`Billed`} value={formatNano(billedNano)} />
        </dl>
      </div>
      <div className={`sec ${guideStyles.gFoot}`}>
        <h3>{t`Go on`}</h3>
        <div className="ways">
          <Way label={t`Keep it as my film`} fact={t`free`} onChoose={() => void keep()}>
            {t`It is called “My film” then, with all its takes.`}
          </Way>
          <Way label={t`Start an empty film`} fact={t`free`} onChoose={() => void empty()}>
            {t`Nothing is sent before you press a button with a price.`}
          </Way>
          <Way label={t`Use a real gateway`} fact={t`your key`} onChoose={() => navigate('settings')}>
            <PriceElsewhere board={board} />
          </Way>
        </div>
        <Refusal text={refusal} />
      </div>
    </>
  );
}

const Figure = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);

function figuresOf({ shots }: BoardHandle): { made: number; kept: number; billedNano: number } {
  const jobs = shots.flatMap(({ takes }) => takes.flatMap(({ job }) => job ?? []));
  const isReal = ({ profileId }: { profileId: string }) => !isPlayMoney(profileId);
  return {
    made: jobs.filter(({ state }) => state === 'succeeded').length,
    kept: jobs.filter(({ verdict }) => verdict === 'keep').length,
    billedNano: jobs.filter(isReal).reduce((sum, { money }) => sum + money.chargedNano, 0),
  };
}

interface WayProps {
  label: string;
  fact: string;
  onChoose: () => void;
  children: React.ReactNode;
}

const Way = ({ label, fact, onChoose, children }: WayProps) => (
  <div className="way">
    <span className="row between">
      <button type="button" className="way-do" onClick={onChoose}>
        {label}
      </button>
      <span className="t3">{fact}</span>
    </span>
    <span className="t2">{children}</span>
  </div>
);

/** The film once more at a gateway of the person's own, if there is one with prices. */
function PriceElsewhere({ board }: { board: BoardHandle }) {
  const other = useStudio(({ profiles }) => profiles.find(({ builtin }) => !builtin));
  const quantities = board.shots.flatMap(({ shot }) => quantityOfShot(shot) ?? []);
  const ask = other && quantities.length > 0 ? { quantities, profileId: other.id } : null;
  const { data } = useCall('ledger.estimate', ask);
  if (!other || !data || data.unpriced > 0)
    return <>{t`The same film, the same prompts, at the prices of that service.`}</>;
  return (
    <>
      {t`The same film at ${other.name}, one take a shot:`}{' '}
      <PriceTag nano={data.estimateNano} lowNano={data.lowNano} unpriced={data.unpriced} />.
    </>
  );
}
