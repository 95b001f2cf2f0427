import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Draft } from '../../shared/chat/director/draft.ts';
import { shotFacts } from '../../shared/chat/director/shotFacts.ts';
import type { StudioError } from '../../shared/contract/result.ts';
import type { FilmShot } from '../../shared/film/film.ts';
import type { Asset } from '../../shared/library/asset.ts';
import { formatNanoRange } from '../../shared/money/money.ts';
import type { Quote } from '../../shared/money/quote.ts';
import { shortened } from '../../shared/text/shortened.ts';

/** The answers to programs, field by field: nothing is passed on that is not named here. */

const PROMPT_LENGTH = 2_000;

export const told = (value: Record<string, unknown>, links: readonly Asset[] = []): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }, ...links.map(linkOf)],
  structuredContent: value,
});

/** An error that the program can fix, as a result that its model reads. */
export const refusal = ({ code, message, data }: StudioError): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify({ code, message, ...(data?.field ? { field: data.field } : {}) }) }],
});

export const assetUri = (id: string): string => `dailies://asset/${encodeURIComponent(id)}`;

/** A link leads to facts about a file, never to the file itself. */
export const FACTS_MIME = 'application/json';

const linkOf = ({ id, name }: Asset) => ({
  type: 'resource_link' as const,
  uri: assetUri(id),
  name: shortened(name, 200),
  mimeType: FACTS_MIME,
});

export const assetFacts = ({ id, name, mime, state, sha256, width, height, seconds, jobId, createdAt }: Asset) => ({
  id,
  name: shortened(name, 200),
  mime,
  state,
  ...(sha256 === '' ? {} : { sha256 }),
  ...(width > 0 ? { width, height } : {}),
  ...(seconds === undefined ? {} : { seconds }),
  ...(jobId === undefined ? {} : { job: jobId }),
  created_at: new Date(createdAt).toISOString(),
});

export const boardShot = ({ shot, active }: FilmShot, number: number) => ({
  ...shotFacts(shot, { number, promptLength: PROMPT_LENGTH }),
  ...(active ? { playing_job: active.jobId } : {}),
});

interface Priced {
  estimateNano: number;
  lowNano: number;
  unpriced?: true;
}

const priceOf = ({ estimateNano, lowNano, unpriced }: Priced) => ({
  price: unpriced ? 'not known' : formatNanoRange(lowNano, estimateNano),
  estimate_nano: estimateNano,
  low_nano: lowNano,
  ...(unpriced ? { unpriced } : {}),
});

export const draftFacts = (draft: Draft) => ({
  draft: draft.id,
  state: draft.state,
  title: draft.title,
  ...(draft.shot ? { shot_number: draft.shot.number } : {}),
  ...priceOf(draft),
  ...(draft.quoteId ? { quote: draft.quoteId } : {}),
  ...(draft.errors ? { cannot_be_made: draft.errors.slice(0, 5) } : {}),
});

export const quoteFacts = (quote: Quote) => ({
  quote: quote.id,
  state: quote.state,
  ...(quote.voidBecause ? { void_because: quote.voidBecause } : {}),
  ...priceOf(quote),
  ...(quote.expiresAt === undefined ? {} : { expires_at: new Date(quote.expiresAt).toISOString() }),
  ...(quote.jobId ? { job: quote.jobId } : {}),
});
