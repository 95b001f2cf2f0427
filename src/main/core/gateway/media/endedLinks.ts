import { wordingsOf } from '../errors/index.ts';

/** How places of results say that a link has ended, or that nothing is there any more. */
export const ENDED_LINKS = wordingsOf('ended-links', [
  ['s3', 'expired|no such key'],
  ['azureStorage', 'not valid in the specified time frame'],
  ['supabase', 'invalid jwt'],
  ['discord', 'no longer available'],
  ['linkPrograms', 'has passed|no longer exist*'],
]);

/** How they name the link as what has expired, where it could also be the key. */
export const OF_A_LINK = wordingsOf('ended-links', [
  ['tos', 'request has expired'],
  ['instagram', 'signature expired'],
  ['linkPrograms', 'request expired|request is expired|link expired|link has expired|link is expired'],
  ['linkPrograms', 'url expired|url has expired|url is expired|signature has expired|signature is expired'],
]);
