import { useEffect, useState } from 'react';
import type { Job, Verdict } from '../../../../shared/job.ts';
import type { MediaMeasures } from '../../../../shared/measures.ts';
import { announce, cacheJobs, useShortcut } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { plural } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';
import { removeTake, returnTake } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, playTake } from '../useBoard.ts';
import { type Candidate, candidatesOf, firstChoice, MOST, toggled } from './candidates.ts';
import { type MatchedLevels, type Measured, matchedLevels } from './levels.ts';
import type { SyncPlayer } from './syncPlayer.ts';
import { useIsOnControl } from './useIsOnControl.ts';

export interface Audition {
  all: readonly Candidate[];
  /** What is compared, in the order of its keys. */
  shown: readonly Candidate[];
  solo: Candidate | undefined;
  /** In the order of what is shown. */
  levels: readonly Measured[];
  matched: MatchedLevels;
  setSolo: (candidate: Candidate | undefined) => void;
  toggle: (candidate: Candidate) => void;
  keep: () => void;
  /** Keeps, and takes the other takes that are compared off the shot, into its bin. */
  keepAlone: () => void;
  /** Takes the last keep back; undefined where nothing was kept. */
  undo: (() => void) | undefined;
  /** What was just kept, or why it was not. */
  said: string | undefined;
}

/** What was there before a take was kept. */
interface Before {
  job: Job;
  verdict: Verdict | undefined;
  activeTake: string | undefined;
  activeOutput: number | undefined;
  /** The takes that went into the bin. */
  binned: readonly string[];
  /** All takes of the shot, in their order. */
  takes: readonly string[];
}

/** The takes in the order that they had; those that are newer come after them. */
const inOrder = (takes: readonly string[], before: Before): string[] => [
  ...before.takes.filter((take) => takes.includes(take)),
  ...takes.filter((take) => !before.takes.includes(take)),
];

export function useAudition(board: BoardHandle, shot: ShotView, player: SyncPlayer): Audition {
  const all = candidatesOf(shot);
  const [chosen, setChosen] = useState<readonly string[]>(() => firstChoice(shot, all));
  const [soloKey, setSoloKey] = useState(chosen[0]);
  const shown = shownOf(chosen, all);
  const solo = shown.find(({ key }) => key === soloKey) ?? shown[0];
  const measures = useMeasures(shown.map(({ clip }) => clip.sha256));
  const levels = shown.map(({ clip }): Measured => {
    const file = measures.get(clip.sha256);
    return file?.state === 'measured' ? levelOf(file.measures) : { level: undefined };
  });
  const { keep, undo, said, judgeSolo } = useKeep(board, shot, solo);
  const others = [...new Set(shown.map(({ take }) => take.jobId))].filter((jobId) => jobId !== solo?.take.jobId);
  useShortcut('verdict.keep', () => judgeSolo('keep'));
  useShortcut('verdict.maybe', () => judgeSolo('maybe'));
  useShortcut('verdict.no', () => judgeSolo('no'));
  const setSolo = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    setSoloKey(candidate.key);
    announce(`Solo ${candidate.words}`);
  };
  useShortcut('audition.solo1', () => setSolo(shown[0]));
  useShortcut('audition.solo2', () => setSolo(shown[1]));
  useShortcut('audition.solo3', () => setSolo(shown[2]));
  useShortcut('audition.solo4', () => setSolo(shown[3]));
  const isOnControl = useIsOnControl();
  useShortcut('audition.keep', () => keep([]), !isOnControl);
  useShortcut('board.undo', () => undo?.(), undo !== undefined);
  useEffect(() => () => player.pause(), [player]);
  const toggle = (candidate: Candidate) =>
    setChosen(
      toggled(
        shown.map(({ key }) => key),
        candidate.key,
      ),
    );
  return {
    all,
    shown,
    solo,
    levels,
    matched: matchedLevels(levels),
    setSolo,
    toggle,
    keep: () => keep([]),
    keepAlone: () => keep(others),
    undo,
    said,
  };
}

const levelOf = ({ sound, soundFault }: Pick<MediaMeasures, 'sound' | 'soundFault'>): Measured =>
  sound ? { level: sound.lufs, peak: sound.truePeakDb } : { level: soundFault === undefined ? null : undefined };

/** What was chosen and is still there; where a take went, another one takes its place. */
function shownOf(chosen: readonly string[], all: readonly Candidate[]): Candidate[] {
  const there = chosen.flatMap((key) => all.find((candidate) => candidate.key === key) ?? []);
  const others = all.filter((candidate) => !there.includes(candidate));
  return [...there, ...others.slice(0, Math.max(0, 2 - there.length))].slice(0, MOST);
}

/** Keeps a take: its verdict is keep and it plays for the shot. One step takes both back. */
function useKeep(board: BoardHandle, shot: ShotView, solo: Candidate | undefined) {
  const [before, setBefore] = useState<Before>();
  const [said, setSaid] = useState<string>();
  const say = (text: string) => {
    setSaid(text);
    announce(text);
  };
  const judge = async (job: Job, verdict: Verdict | undefined) => {
    const answer = await call('jobs.judge', { id: job.id, verdict: verdict ?? null });
    if (answer.ok) cacheJobs([answer.data]);
    else say(answer.error.message);
    return answer.ok;
  };
  const judgeSolo = async (verdict: Verdict) => {
    const job = solo?.take.job;
    if (!solo || !job) return;
    const next = job.verdict === verdict ? undefined : verdict;
    if (await judge(job, next)) say(`${solo.words}: ${next ? VERDICT_WORDS[next].judged : 'verdict taken back'}`);
  };
  const keep = async (binned: readonly string[]) => {
    const job = solo?.take.job;
    if (!solo || !job) return;
    const { activeTake, activeOutput, takes } = shot.shot;
    if (!(await judge(job, 'keep'))) return;
    playTake(board, shot.shot.id, solo.take.jobId, solo.index);
    if (binned.length > 0)
      board.sync.edit((shots) => binned.reduce((all, id) => removeTake(shot.shot.id, id)(all), shots.slice()));
    setBefore({ job, verdict: job.verdict, activeTake, activeOutput, binned, takes });
    const rest = binned.length > 0 ? ` ${plural(binned.length, 'take')} went to the bin of the shot.` : '';
    say(`Kept ${solo.words}. It plays for shot ${shot.number} now.${rest}`);
  };
  const undo = async (kept: Before) => {
    if (!(await judge(kept.job, kept.verdict))) return;
    const playing = { activeTake: kept.activeTake, activeOutput: kept.activeOutput };
    board.sync.edit((shots) => {
      const there = kept.binned.reduce((all, id) => returnTake(shot.shot.id, id)(all), shots.slice());
      return there.map((one) =>
        one.id === shot.shot.id ? { ...one, ...playing, takes: inOrder(one.takes, kept) } : one,
      );
    });
    setBefore(undefined);
    say('Taken back: the verdict and what plays are as before.');
  };
  return {
    keep: (binned: readonly string[]) => void keep(binned),
    judgeSolo: (verdict: Verdict) => void judgeSolo(verdict),
    undo: before && (() => void undo(before)),
    said,
  };
}
