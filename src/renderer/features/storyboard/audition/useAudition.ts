import { useEffect, useState } from 'react';
import { type BoardContent, contentOf } from '../../../../shared/board.ts';
import type { Job, Verdict } from '../../../../shared/job.ts';
import type { MediaMeasures } from '../../../../shared/measures.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { announce, saveVerdict, useShortcut } from '../../../app/index.ts';
import { useMeasures } from '../../../media/useMeasures.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';
import { isSameContent } from '../model/pending.ts';
import { removeTake, returnTake } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, playTake } from '../useBoard.ts';
import { firstToJudge, type Judging } from './beside.ts';
import { type Candidate, candidatesOf, firstChoice, MOST, toggled } from './candidates.ts';
import { type MatchedLevels, type Measured, matchedLevels } from './levels.ts';
import type { SyncPlayer } from './syncPlayer.ts';

export interface Audition {
  all: readonly Candidate[];
  /** What is compared, in the order of its keys. */
  shown: readonly Candidate[];
  solo: Candidate | undefined;
  /** In the order of what is shown. */
  levels: readonly Measured[];
  matched: MatchedLevels;
  /** Whether they are played equally loud. */
  isMatched: boolean;
  setMatched: (isMatched: boolean) => void;
  setSolo: (candidate: Candidate | undefined) => void;
  /** Compares exactly these, by their keys. */
  show: (keys: readonly string[]) => void;
  toggle: (candidate: Candidate) => void;
  keep: () => void;
  /** Judges what is solo; while judging, keeping it lets it play for the shot, and the next new one is solo. */
  judge: (verdict: Verdict) => void;
  /** Keeps, and takes the other takes that are compared off the shot, into its bin. */
  keepAlone: () => void;
  /** Takes the last keep back, while judging the last verdict; undefined where there is none. */
  undo: (() => void) | undefined;
  /** What was just kept, or why it was not. */
  said: string | undefined;
}

/** What was there before a take was judged. */
interface Before {
  job: Job;
  verdict: Verdict | undefined;
  activeTake: string | undefined;
  activeOutput: number | undefined;
  /** The takes that went into the bin. */
  binned: readonly string[];
  /** All takes of the shot, in their order. */
  takes: readonly string[];
  /** The board as the keep left it, where the board has its own undo beside this one. */
  left?: BoardContent | undefined;
}

/** The takes in the order that they had; those that are newer come after them. */
const inOrder = (takes: readonly string[], before: Before): string[] => [
  ...before.takes.filter((take) => takes.includes(take)),
  ...takes.filter((take) => !before.takes.includes(take)),
];

/** With `judging`, new takes are judged one after the other, beside what was kept. */
export function useAudition(board: BoardHandle, shot: ShotView, player: SyncPlayer, judging?: Judging): Audition {
  const isNew = judging?.isNew;
  const all = candidatesOf(shot);
  const [chosen, setChosen] = useState<readonly string[]>(() =>
    judging ? firstToJudge(all, judging) : firstChoice(shot, all),
  );
  const shown = shownOf(chosen, all, judging ? 1 : 2);
  const [isMatched, setMatched] = useState(true);
  const [soloKey, setSoloKey] = useState(() => nextToJudge(shown, isNew) ?? firstNew(shown, isNew) ?? chosen[0]);
  const solo = shown.find(({ key }) => key === soloKey) ?? shown[0];
  const measures = useMeasures(shown.map(({ clip }) => clip.sha256));
  const levels = shown.map(({ clip }): Measured => {
    const file = measures.get(clip.sha256);
    return file?.state === 'measured' ? levelOf(file.measures) : { level: undefined };
  });
  const { keep, undo, said, judgeSolo } = useKeep(board, shot, solo, isNew !== undefined);
  const others = [...new Set(shown.map(({ take }) => take.jobId))].filter((jobId) => jobId !== solo?.take.jobId);
  const judge = (verdict: Verdict) => {
    if (isNew && verdict === 'keep') keep([]);
    else judgeSolo(verdict);
    const next = nextAfter(shown, isNew, solo, verdict);
    if (next !== undefined) setSoloKey(next);
  };
  useShortcut('verdict.keep', () => judge('keep'));
  useShortcut('verdict.maybe', () => judge('maybe'));
  useShortcut('verdict.no', () => judge('no'));
  const setSolo = (candidate: Candidate | undefined) => {
    if (!candidate) return;
    setSoloKey(candidate.key);
    announce(t`Solo ${candidate.words}`);
  };
  useSoloKeys((index) => setSolo(shown[index]));
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
    matched: isMatched ? matchedLevels(levels) : { common: undefined, gains: levels.map(() => 0), held: undefined },
    isMatched,
    setMatched,
    setSolo,
    show: setChosen,
    toggle,
    keep: () => keep([]),
    judge,
    keepAlone: () => keep(others),
    undo,
    said,
  };
}

/** The keys 1 to 4, each with its place among what is compared. */
export function useSoloKeys(solo: (index: number) => void): void {
  useShortcut('audition.solo1', () => solo(0));
  useShortcut('audition.solo2', () => solo(1));
  useShortcut('audition.solo3', () => solo(2));
  useShortcut('audition.solo4', () => solo(3));
}

