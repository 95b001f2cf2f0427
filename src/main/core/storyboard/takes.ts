import type { Shot } from '../../../shared/board/board.ts';

/** The first take is active until the user chooses another; a retried take replaces a failed active one. */
export const withTake = (shot: Shot, jobId: string, insteadOf?: string): Shot => ({
  ...shot,
  takes: [...shot.takes, jobId],
  activeTake: shot.activeTake === undefined || shot.activeTake === insteadOf ? jobId : shot.activeTake,
});
