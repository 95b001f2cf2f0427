import { cutOf } from '../../../../../shared/chat/finish.ts';
import { blockedPrompt, finishOf, partsOf } from '../../chat/index.ts';
import { errorKindOf } from '../../errors/index.ts';
import { field, type Json, type JsonObject, layersOf, listOf, textOf } from '../../json/index.ts';
import type { Refusal } from '../../tasks/index.ts';

/** Why Google's models gave no picture: with a good status, and without an error. */
export function withheldBy(body: Json): Refusal | undefined {
  for (const layer of layersOf(body)) {
    const found = filteredPictures(layer) ?? promptOf(layer) ?? candidateWithoutPicture(layer);
    if (found) return found;
  }
  return undefined;
}

/** Imagen has the reason in place of each picture, and does not charge for one (cloud.google.com: Imagen, responsible AI). */
function filteredPictures(layer: JsonObject): Refusal | undefined {
  const reasons = listOf(field(layer, 'predictions', 'generatedImages')).flatMap(
    (entry) => textOf(field(entry, 'raiFilteredReason')) ?? [],
  );
  if (reasons.length === 0) return undefined;
  const message = [...new Set(reasons)].join(' ');
  return { kind: 'moderation', serviceError: { message, codes: ['content_filter'] } };
}

function promptOf(layer: JsonObject): Refusal | undefined {
  const serviceError = blockedPrompt(layer);
  return serviceError && { kind: 'moderation', serviceError };
}

/** Gemini tells why its candidate ended, and in words what it did not want to draw (ai.google.dev/api/generate-content: Candidate). */
function candidateWithoutPicture(layer: JsonObject): Refusal | undefined {
  const [first] = listOf(field(layer, 'candidates'));
  const finish = finishOf(field(first, 'finishReason'));
  if (finish === undefined) return undefined;
  const said = partsOf(field(field(first, 'content'), 'parts')).text.trim();
  const message = textOf(field(first, 'finishMessage')) ?? said;
  const hasStopped = /^stop$/i.test(finish);
  if (hasStopped && message === '') return undefined;
  const serviceError = { message, codes: hasStopped ? [] : [finish] };
  return {
    kind: cutOf(finish) === 'filter' ? 'moderation' : errorKindOf(serviceError, 0),
    serviceError,
    acceptance: 'open',
  };
}
