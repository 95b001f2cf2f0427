import { useState } from 'react';
import { promotedLikeness, promotedRequest } from '../../../shared/board/promotion.ts';
import type { Result } from '../../../shared/contract/result.ts';
import { modelLimits } from '../../../shared/gateway/modelFacts.ts';
import type { ProfileView } from '../../../shared/gateway/profile.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { readiness } from '../../../shared/jobs/readiness.ts';
import { isRequestOf, KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { clipCount, quantityOfClips, type VideoRequest } from '../../../shared/kinds/video.ts';
import { t } from '../../../shared/text/texts.ts';
import { useActiveProfile } from '../../app/index.ts';
import { PriceRow, SpendDialog, usePrice } from '../../spending/index.ts';
import { Field, plural, Select } from '../../ui/index.ts';
import { errorText, reasonText } from '../../words/index.ts';
import { Choice } from './controls.tsx';
import { ordering } from './inspector/SendBar.tsx';
import { type ShotView, seedOf, type TakeView } from './model/view.ts';
import type { ViewProps } from './tabProps.ts';
import { type BoardHandle, useBoardView } from './useBoard.ts';

/** Offers to remake a take in higher quality, with its price. */
export function PromoteOffer({ board, view }: ViewProps) {
  const jobId = useBoardView((state) => state.promoting);
  const profile = useActiveProfile();
  const take = view.takes.find((one) => one.jobId === jobId);
  const job = take?.job;
  if (!job || !profile || !isRequestOf(KINDS.video, job.request)) return null;
  return (
    <PromoteDialog key={jobId} board={board} view={view} take={{ ...take, job }} made={job.request} profile={profile} />
  );
}

interface PromoteProps {
  board: BoardHandle;
  view: ShotView;
  take: TakeView & { job: Job };
  /** The original take's request. */
  made: VideoRequest;
  profile: ProfileView;
}

function PromoteDialog({ board, view, take, made, profile }: PromoteProps) {
  const [resolution, setResolution] = useState<Resolution>('1080p');
  const [model, setModel] = useState(made.model);
  const promoted = promotedRequest(take.job, { resolution, model }, profile);
  const now = usePrice(promoted.ok ? quantityOf(promoted.data) : undefined);
  const next = view.takes.length + 1;
  const label = t`Make take ${next}`;
  const better = { shotId: view.shot.id, jobId: take.jobId, resolution, model };
  const tonight = t`${label} of shot ${view.number}`;
  const clips = clipCount(made);
  const what = [t`1 take`, clips > 1 && plural(clips, 'clip'), resolution].filter(Boolean).join(', ');
  return (
    <SpendDialog
      title={t`Promote take ${take.number} of shot ${view.number}`}
      label={label}
      off={whyNot(promoted, board, profile) ?? now.off}
      price={<PriceRow what={what} now={now} kind={KINDS.video.name} />}
      {...ordering(label, now, (order) => board.sync.promoteTake(better, order), tonight)}
      onClose={() => useBoardView.setState({ promoting: undefined })}
    >
      <div className="col gap">
        <p>
          {promotedLikeness(seedOf(take), profile)} {t`This take stays as it is.`}
        </p>
        <div className="g2">
          <Field label={t`Model`}>
            <Select
              aria-label={t`Model`}
              value={model}
              onValue={setModel}
              options={modelsFor(KINDS.video, profile.models).map(({ id, label: note }) => ({
                value: id,
                label: id,
                note,
              }))}
            />
          </Field>
          <Choice label={t`Resolution`} options={RESOLUTIONS} value={resolution} onValue={setResolution} />
        </div>
      </div>
    </SpendDialog>
  );
}

const RESOLUTIONS = ['720p', '1080p'] as const;
type Resolution = (typeof RESOLUTIONS)[number];

const quantityOf = (request: VideoRequest) => ({
  kind: KINDS.video.name,
  model: request.model,
  quantity: quantityOfClips(request),
});

/** Why it cannot be requested; the studio applies the same rules. */
function whyNot(promoted: Result<VideoRequest>, board: BoardHandle, profile: ProfileView): string | undefined {
  if (!promoted.ok) return errorText(promoted.error);
  const limits = modelLimits(profile, promoted.data.model, Date.now());
  const [reason] = readiness(promoted.data, board.media.lookUp, limits);
  return reason && reasonText(reason);
}
