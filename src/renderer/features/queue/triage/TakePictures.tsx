import { useEffect, useRef, useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import type { TriageTake } from '../../../../shared/triage/calls.ts';
import type { Finding } from '../../../../shared/triage/findings.ts';
import { useAsset } from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import type { FilePlayer } from '../../../player/filePlayer.ts';
import { timecode } from '../../../player/frames.ts';
import { usePlayerState } from '../../../player/usePlayer.ts';
import { JobName } from '../takeNames.tsx';

interface TakePicturesProps {
  take: TriageTake;
  finding: Finding | undefined;
  player: FilePlayer;
  seconds: number;
  fps: number;
}

/** The clip; at a cut the two frames around it, at a jump the frame that was given and the first one, until it plays or is moved on. */
export function TakePictures({ take, finding, player, seconds, fps }: TakePicturesProps) {
  const { seconds: at, isPlaying } = usePlayerState(player);
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  useEffect(() => {
    player.load(video, { seconds, fps });
    return () => player.load(null, { fps });
  }, [player, video, seconds, fps]);
  const isThere = finding !== undefined && !isPlaying && Math.abs(at - finding.at) < 0.5 / fps;
  const isPair = isThere && (finding.kind === 'cut' || (finding.kind === 'jump' && take.given?.assetId !== undefined));
  const frame = finding?.frame ?? 1;
  if (take.state === 'absent') {
    return (
      <div className="seam-view tview one" data-panel tabIndex={-1}>
        <p className="no-frame">{take.why}</p>
      </div>
    );
  }
  return (
    <div className={`seam-view tview ${isPair ? '' : 'one'}`}>
      {isPair && (
        <>
          <figure className="sf a">
            <div className="media">
              {finding.kind === 'jump' ? <Given take={take} /> : <FrameBefore take={take} at={finding.at} fps={fps} />}
              <span className="ov tl">
                {finding.kind === 'jump' ? <GivenName take={take} /> : t`frame ${frame - 1}, before`}
              </span>
              {finding.kind === 'cut' && (
                <span className="ov br mono">{timecode(Math.max(0, finding.at - 1 / fps), fps).slice(3)}</span>
              )}
            </div>
          </figure>
          <span className="seamline" aria-hidden="true" />
        </>
      )}
      <figure className="sf b">
        <div className="media">
          {/* biome-ignore lint/a11y/useMediaCaption: generated clips have no captions. */}
          <video
            ref={setVideo}
            src={mediaUrl(take.assetId)}
            preload="auto"
            playsInline
            aria-label={isPair ? t`Frame ${frame}` : t`The clip`}
          />
          {isPair && (
            <>
              <span className="ov tl">{finding.kind === 'jump' ? t`first frame` : t`frame ${frame}, after`}</span>
              <span className="ov bl mono">{timecode(finding.at, fps).slice(3)}</span>
            </>
          )}
        </div>
      </figure>
    </div>
  );
}

function FrameBefore({ take, at, fps }: { take: TriageTake; at: number; fps: number }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.currentTime = Math.max(0, at - 0.5 / fps);
  }, [at, fps]);
  return (
    <video ref={video} src={mediaUrl(take.assetId)} preload="auto" playsInline muted aria-label={t`The frame before`} />
  );
}

/** The picture that was sent, or the end of the clip that was extended. */
function Given({ take: { given } }: { take: TriageTake }) {
  const asset = useAsset(given?.assetId);
  if (asset?.state !== 'local') return <span className="no-frame">{t`not on this disk`}</span>;
  if (asset.mime.startsWith('image/')) return <img src={mediaUrl(asset.id)} alt={t`The frame that was given`} />;
  return (
    <video
      src={mediaUrl(asset.id)}
      preload="auto"
      playsInline
      muted
      aria-label={t`The end of the clip that was extended`}
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = Math.max(0, currentTarget.duration - 0.02);
      }}
    />
  );
}

function GivenName({ take: { given } }: { take: TriageTake }) {
  if (given?.jobId === undefined) return t`the picture given`;
  return (
    <>
      {given.end === 'last' ? t`last frame of ` : t`frame of `}
      <JobName id={given.jobId} />
    </>
  );
}
