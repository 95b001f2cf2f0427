import { t } from '../../../shared/texts.ts';

/** What a key may be heard on: a page, a view that takes the place of one, or a tab of the board. */
const PLACES = [
  ...(['chat', 'painter', 'viewer', 'compared', 'library', 'settings', 'evidence'] as const),
  ...(['board', 'cast', 'sound', 'audition', 'seams', 'shotList', 'export'] as const),
  ...(['queue', 'batch', 'prices', 'night', 'run', 'judge', 'triage'] as const),
] as const;

export type Place = (typeof PLACES)[number];

/** Every action that has a key, in one map. The same key may serve several actions that are never heard at the same place. */
export interface KeyAction {
  label: string;
  chord: string;
  /** What it stands under in the settings. */
  scope:
    | 'everywhere'
    | 'board'
    | 'painter'
    | 'queue'
    | 'batch'
    | 'prices'
    | 'library'
    | 'chat'
    | 'settings'
    | 'sound'
    | 'audition'
    | 'seams'
    | 'triage'
    | 'player'
    | 'night'
    | 'evidence';
  /** Every place that has a handler for it. */
  heard: readonly Place[];
}

/** The actions under a heading that are heard at these places, and each at others of its own. */
const under =
  (scope: KeyAction['scope'], ...heard: Place[]) =>
  (label: string, chord: string, ...also: Place[]): KeyAction => ({ label, chord, scope, heard: [...heard, ...also] });

const everywhere = under('everywhere', ...PLACES);
const chat = under('chat', 'chat');
const settings = under('settings', 'settings');
/** The frame of the board, which every tab has. */
const board = under('board', 'board', 'cast', 'sound', 'audition', 'seams');
const verdict = under('board', 'board', 'audition', 'judge', 'triage', 'library');
/** What plays the film. */
const film = under('board', 'board', 'sound', 'audition', 'judge');
const shown = under('board', 'board');
const cast = under('board', 'cast');
const shotList = under('board', 'shotList');
const audition = under('audition', 'audition');
const seams = under('seams', 'seams');
const painter = under('painter', 'painter');
const viewer = under('painter', 'viewer');
const queue = under('queue', 'queue');
const batch = under('batch', 'batch');
const prices = under('prices', 'prices');
const sound = under('sound', 'sound');
const triage = under('triage', 'triage');
const night = under('night', 'night');
const run = under('night', 'run');
const judge = under('night', 'judge');
const player = under('player', 'library', 'export');
const evidence = under('evidence', 'evidence');
const library = under('library', 'library');
const compare = under('library', 'library', 'compared');