const firstNew = (shown: readonly Candidate[], isNew: ReadonlySet<string> | undefined): string | undefined =>
  shown.find(({ take }) => isNew?.has(take.jobId))?.key;

/** The next new one without a verdict, of another take than this job's. */
const nextToJudge = (
  shown: readonly Candidate[],
  isNew: ReadonlySet<string> | undefined,
  judged?: string,
): string | undefined =>
  shown.find(({ take }) => isNew?.has(take.jobId) && take.jobId !== judged && take.job?.verdict === undefined)?.key;

/** A verdict is that of the take. After a no its next clip is up, which may be better; else another take. */
function nextAfter(
  shown: readonly Candidate[],
  isNew: ReadonlySet<string> | undefined,
  solo: Candidate | undefined,
  verdict: Verdict,
): string | undefined {
  const jobId = solo?.take.jobId;
  const later = shown.slice(shown.findIndex(({ key }) => key === solo?.key) + 1);
  const nextClip = verdict === 'no' && later.find(({ take }) => isNew?.has(take.jobId) && take.jobId === jobId);
  return nextClip ? nextClip.key : nextToJudge(shown, isNew, jobId);
}

const levelOf = ({ sound, soundFault }: Pick<MediaMeasures, 'sound' | 'soundFault'>): Measured =>
  sound ? { level: sound.lufs, peak: sound.truePeakDb } : { level: soundFault === undefined ? null : undefined };

/** What was chosen and is still there; where a take went, another one takes its place, so that `least` are shown. */
function shownOf(chosen: readonly string[], all: readonly Candidate[], least: number): Candidate[] {
  const there = chosen.flatMap((key) => all.find((candidate) => candidate.key === key) ?? []);
  const others = all.filter((candidate) => !there.includes(candidate));
  return [...there, ...others.slice(0, Math.max(0, least - there.length))].slice(0, MOST);
}

/** Keeps a take: its verdict is keep and it plays for the shot. One step takes both back, while judging also another verdict. */
function useKeep(board: BoardHandle, shot: ShotView, solo: Candidate | undefined, isJudging: boolean) {
  const [before, setBefore] = useState<Before>();
  const [said, setSaid] = useState<string>();
  // What was done on the board since is undone first, and by the board.
  if (before?.left && board.board && !isSameContent(before.left, contentOf(board.board))) setBefore(undefined);
  const say = (text: string) => {
    setSaid(text);
    announce(text);
  };
  const beforeOf = (job: Job, binned: readonly string[]): Before => {
    const { activeTake, activeOutput, takes } = shot.shot;
    return { job, verdict: job.verdict, activeTake, activeOutput, binned, takes };
  };
  const judgeSolo = async (verdict: Verdict) => {
    const job = solo?.take.job;
    if (!solo || !job) return;
    // While judging, the same verdict once more is meant for another clip of the take, or for the next take.
    if (isJudging && job.verdict === verdict) return say(`${solo.words}: ${VERDICT_WORDS[verdict].judged}`);
    const next = job.verdict === verdict ? undefined : verdict;
    const was = beforeOf(job, []);
    if (!(await saveVerdict(job.id, next))) return;
    if (isJudging) setBefore(was);
    say(`${solo.words}: ${next ? VERDICT_WORDS[next].judged : t`verdict taken back`}`);
  };
  const keep = async (binned: readonly string[]) => {
    const job = solo?.take.job;
    if (!solo || !job) return;
    const was = beforeOf(job, binned);
    if (!(await saveVerdict(job.id, 'keep'))) return;
    playTake(board, shot.shot.id, solo.take.jobId, solo.index);
    if (binned.length > 0)
      board.sync.edit((shots) => binned.reduce((all, id) => removeTake(shot.shot.id, id)(all), shots.slice()));
    const kept = board.sync.state().board;
    setBefore({ ...was, left: isJudging ? undefined : kept && contentOf(kept) });
    const rest = binned.length > 0 ? t` ${counted(binned.length, 'take')} went to the bin of the shot.` : '';
    say(t`Kept ${solo.words}. It plays for shot ${shot.number} now.${rest}`);
  };
  const undo = async (kept: Before) => {
    if (!(await saveVerdict(kept.job.id, kept.verdict))) return;
    const playing = { activeTake: kept.activeTake, activeOutput: kept.activeOutput };
    board.sync.edit((shots) => {
      const there = kept.binned.reduce((all, id) => returnTake(shot.shot.id, id)(all), shots.slice());
      return there.map((one) =>
        one.id === shot.shot.id ? { ...one, ...playing, takes: inOrder(one.takes, kept) } : one,
      );
    });
    setBefore(undefined);
    say(t`Taken back: the verdict and what plays are as before.`);
  };
  return {
    keep: (binned: readonly string[]) => void keep(binned),
    judgeSolo: (verdict: Verdict) => void judgeSolo(verdict),
    undo: before && (() => void undo(before)),
    said,
  };
}
