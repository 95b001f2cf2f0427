import type { Job } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';
import { curlOf } from '../../shared/wire/curl.ts';
import { call } from '../client/index.ts';
import { toast } from '../ui/index.ts';
import { announce } from './announce.ts';
import { useStudio } from './state/studio.ts';

/** Copies facts of jobs and results: no keys, and no addresses that give access by themselves. */

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A window that lost the focus while reading may not write to the clipboard.
    return void toast({ kind: 'fail', text: t`Nothing was copied. Bring this window to the front and try again.` });
  }
  announce(t`Copied`);
}

/** Copies the request as a shell command, in the gateway's present API format. */
export async function copyJobAsCurl(job: Job): Promise<void> {
  const profile = useStudio.getState().profiles.find(({ id }) => id === job.profileId);
  // Lists cut long requests.
  const whole = job.requestCut ? await call('jobs.get', { id: job.id }) : undefined;
  const line = profile && curlOf((whole?.ok ? whole.data : job).request, profile);
  if (line === undefined) announce(t`Its gateway was removed.`);
  else await copyText(line);
}
