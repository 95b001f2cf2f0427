import { accountBalance } from './account/balance.ts';
import { foundSettings } from './account/foundSettings.ts';
import { recordedCost } from './account/freeAnswers.ts';
import { tryImageHeaders } from './account/keyCheck.ts';
import { readModels } from './account/modelList.ts';
import { listPrices } from './account/priceList.ts';
import { testConnection } from './account/testConnection.ts';
import { chat } from './chat/submitChat.ts';
import { accountOf } from './exchange/request.ts';
import { repeatRequest, submitEdit, submitImagine } from './families/image.ts';
import { pollImage } from './families/imageTasks/imageTask.ts';
import { submitVideo } from './families/video.ts';
import { originOf } from './http/origin.ts';
import { createTransport } from './http/transport.ts';
import { fetchMedia } from './media/fetchMedia.ts';
import type { Service } from './service.ts';
import { pollTask, submitTask } from './tasks/submitOnce.ts';
import { pollVideo } from './tasks/video/pollVideo.ts';
import type { DialectMemory, Gateway, GatewayDeps, LearntName, OpenGateway, PollOutcome, RemoteTask } from './types.ts';
import { secretScrubber, withoutSecrets } from './withoutSecrets.ts';

/**
 * Opens clients of services. A client is bound to one profile and its secrets; findings about the service are remembered per profile and
 * host. Failures of a service are never thrown: outcomes are values.
 */
export function createGateway(deps: GatewayDeps): OpenGateway {
  return (profile, secrets) => {
    const scrub = secretScrubber(secrets);
    const origin = originOf({ profile });
    const transport = createTransport({ ...deps, origin, headers: secrets.headers });
    const service: Service = {
      profile,
      secrets,
      transport,
      scrub,
      now: () => deps.now(),
      after: (ms, run) => deps.after(ms, run),
      ...learning(deps, { profileId: profile.id, origin, scrub }),
    };
    const gateway: Gateway = {
      chat: (request, send, onDelta, onPicture) => chat(service, request, send, onDelta, onPicture),
      submitVideo: (request, send) => submitVideo(service, request, send),
      submitImagine: (request, send) => submitImagine(service, request, send),
      submitEdit: (request, send) => submitEdit(service, request, send),
      submitTask: (request, send) => submitTask(service, request, send),
      repeat: (request) => repeatRequest(service, request),
      accountOf: (key) => accountOf(service, key),
      poll: async (task, signal, call) =>
        aboutTask(await (call ? pollTask(service, task, call, signal) : pollKnown(service, task, signal))),
      fetchMedia: (uri, options) => fetchMedia(service, uri, options),
      listPrices: () => listPrices(service),
      recordedCost: (id) => recordedCost(service, id),
      readModels: () => readModels(service),
      balance: () => accountBalance(service),
      test: () => testConnection(service),
      found: () => foundSettings(service),
      tryImageHeaders: (names) => tryImageHeaders(service, names),
      retire: () => transport.retire(),
      close: () => transport.close(),
    };
    return withoutSecrets(gateway, profile.baseUrl, secrets);
  };
}

/** Known settings of the service, extended by its answers. */
function learning(
  deps: GatewayDeps,
  { profileId, origin, scrub }: { profileId: string; origin: string; scrub(text: string): string },
): Pick<Service, 'memory' | 'learn'> {
  const known = deps.recall(profileId);
  // Settings learnt from one host do not apply to another host in the same profile.
  let memory: DialectMemory = known.origin === undefined || known.origin === origin ? known : {};
  let isWritten = true;
  return {
    memory: () => memory,
    learn(found, by) {
      const names = Object.keys(found) as LearntName[];
      const fresh = names.filter((name) => JSON.stringify(found[name]) !== JSON.stringify(memory[name]));
      // Nothing that contains a secret is remembered.
      if (scrub(JSON.stringify(found)) !== JSON.stringify(found)) return;
      if (fresh.length === 0 && isWritten) return;
      const at = deps.now();
      const foundBy = { ...memory.foundBy, ...Object.fromEntries(fresh.map((name) => [name, { by, at }])) };
      memory = { ...memory, ...found, origin, foundBy };
      try {
        deps.remember(profileId, memory);
        isWritten = true;
      } catch (error) {
        // A failed write must not lose the answer: it may belong to a paid request whose task has to be recorded.
        isWritten = false;
        deps.log?.warn({ profile: profileId, error: String(error) }, 'what was learnt of a service is not written yet');
      }
    },
  };
}

const pollKnown = (service: Service, task: RemoteTask, signal?: AbortSignal): Promise<PollOutcome> =>
  (task.kind === 'video' ? pollVideo : pollImage)(service, task, signal);

/** The request was accepted earlier, and a failed poll does not change that. */
function aboutTask(outcome: PollOutcome): PollOutcome {
  if (outcome.type === 'unreachable') return { ...outcome, error: { ...outcome.error, accepted: 'yes' } };
  if (outcome.type === 'missing' && outcome.error)
    return { ...outcome, error: { ...outcome.error, accepted: 'unknown' } };
  return outcome;
}
