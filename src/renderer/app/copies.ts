import type { Job } from '../../shared/jobs/job.ts';
import { t } from '../../shared/text/texts.ts';
import { curlOf } from '../../shared/wire/curl.ts';
import { call } from '../client/index.ts';
import { toast } from '../ui/index.ts';
import { announce } from './announce.ts';
import { useStudio } from './state/studio.ts';

/** What is copied of a job and of a result: no key, and no address that opens anything by itself. */

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A window that is not in front any more may not: what is copied had to be read first.
    return void toast({ kind: 'fail', text: t`Nothing was copied. Bring this window to the front and try again.` });
  }
  announce(t`Copied`);
}

/** Its request as a line for a shell, in the form that its gateway is sent now. */
export async function copyJobAsCurl(job: Job): Promise<void> {
  const profile = useStudio.getState().profiles.find(({ id }) => id === job.profileId);
  // A list may have cut a long request.
  const whole = job.requestCut ? await call('jobs.get', { id: job.id }) : undefined;
  const line = profile && curlOf((whole?.ok ? whole.data : job).request, profile);
  if (line === undefined) announce(t`Its gateway was removed.`);
  else await copyText(line);
}
