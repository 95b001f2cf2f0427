import { type Shot, shotTitle } from '../../board/board.ts';
import { shortened } from '../../text/shortened.ts';

/** The facts about a shot that a model is given. `promptLength`: longer prompts are cut. */
export const shotFacts = (shot: Shot, { number, promptLength }: { number: number; promptLength: number }) => ({
  number,
  id: shot.id,
  title: shotTitle(shot),
  prompt: shortened(shot.prompt, promptLength),
  model: shot.model,
  starts_from: shot.source,
  ...(shot.joint ? { joint: shot.joint } : {}),
  takes: shot.takes.length,
  ...(shot.skipped ? { skipped: true } : {}),
});