export const KEY_ACTIONS = {
  'palette.open': everywhere(t`Find or run anything`, 'Mod+K'),
  'page.chat': everywhere(t`Chat`, 'Alt+1'),
  'page.storyboard': everywhere(t`Storyboard`, 'Alt+2'),
  'page.images': everywhere(t`Images`, 'Alt+3'),
  'page.queue': everywhere(t`Queue`, 'Alt+4'),
  'page.library': everywhere(t`Library`, 'Alt+5'),
  'page.spend': everywhere(t`Spend`, 'Alt+6'),
  'page.settings': everywhere(t`Settings`, 'Alt+7'),
  'panel.next': everywhere(t`Next panel`, 'F6'),
  'panel.previous': everywhere(t`Previous panel`, 'Shift+F6'),
  /**
   * Presses the button that has the focus where that one spends, else the main button of a page. It alone spends: any other key of a button
   * with a price goes to that button.
   */
  'spend.go': everywhere(t`Send what the button offers`, 'Mod+Enter'),
  'page.leave': everywhere(t`Leave, stop`, 'Escape'),

  'chat.new': chat(t`New chat`, 'Mod+Shift+O'),
  'chat.previousBranch': chat(t`Previous branch`, 'Alt+Left'),
  'chat.nextBranch': chat(t`Next branch`, 'Alt+Right'),
  'chat.approveDraft': chat(t`Offer to approve the draft`, 'Y'),
  'chat.approveDrafts': chat(t`Offer to approve the chosen drafts`, 'Shift+Y'),
  'settings.save': settings(t`Save the profile`, 'Mod+S'),
  'settings.pauseMove': settings(t`Pause the move of the library, or let it go on`, 'P'),
  'settings.again': settings(t`Read the models again, or test again`, 'R'),

  'queue.pause': queue(t`Pause all, or offer to resume`, 'P', 'run'),
  'queue.search': queue(t`Find by prompt`, '/'),
  'queue.all': queue(t`Choose all of the list`, 'Mod+A'),
  'queue.cancel': queue(t`Cancel the job`, 'Delete'),
  'queue.edit': queue(t`Edit the waiting job`, 'E'),
  'queue.retry': queue(t`Offer to try the job again`, 'R'),
  'queue.recall': queue(t`Recall the words, model and options of a text`, 'Shift+R'),
  'queue.earlier': queue(t`Move earlier`, 'Alt+Up', 'night'),
  'queue.later': queue(t`Move later`, 'Alt+Down', 'night'),
  'queue.first': queue(t`Move to the front`, 'Alt+Home'),
  'queue.last': queue(t`Move to the end`, 'Alt+End'),
  'queue.night': queue(t`Run the job tonight, or offer to run it now`, 'Shift+Enter'),
  'queue.import': queue(t`Import jobs`, 'I'),
  'doubt.again': queue(t`Doubt: offer to ask again under the same key`, 'A'),
  'doubt.lookup': queue(t`Doubt: look it up`, '1'),
  'doubt.lost': queue(t`Doubt: count as lost`, '2'),
  'doubt.resend': queue(t`Doubt: offer to send it again`, '3'),

  'batch.nextError': batch(t`Next line to mend`, 'F8'),
  'batch.read': batch(t`Read the text again`, 'R'),

  'price.adopt': prices(t`Offer to adopt the price`, '1'),
  'price.dispute': prices(t`Dispute the price`, '2'),
  'price.once': prices(t`Offer to go on once`, '3'),

  'library.search': library(t`Search`, '/'),
  'library.copyId': library(t`Copy the id`, 'I'),
  'library.layout': library(t`Grid or table`, 'G'),
  'library.all': library(t`Choose all of the list`, 'Mod+A'),
  'library.recall': library(t`Recall the words and settings`, 'R', 'compared'),
  'library.remix': library(t`Remix: go on from the picture or clip`, 'Shift+R', 'compared'),
  'library.star': library(t`Star or unstar`, 'S'),
  'library.tag': library(t`Tags`, 'T'),
  'library.bin': library(t`Put into the bin`, 'Delete'),
  'library.undoBin': library(t`Take back what went into the bin last`, 'Mod+Z'),
  'library.restore': library(t`Bin: put back`, 'U'),
  'library.board': library(t`Put on the board`, 'B'),
  'library.compare': library(t`Compare two to four pictures`, 'C'),
  'compare.slider': compare(t`Compare: a slider between two`, '1'),
  'compare.side': compare(t`Compare: side by side`, '2'),
  'compare.difference': compare(t`Compare: the difference of two`, '3'),
  'compare.onion': compare(t`Compare: one over the other`, '4'),
  'compare.swap': compare(t`Compare: swap the sides`, 'X'),
  'library.export': library(t`Export with sidecars`, 'E'),

  'player.frameBack': player(t`Frame back`, ','),
  'player.frameForward': player(t`Frame forward`, '.'),
  'player.mute': player(t`Mute`, 'Shift+M'),
  'player.loop': player(t`Loop`, 'Shift+L'),
  'player.fullScreen': player(t`Full screen`, 'F'),

  'verdict.keep': verdict(t`Keep`, 'Y'),
  'verdict.maybe': verdict(t`Maybe`, 'M'),
  'verdict.no': verdict(t`No`, 'N'),
  'board.back': film(t`Play backwards`, 'J', 'library', 'export'),
  'board.play': film(t`Play or pause`, 'K', 'seams', 'triage', 'library', 'export'),
  'board.forward': film(t`Play forwards`, 'L', 'library', 'export'),
  'board.frameBack': film(t`Frame back`, 'Left', 'seams', 'triage'),
  'board.frameForward': film(t`Frame forward`, 'Right', 'seams', 'triage'),
  'board.secondBack': film(t`Second back`, 'Shift+Left', 'seams', 'triage'),
  'board.start': film(t`Start of the film`, 'Home'),
  'board.end': film(t`End of the film`, 'End'),
  'board.loopJoint': shown(t`Loop a second around the joint`, 'Shift+L', 'sound'),
  'board.joint': shown(t`Choose the joint to the next shot`, 'Alt+J'),
  'board.secondForward': film(t`Second forward`, 'Shift+Right', 'seams', 'triage'),
  'board.undo': board(t`Undo`, 'Mod+Z', 'judge'),
  'board.redo': board(t`Redo`, 'Mod+Shift+Z'),
  'list.nextError': shotList(t`Import: next line to mend`, 'F8'),
  'board.moveEarlier': board(t`Move the shot earlier`, 'Alt+Left'),
  'board.guide': board(t`Open or close the guide of the sample film`, '?'),
  'board.moveLater': board(t`Move the shot later`, 'Alt+Right'),
  'board.skip': board(t`Skip the shot in the film, or play it again`, 'V'),
  'board.sound': board(t`Sound and words`, 'T'),
  'board.cast': board(t`Cast`, 'C'),
  'cast.swap': cast(t`Cast: swap the picture that is left out in`, 'X'),
  'cast.stale': cast(t`Cast: show what is stale`, 'Shift+S'),

  'sound.panel': sound(t`Track or words`, 'W'),
  'sound.add': sound(t`Add a subtitle`, 'Shift+T'),
  'sound.previous': sound(t`Previous subtitle`, 'Alt+Up'),
  'sound.next': sound(t`Next subtitle`, 'Alt+Down'),
  'sound.in': sound(t`The subtitle begins here`, 'I'),
  'sound.out': sound(t`The subtitle ends here`, 'O'),
  'sound.longer': sound(t`Let the subtitle stand longer`, '1'),
  'sound.split': sound(t`Split the subtitle`, '2'),
  'sound.save': sound(t`Save the words`, 'Mod+S'),

  'board.audition': board(t`Audition the takes of the shot`, 'A'),

  'audition.solo1': audition(t`Solo the first`, '1', 'judge'),
  'audition.solo2': audition(t`Solo the second`, '2', 'judge'),
  'audition.solo3': audition(t`Solo the third`, '3', 'judge'),
  'audition.solo4': audition(t`Solo the fourth`, '4', 'judge'),
  'audition.keep': audition(t`Keep what is solo`, 'Enter'),

  'board.export': board(t`Preflight and export`, 'Mod+E', 'export'),
  'board.seams': board(t`Seams of the film`, 'S'),

  'seams.nextJump': seams(t`Next jump`, 'N'),
  'seams.loop': seams(t`Loop a second around the seam`, 'Shift+L'),
  'seams.pair': seams(t`Show the frames as a pair`, 'P'),
  'seams.wipe': seams(t`Wipe between the frames`, 'W'),
  'seams.difference': seams(t`Show the difference of the frames`, 'D'),
  'seams.flicker': seams(t`Flicker between the frames`, 'F'),
  'seams.way1': seams(t`First way out`, '1'),
  'seams.way2': seams(t`Second way out`, '2'),
  'seams.way3': seams(t`Third way out`, '3'),
  'seams.way4': seams(t`Fourth way out`, '4'),
  'seams.way5': seams(t`Fifth way out`, '5'),
  'seams.way6': seams(t`Sixth way out`, '6'),

  'triage.next': triage(t`Next finding`, 'F8'),
  'triage.loop': triage(t`Loop a second around the finding`, 'Shift+L'),
  'triage.earlier': triage(t`The take above`, 'Up'),
  'triage.later': triage(t`The take below`, 'Down'),
  'triage.judge': triage(t`Judge the takes`, 'Enter'),
  'triage.finding1': triage(t`First finding`, '1'),
  'triage.finding2': triage(t`Second finding`, '2'),
  'triage.finding3': triage(t`Third finding`, '3'),
  'triage.finding4': triage(t`Fourth finding`, '4'),
  'triage.finding5': triage(t`Fifth finding`, '5'),
  'triage.finding6': triage(t`Sixth finding`, '6'),
  'triage.finding7': triage(t`Seventh finding`, '7'),
  'triage.finding8': triage(t`Eighth finding`, '8'),
  'triage.finding9': triage(t`Ninth finding`, '9'),

  'night.dry': night(t`Run the night dry again`, 'D'),
  'night.start': night(t`Offer to start the planned night now`, 'Shift+Enter'),
  'night.judge': run(t`Judge the new takes`, 'A'),
  'judge.next': judge(t`Judge: the next shot`, 'Enter'),
  'judge.older': judge(t`Judge: bring an older take beside`, 'T'),

  'evidence.letter': evidence(t`Evidence: the letter`, '1'),
  'evidence.json': evidence(t`Evidence: the JSON file`, '2'),
  'evidence.page': evidence(t`Evidence: the page`, '3'),
  'evidence.verify': evidence(t`Verify a file of evidence`, 'V'),

  'painter.select': painter(t`Select and move`, 'V'),
  'painter.import': painter(t`Import a mask`, 'I'),
  'painter.fill': painter(t`Fill`, 'K'),
  'painter.brush': painter(t`Brush`, 'B'),
  'painter.eraser': painter(t`Eraser`, 'E'),
  'painter.lasso': painter(t`Lasso`, 'L'),
  'painter.shape': painter(t`Shape`, 'U'),
  'painter.hand': painter(t`Hand`, 'H'),
  'painter.smaller': painter(t`Smaller brush`, '['),
  'painter.larger': painter(t`Larger brush`, ']'),
  'painter.grow': painter(t`Grow or shrink the mask`, 'G'),
  'painter.invert': painter(t`Invert the mask`, 'Shift+V'),
  'painter.clear': painter(t`Clear the mask`, 'Shift+C'),
  'painter.hide': painter(t`Hide the mask`, 'Shift+H'),
  'painter.fit': painter(t`Fit the picture`, 'Mod+0'),
  'painter.actual': painter(t`Actual pixels`, 'Mod+1'),
  'painter.undo': painter(t`Undo`, 'Mod+Z'),
  'painter.redo': painter(t`Redo`, 'Mod+Shift+Z'),
  'painter.redoToo': painter(t`Redo, a second key`, 'Mod+Y'),
  'edit.result': viewer(t`Edit: the result`, '1'),
  'edit.original': viewer(t`Edit: the original`, '2'),
  'edit.slider': viewer(t`Edit: a slider between the two`, '3'),
  'edit.changed': viewer(t`Edit: what changed outside the mask`, '4'),
  'edit.again': viewer(t`Edit: paint again`, 'P'),
  'painter.compare': painter(t`Compare with the picture before`, 'C', 'viewer', 'compared'),
} as const satisfies Record<string, KeyAction>;

export type KeyActionId = keyof typeof KEY_ACTIONS;

/** Go on while their key is held. Every other action is done once: a held key would do the like to one thing after another. */
export const REPEATED: ReadonlySet<KeyActionId> = new Set([
  ...(['queue.earlier', 'queue.later', 'board.moveEarlier', 'board.moveLater'] as const),
  ...(['player.frameBack', 'player.frameForward', 'board.frameBack', 'board.frameForward'] as const),
  ...(['board.secondBack', 'board.secondForward', 'sound.previous', 'sound.next', 'sound.longer'] as const),
  ...(['board.undo', 'board.redo', 'painter.undo', 'painter.redo', 'painter.redoToo'] as const),
  ...([
    'painter.smaller',
    'painter.larger',
    'triage.earlier',
    'triage.later',
    'triage.next',
    'seams.nextJump',
  ] as const),
  ...(['batch.nextError', 'list.nextError', 'chat.previousBranch', 'chat.nextBranch'] as const),
]);
