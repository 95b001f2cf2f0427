import { withExtra } from '../../../../shared/wire/extra.ts';
import { videoBody } from '../../../../shared/wire/video.ts';
import { withoutEchoedRequest } from '../errors/index.ts';
import { isAccepted, isRefusedAsInvalid, retryWithNextSpelling } from '../outcomes/index.ts';
import type { Service } from '../service.ts';
import { readVideoForm, type Sent, sendVideo, unreadablePicture } from '../tasks/index.ts';
import type { SendOptions, VideoSubmitRequest } from '../types.ts';
import { learnDialect, requestedDialect, spellingOf, videoDialect } from './videoDialect.ts';

/**
 * Submits a video request through chat completions (spec 4.1). If the spelling of its options is definitely refused, the request is sent
 * once more in the spelling that the refusal asks for. A link to a picture that is definitely refused is replaced by its bytes.
 */
export const submitVideoInChat = (service: Service, request: VideoSubmitRequest, send: SendOptions): Promise<Sent> =>
  retryWithNextSpelling(send, {
    first: videoDialect(service),
    nameOf: spellingOf,
    submit: async (dialect) => {
      const form = await readVideoForm(request, dialect.pictures !== 'bytes').catch(() => undefined);
      if (!form) return unreadablePicture(service);
      const wire = videoBody(form, dialect);
      const body = withExtra(wire.body, service.profile, request.model);
      const submitted = await sendVideo(service, { ...wire, body }, send);
      if (isAccepted(submitted.outcome)) service.learn({ takenSpelling: spellingOf(dialect) }, 'accepted');
      return submitted;
    },
    next({ outcome, answer }, dialect) {
      if (!answer || !isRefusedAsInvalid(outcome)) return undefined;
      const { message } = withoutEchoedRequest(answer, { message: answer.text, codes: [] });
      return requestedDialect(message, dialect, hasLinks(request));
    },
    learn: (dialect) => learnDialect(service, dialect, 'refused'),
  });

/** Whether a picture goes by a link that its bytes could replace. */
const hasLinks = ({ image, lastFrame, referenceImages = [] }: VideoSubmitRequest): boolean =>
  [image, lastFrame, ...referenceImages].some((media) => media && 'uri' in media && media.file !== undefined);
