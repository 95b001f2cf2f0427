import type { ModelDependent, ModelDependents, ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { counted, inflected, t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import { formatStamp, formatUtcDay, rich, TakeNumber, TextAction, Thumb } from '../../../ui/index.ts';
import styles from './models.module.css';
import type { ModelsHandle } from './useModels.ts';
import { endMoment, makesClips, timeLeft } from './words.ts';

/** The day the model ends, by whom that is said, and the shots that can be extended until then. */
export function Dependents({ handle, model, now }: { handle: ModelsHandle; model: ModelEntry; now: number }) {
  const { profile, models } = handle;
  const asked = profile && makesClips(model) ? { profileId: profile.id, model: model.id } : null;
  const { data } = useCall('models.dependents', asked, { on: ['board.changed', 'profiles.changed', 'job.changed'] });
  const shots = data?.shots ?? [];
  const isEnding = typeof model.endsAt === 'number';
  if (!isEnding && shots.length === 0) return null;
  return (
    <>
      <div className="bar top-line">
        <h2>{isEnding ? endTitle(model, now) : t`${model.id} has no day on which it ends`}</h2>
        <span className="t3 cut">{endSource(model, handle)}</span>
        <span className="grow" />
        <TextAction onClick={handle.openByHand}>{isEnding ? t`Another date` : t`Set a date`}</TextAction>
      </div>
      {data && <p className={styles.said}>{whatHangs(data, nextModel(model, models, now))}</p>}
      {shots.length > 0 && (
        <div className={`scroll ${styles.hang}`}>
          <table className={`tbl ${styles.deps}`} aria-label={t`Shots that ${model.id} alone can extend`}>
            <Columns now={now} endsAt={model.endsAt ?? undefined} />
            <tbody>
              {shots.map((shot) => (
                <tr key={`${shot.projectId}-${shot.shotId}`}>
                  <Cells shot={shot} now={now} endsAt={model.endsAt ?? undefined} />
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const endTitle = ({ id, endsAt }: ModelEntry, now: number): string =>
  `${id} ${(endsAt ?? 0) <= now ? 'ended' : 'ends'} ${endMoment(endsAt ?? 0, now)}`;

function endSource({ sources, endsAt }: ModelEntry, { list }: ModelsHandle): string {
  if (typeof endsAt !== 'number') return t`nobody states one`;
  const { endsAt: source } = sources;
  if (source?.by === 'user') return t`set by hand`;
  const read = list.data?.readAt === undefined ? '' : t`, read ${formatStamp(list.data.readAt)}`;
  return t`from the model list, ${source?.field ?? ''}${read}`;
}

/** A model that can go on from a last frame when this one is gone. */
const nextModel = (model: ModelEntry, models: readonly ModelEntry[], now: number): string | undefined =>
  models.find(
    (other) =>
      other.id !== model.id &&
      other.kind === model.kind &&
      other.first !== false &&
      (typeof other.endsAt !== 'number' || other.endsAt > Math.max(now, model.endsAt ?? now)),
  )?.id;

function whatHangs({ shots, gone, endsAt }: ModelDependents, next: string | undefined) {
  const left =
    gone === 0
      ? ''
      : t` ${counted(gone, 'more kept shot')} can only be continued: the gateway does not hold their clips, or the model has ended.`;
  if (shots.length === 0) return t`No kept shot hangs on it.${left}`;
  const until = typeof endsAt === 'number' ? t` until then` : '';
  return (
    <>
      {rich`An extension needs the model that made the shot. ${<b>{t`${counted(shots.length, 'shot')} can be extended${until}, and later only continued`}</b>} from ${inflected(shots.length, 'its', 'their')} last frame${next ? t`, by ${next}` : ''}: frames meet, motion and sound start anew.${left}`}
    </>
  );
}

const Columns = ({ now, endsAt }: { now: number; endsAt: number | undefined }) => (
  <thead>
    <tr>
      <th scope="col" className={styles.pic}>
        <span className="vh">{t`Picture`}</span>
      </th>
      <th scope="col">{t`Shot, kept take`}</th>
      <th scope="col" className={styles.mdlSpan}>
        {endsAt === undefined || endsAt <= now ? (
          <span className="vh">{t`Time left`}</span>
        ) : (
          <span className="row between">
            <span>{t`today`}</span>
            <span>{formatUtcDay(endsAt, now)}</span>
          </span>
        )}
      </th>
      <th scope="col">{t`Extend until`}</th>
      <th scope="col">{t`What ends it`}</th>
    </tr>
  </thead>
);

function Cells({ shot, now, endsAt }: { shot: ModelDependent; now: number; endsAt: number | undefined }) {
  const { project, number, take, clip, until, endedBy, sourceUnknown } = shot;
  const isPressed = until !== undefined && until - now < 48 * 3_600_000;
  const share = until === undefined || endsAt === undefined ? undefined : (until - now) / Math.max(1, endsAt - now);
  return (
    <>
      <td className={styles.pic}>
        <Thumb asset={clip} small />
      </td>
      <td className="max">
        {t`${project}, shot ${number}`} <TakeNumber number={take} verdict="keep" />
      </td>
      <td className={styles.mdlSpan}>
        {share !== undefined && (
          <span className="meter" aria-hidden="true">
            <i style={{ width: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
          </span>
        )}
      </td>
      <td>
        {until === undefined ? (
          <span className="t3">{t`no end is known`}</span>
        ) : (
          <>
            <b className={isPressed ? styles.warn : undefined}>
              {endedBy === 'source' ? formatStamp(until, now) : formatUtcDay(until, now)}
            </b>{' '}
            {isPressed && <span className="t3">{timeLeft(until, now)}</span>}
          </>
        )}
      </td>
      <td className="t2" title={sourceUnknown ? t`How long the gateway keeps the clip is not stated` : undefined}>
        {endedBy === 'source' ? t`its source at the gateway` : endedBy === 'model' ? t`the model` : '–'}
        {sourceUnknown && endedBy !== undefined && <span className="t3"> {t`at most`}</span>}
      </td>
    </>
  );
}
