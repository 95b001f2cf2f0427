import type { ModelDependent, ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import { formatStamp, formatUtcDay, TableHead, Thumb } from '../../../ui/index.ts';
import styles from './models.module.css';
import { endMoment, makesClips, timeLeft } from './words.ts';

interface DependentsProps {
  profileId: string;
  model: ModelEntry;
  now: number;
}

/** The shots that only this model can extend, and until when. */
export function Dependents({ profileId, model, now }: DependentsProps) {
  const asked = makesClips(model) ? { profileId, model: model.id } : null;
  const { data } = useCall('models.dependents', asked, { on: ['board.changed', 'profiles.changed', 'job.changed'] });
  if (!data || data.shots.length === 0) return null;
  const { shots, gone } = data;
  return (
    <section className={styles.deps} aria-label={t`Shots that only ${model.id} can extend`}>
      <h2>{t`Shots that only ${model.id} can extend`}</h2>
      {model.endsAt && (
        <p className="t2">{t`The model ends ${endMoment(model.endsAt, now)}. Then shots can only continue from their last frame.`}</p>
      )}
      {gone > 0 && <p className="t2">{t`${counted(gone, 'kept shot')} can no longer be extended.`}</p>}
      <table className="tbl">
        <TableHead heads={[[t`Picture`, 'vh'], t`Kept take`, t`Extend until`, t`Limited by`]} />
        <tbody>
          {shots.map((shot) => (
            <Shot key={`${shot.projectId}-${shot.shotId}`} shot={shot} now={now} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Shot({
  shot: { project, number, take, clip, until, endedBy, sourceUnknown },
  now,
}: {
  shot: ModelDependent;
  now: number;
}) {
  const isPressed = until !== undefined && until - now < 48 * 3_600_000;
  return (
    <tr>
      <td className={styles.pic}>
        <Thumb asset={clip} small />
      </td>
      <td className="max">{t`${project}, shot ${number}, take ${take}`}</td>
      <td>
        {until === undefined ? (
          <span className="t3">{t`Not known`}</span>
        ) : (
          <>
            <b className={isPressed ? styles.warn : undefined}>
              {endedBy === 'source' ? formatStamp(until, now) : formatUtcDay(until, now)}
            </b>{' '}
            {isPressed && <span className="t3">{timeLeft(until, now)}</span>}
          </>
        )}
      </td>
      <td className="t2">
        {endedBy === 'source' ? t`Clip at the gateway` : endedBy === 'model' ? t`Model` : '–'}
        {sourceUnknown && endedBy && <span className="t3"> {t`May end sooner`}</span>}
      </td>
    </tr>
  );
}
