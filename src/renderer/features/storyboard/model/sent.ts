import { requestOfShot, type Shot } from '../../../../shared/board/board.ts';
import type { CastMember } from '../../../../shared/board/cast.ts';
import { toSend } from '../../../../shared/board/slotSharing.ts';
import type { VideoRequest } from '../../../../shared/kinds/video.ts';
import type { MediaRef } from '../../../../shared/library/mediaRef.ts';
import { videoForm, videoWire } from '../../../../shared/wire/video.ts';

/** Stands for a picture of this machine: whether it goes by its link or as its bytes is decided when it is sent. */
const PICTURE = '…';
const uriOf = (ref: MediaRef): string => ('uri' in ref ? ref.uri : PICTURE);

/**
 * The body that would be sent for a shot, with its joint followed ({@link linkedShot}), in a gateway's dialect: names spelled out, pictures
 * of the cast in their slots, the length that is priced. A shot without a seed gets one only when it is sent.
 */
export function wouldBeSent(
  linked: Shot,
  cast: readonly CastMember[] | undefined,
  profile: Parameters<typeof videoWire>[1],
): Record<string, unknown> {
  return videoWire(videoForm(requestOfShot(toSend(linked, cast)) as VideoRequest, uriOf), profile).body;
}
