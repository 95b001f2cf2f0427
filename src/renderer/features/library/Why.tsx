import type { Job } from '../../../shared/jobs/job.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { shownName } from '../../../shared/text/shownName.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useAsset, useJob } from '../../app/index.ts';
import { useAssetName } from '../../media/AssetName.tsx';
import { formatStamp, Section, TextAction } from '../../ui/index.ts';

/** How an asset came to be here, in words, and the way to what it came by. */
interface Why {
  words: string;
  way?: { label: string; go: () => void };
}

export function WhyHere({ asset }: { asset: Asset }) {
  const job = useJob(asset.jobId);
  const parent = useAsset(asset.parentId);
  const name = useAssetName(parent ?? asset);
  const { words, way } = whyHere(asset, job, parent && name);
  return (
    <Section title={t`Why it is here`} end={way && <TextAction onClick={way.go}>{way.label}</TextAction>}>
      <p>{words}</p>
    </Section>
  );
}

/** What was taken or made from another asset, then what a request made, then what was brought in. */
export function whyHere(asset: Asset, job: Job | undefined, parentName: string | undefined): Why {
  if (asset.parentId !== undefined) return ofParent(asset.parentId, parentName);
  if (asset.jobId !== undefined) return ofJob(asset, asset.jobId, job);
  const at = formatStamp(asset.createdAt);
  return { words: t`Imported on ${at}.` };
}

function ofParent(id: string, parentName: string | undefined): Why {
  const name = parentName === undefined ? t`another file` : shownName(parentName);
  const way = { label: t`Show`, go: () => navigate('library', { asset: id }) };
  return { words: t`Made on this computer from ${name}.`, way };
}

function ofJob(asset: Asset, id: string, job: Job | undefined): Why {
  const way = { label: t`Show job`, go: () => navigate('queue', { job: id }) };
  if (job?.elsewhere) return { words: t`Imported with a project.`, way };
  const at = formatStamp(job?.createdAt ?? asset.createdAt);
  return { words: t`Result of your job of ${at}.`, way };
}
