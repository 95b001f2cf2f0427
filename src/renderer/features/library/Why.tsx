import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { shownName } from '../../../shared/shownName.ts';
import { t } from '../../../shared/texts.ts';
import { navigate, useAsset, useJob } from '../../app/index.ts';
import { formatStamp, Section, TextAction } from '../../ui/index.ts';

/** How an asset came to be here, in words, and the way to what it came by. */
interface Why {
  words: string;
  way?: { label: string; go: () => void };
}

export function WhyHere({ asset }: { asset: Asset }) {
  const job = useJob(asset.jobId);
  const parent = useAsset(asset.parentId);
  const { words, way } = whyHere(asset, job, parent);
  return (
    <Section title={t`Why it is here`} end={way && <TextAction onClick={way.go}>{way.label}</TextAction>}>
      <p>{words}</p>
    </Section>
  );
}

/** What was taken or made from another asset, then what a request made, then what was brought in. */
export function whyHere(asset: Asset, job: Job | undefined, parent: Asset | undefined): Why {
  if (asset.parentId !== undefined) return ofParent(asset, asset.parentId, parent);
  if (asset.jobId !== undefined) return ofJob(asset, asset.jobId, job);
  const at = formatStamp(asset.createdAt);
  if (asset.elsewhere)
    return { words: t`Brought in on ${at}, with a file beside it that says how it was made elsewhere.` };
  if (asset.role === 'mask') return { words: t`A mask that was brought in on ${at}.` };
  return { words: t`Brought in from a file on ${at}.` };
}

function ofParent({ role }: Asset, id: string, parent: Asset | undefined): Why {
  const name = parent ? shownName(parent.name) : t`a file of this library`;
  const way = { label: t`Show it`, go: () => navigate('library', { asset: id }) };
  if (role === 'frame') return { words: t`A frame that was taken from ${name}.`, way };
  if (role === 'mask') return { words: t`A mask that was painted over ${name}.`, way };
  return { words: t`Made on this machine from ${name}; no request was sent for it.`, way };
}

function ofJob(asset: Asset, id: string, job: Job | undefined): Why {
  const way = { label: t`Show its request`, go: () => navigate('queue', { job: id }) };
  if (job?.elsewhere)
    return { words: t`Came with a bundle: it was made elsewhere, and nothing was sent or charged for it here.`, way };
  const at = formatStamp(job?.createdAt ?? asset.createdAt);
  if (job && job.outputs.length > 1)
    return { words: t`One of ${job.outputs.length} results of your request of ${at}.`, way };
  return { words: t`The result of your request of ${at}.`, way };
}
