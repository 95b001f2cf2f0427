import { VERDICTS, type Verdict } from '../../../../shared/job.ts';
import { oneSide } from '../../../../shared/oneSide.ts';
import { t } from '../../../../shared/texts.ts';
import { useEntities } from '../../../app/index.ts';
import { PlayMoney } from '../../../spending/index.ts';
import { PriceWords, Section } from '../../../ui/index.ts';

/** The verdicts on all that is new, and what the kept ones cost. */
export function SoFar({ ids }: { ids: readonly string[] }) {
  const jobs = useEntities((state) => state.jobs);
  const made = ids.flatMap((id) => jobs.get(id) ?? []);
  const of = (verdict: Verdict) => made.filter((job) => job.verdict === verdict);
  const kept = oneSide(of('keep'));
  const sum = (nanoOf: (job: (typeof kept)[number]) => number) => kept.reduce((all, job) => all + nanoOf(job), 0);
  return (
    <Section title={t`So far`}>
      <table className="mini">
        <tbody>
          <tr>
            <td>{t`Kept, maybe, no`}</td>
            <td className="r">{VERDICTS.map((verdict) => of(verdict).length).join(', ')}</td>
          </tr>
          <tr>
            <td>{t`Cost of what you kept`}</td>
            <td className="r">
              <PriceWords
                nano={sum(({ money }) => money.chargedNano)}
                lowNano={sum(({ money }) => money.chargedLowNano)}
                unpriced={kept.filter(({ money }) => money.unpriced).length}
                as="most"
              />
              {kept[0] && <PlayMoney profileId={kept[0].profileId} />}
            </td>
          </tr>
        </tbody>
      </table>
    </Section>
  );
}
