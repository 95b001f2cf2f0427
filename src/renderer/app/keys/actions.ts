import { t } from '../../../shared/text/texts.ts';
import { navigate } from '../route.ts';
import { EVERYWHERE, SETTINGS_SECTIONS } from './everywhere.ts';
import { type Action, type Place, under } from './places.ts';

/**
 * Every action of the program: palette, shortcuts, hints on controls and their tests read these tables. A page gives an action its `run` by
 * `useShortcut`; one that has its own here can be found and run on every page.
 */

const chat = under('chat', 'chat');
const settings = under('settings', 'settings');
/** Actions of the whole board, on each of its tabs. */
const board = under('board', 'board', 'cast', 'sound', 'seams');
const verdict = under('review', 'board', 'library', 'review', 'pictures');
/** Actions that play the film. */
const film = under('board', 'board', 'sound');
const shown = under('board', 'board');
const cast = under('board', 'cast');
const seams = under('seams', 'seams');
const painter = under('painter', 'painter');
const viewer = under('painter', 'viewer');
const queue = under('queue', 'queue');
const imports = under('import', 'batch', 'shotList');
const sound = under('sound', 'sound');
const night = under('night', 'night');
const run = under('night', 'run');
const review = under('review', 'review', 'pictures');
const player = under('player', 'library', 'export');
const evidence = under('evidence', 'evidence');
const spend = under('spend', 'spend');
const library = under('library', 'library');
const pictures = under('review', 'pictures');

/** Places that play clips, besides the player of a single file. */
const PLAYS: Place[] = ['board', 'sound', 'seams', 'review'];

const KEY_ONLY = { keyOnly: true } as const;

const CHAT = {
  'chat.new': chat(t`New chat`, 'Mod+Shift+O'),
  'chat.previousBranch': chat(t`Previous branch`, 'Alt+Left', { repeats: true }),
  'chat.nextBranch': chat(t`Next branch`, 'Alt+Right', { repeats: true }),
  'chat.approveDraft': chat(t`Approve draft`, 'Y'),
  'chat.approveDrafts': chat(t`Approve selected drafts`, 'Shift+Y'),
};

const SETTINGS = {
  'settings.pauseMove': settings(t`Pause or resume moving the library`, 'P'),
  'settings.again': settings(t`Check again`, 'R'),
};

const QUEUE = {
  'queue.pause': queue(t`Pause all`, 'P', { also: ['run'], words: 'stop' }),
  'queue.search': queue(t`Find`, '/'),
  'queue.all': queue(t`Select all`, 'Mod+A'),
  'queue.cancel': queue(t`Cancel job`, 'Delete'),
  'queue.edit': queue(t`Edit`, 'E'),
  'queue.retry': queue(t`Retry`, 'R'),
  'queue.recall': queue(t`Reuse prompt`, 'Shift+R'),
  'queue.earlier': queue(t`Move earlier`, 'Alt+Up', { also: ['night'], repeats: true }),
  'queue.later': queue(t`Move later`, 'Alt+Down', { also: ['night'], repeats: true }),
  'queue.first': queue(t`First`, 'Alt+Home'),
  'queue.last': queue(t`Last`, 'Alt+End'),
  'queue.night': queue(t`Schedule tonight, or run now`, 'Shift+Enter'),
  'queue.import': queue(t`Import jobs`, 'I', {
    words: 'batch CSV lines prompts',
    run: () => navigate('queue', { import: 'jobs' }),
  }),
  'queue.unconfirmed': queue(t`Unconfirmed`, undefined, {
    words: 'lost reply',
    run: () => navigate('queue', { filter: 'doubt' }),
  }),
  'doubt.again': queue(t`Repeat with the same key`, 'A'),
  'doubt.lookup': queue(t`Ask the gateway`, '1'),
  'doubt.lost': queue(t`Mark as lost`, '2'),
  'doubt.resend': queue(t`Send again anyway`, '3'),
};

const IMPORTS = {
  'import.nextError': imports(t`Next error`, 'F8', { repeats: true }),
  'import.undo': imports(t`Undo`, 'Mod+Z', { repeats: true, keyOnly: true }),
};

const PRICES = {};

const LIBRARY = {
  'library.search': library(t`Find`, '/'),
  'library.copyId': library(t`Copy id`, 'I'),
  'library.layout': library(t`Layout`, 'G'),
  'library.all': library(t`Select all`, 'Mod+A'),
  'library.recall': library(t`Reuse prompt`, 'R', { also: ['pictures'] }),
  'library.remix': library(t`Remix`, 'Shift+R'),
  'library.star': library(t`Star`, 'S'),
  'library.tag': library(t`Tags`, 'T'),
  'library.bin': library(t`Move to the bin`, 'Delete', { words: 'delete remove' }),
  'library.undoBin': library(t`Undo`, 'Mod+Z'),
  'library.restore': library(t`Restore`, 'U'),
  'library.board': library(t`Add to board`, 'B'),
  'library.compare': library(t`Review`, 'C', { words: 'compare' }),
  'library.export': library(t`Export`, 'E', { words: 'save' }),
  'library.import': library(t`Import files`, undefined, { words: 'upload add files' }),
  'library.bringIn': library(t`Import an export`, undefined, { words: 'import folder sidecars' }),
};

const PLAYER = {
  'player.frameBack': player(t`Back one frame`, ',', { also: PLAYS, repeats: true, keyOnly: true }),
  'player.frameForward': player(t`Forward one frame`, '.', { also: PLAYS, repeats: true, keyOnly: true }),
  'player.mute': player(t`Mute`, 'Shift+M', { also: PLAYS }),
  'player.loop': player(t`Loop`, 'Shift+L', { also: PLAYS }),
  'player.fullScreen': player(t`Full screen`, 'F'),
};

const VERDICT = {
  'verdict.keep': verdict(t`Keep`, 'Y'),
  'verdict.maybe': verdict(t`Maybe`, 'M'),
  'verdict.no': verdict(t`No`, 'N'),
};

const BOARD = {
  'board.back': film(t`Play backwards`, 'J', { also: ['seams', 'review', 'library', 'export'] }),
  'board.play': film(t`Play`, 'K', { also: ['seams', 'review', 'library', 'export'] }),
  'board.forward': film(t`Play forwards`, 'L', { also: ['seams', 'review', 'library', 'export'] }),
  'board.frameBack': film(t`Back one frame`, 'Left', { also: ['seams'], repeats: true, keyOnly: true }),
  'board.frameForward': film(t`Forward one frame`, 'Right', { also: ['seams'], repeats: true, keyOnly: true }),
  'board.secondBack': film(t`Back one second`, 'Shift+Left', { repeats: true, keyOnly: true }),
  'board.start': film(t`Start of the film`, 'Home'),
  'board.end': film(t`End of the film`, 'End'),
  'board.joint': shown(t`Link to the next shot`, 'Alt+J'),
  'board.in': shown(t`Start here`, 'I', { words: 'trim in point cut' }),
  'board.out': shown(t`End here`, 'O', { words: 'trim out point cut' }),
  'board.clearTrim': shown(t`Clear trim`, undefined, { words: 'in out point whole take' }),
  'board.secondForward': film(t`Forward one second`, 'Shift+Right', { repeats: true, keyOnly: true }),
  'board.undo': board(t`Undo`, 'Mod+Z', { also: ['review', 'pictures'], repeats: true }),
  'board.redo': board(t`Redo`, 'Mod+Shift+Z', { repeats: true }),
  'board.moveEarlier': board(t`Move earlier`, 'Alt+Left', { repeats: true }),
  'board.guide': board(t`Guide of the sample film`, 'G', { words: 'help tutorial' }),
  'board.moveLater': board(t`Move later`, 'Alt+Right', { repeats: true }),
  'board.skip': board(t`Skip in the film`, 'V'),
  'board.sound': board(t`Sound and subtitles`, 'T', { words: 'music narration lanes' }),
  'board.cast': board(t`Cast`, 'C', { words: 'members references' }),
  'board.review': board(t`Review`, 'A', { words: 'compare rate' }),
  'board.export': board(t`Export film`, 'Mod+E', {
    also: ['export'],
    words: 'mp4 timeline fcpxml otio edl save',
    run: () => navigate('storyboard', { view: 'export' }),
  }),
  'board.add': board(t`Add shot`, undefined, { words: 'new' }),
  'board.import': board(t`Import shots`, undefined, { words: 'shot list csv paste' }),
  'board.bin': board(t`Removed shots`, undefined, { words: 'bin restore' }),
  'board.whole': board(t`Whole film`, undefined, { words: 'play board viewer' }),
  'board.seams': board(t`Continuity check`, 'S', { words: 'seams links jumps' }),
};

const CAST = {
  'cast.swap': cast(t`Use the reference that was left out`, 'X'),
  'cast.stale': cast(t`Show outdated shots`, 'Shift+S'),
};

const SOUND = {
  'sound.panel': sound(t`Sound and subtitles`, 'W'),
  'sound.add': sound(t`Add a subtitle`, 'Shift+T'),
  'sound.previous': sound(t`Previous subtitle`, 'Alt+Up', { repeats: true }),
  'sound.next': sound(t`Next subtitle`, 'Alt+Down', { repeats: true }),
  'sound.in': sound(t`Start here`, 'I'),
  'sound.out': sound(t`End here`, 'O'),
  'sound.longer': sound(t`Show longer`, '1', { repeats: true }),
  'sound.split': sound(t`Split`, '2'),
  'sound.save': sound(t`Save subtitles`, 'Mod+S'),
};

const SEAMS = {
  'seams.nextJump': seams(t`Next jump`, 'N', { repeats: true }),
  'seams.pair': seams(t`Pair`, 'P'),
  'seams.wipe': seams(t`Wipe`, 'W'),
  'seams.difference': seams(t`Difference`, 'D'),
  'seams.flicker': seams(t`Flicker`, 'F'),
  'seams.way1': seams(t`Option ${1}`, '1', KEY_ONLY),
  'seams.way2': seams(t`Option ${2}`, '2', KEY_ONLY),
  'seams.way3': seams(t`Option ${3}`, '3', KEY_ONLY),
  'seams.way4': seams(t`Option ${4}`, '4', KEY_ONLY),
  'seams.way5': seams(t`Option ${5}`, '5', KEY_ONLY),
};

const REVIEW = {
  'review.before': review(t`Previous take`, 'Left', { repeats: true }),
  'review.after': review(t`Next take`, 'Right', { repeats: true }),
  'review.shotBefore': review(t`Previous shot`, 'Up'),
  'review.shotAfter': review(t`Next shot`, 'Down'),
  'review.beside': review(t`Add a take to compare`, 'T', { words: 'compare side' }),
  'review.swap': review(t`Swap A and B`, 'X'),
  'review.nextFinding': review(t`Next finding`, 'F8', { repeats: true }),
  'review.take1': review(t`Take ${1}`, '1', KEY_ONLY),
  'review.take2': review(t`Take ${2}`, '2', KEY_ONLY),
  'review.take3': review(t`Take ${3}`, '3', KEY_ONLY),
  'review.take4': review(t`Take ${4}`, '4', KEY_ONLY),
  'review.take5': review(t`Take ${5}`, '5', KEY_ONLY),
  'review.take6': review(t`Take ${6}`, '6', KEY_ONLY),
  'review.take7': review(t`Take ${7}`, '7', KEY_ONLY),
  'review.take8': review(t`Take ${8}`, '8', KEY_ONLY),
  'review.take9': review(t`Take ${9}`, '9', KEY_ONLY),
  'review.frame': pictures(t`Use as frame`, 'U'),
  'compare.side': pictures(t`Side by side`, 'S'),
  'compare.slider': pictures(t`Slider`, 'L'),
  'compare.onion': pictures(t`Onion skin`, 'O'),
  'compare.difference': pictures(t`Difference`, 'D'),
};

const NIGHT = {
  'night.open': night(t`Overnight run`, undefined, {
    words: 'night tonight schedule plan',
    run: () => navigate('queue', {}, 'night'),
  }),
  'night.dry': night(t`Check again`, 'D'),
  'night.start': night(t`Start now`, 'Shift+Enter'),
  'night.review': run(t`Review`, 'A'),
};

const SPEND = {
  'spend.budget': spend(t`Add budget`, undefined, {
    words: 'limit cap',
    run: () => navigate('spend', { budget: 'new' }),
  }),
  'spend.statement': spend(t`Check a bill`, undefined, {
    words: 'statement match',
    run: () => navigate('spend', {}, 'statement'),
  }),
  'spend.csv': spend(t`Every entry as CSV`, undefined, { words: 'ledger' }),
  'spend.json': spend(t`Every entry as JSON`, undefined, { words: 'ledger' }),
};

const EVIDENCE = {
  'evidence.verify': evidence(t`Verify`, 'V'),
};

const PAINTER = {
  'painter.select': painter(t`Select and move`, 'V'),
  'painter.import': painter(t`Import a mask`, 'I'),
  'painter.fill': painter(t`Fill`, 'K'),
  'painter.brush': painter(t`Brush`, 'B'),
  'painter.eraser': painter(t`Eraser`, 'E'),
  'painter.lasso': painter(t`Lasso`, 'L'),
  'painter.shape': painter(t`Shape`, 'U'),
  'painter.hand': painter(t`Hand`, 'H'),
  'painter.smaller': painter(t`Smaller brush`, '[', { repeats: true }),
  'painter.larger': painter(t`Larger brush`, ']', { repeats: true }),
  'painter.grow': painter(t`Grow and shrink`, 'G'),
  'painter.invert': painter(t`Invert`, 'Shift+V'),
  'painter.clear': painter(t`Clear the mask`, 'Shift+C'),
  'painter.hide': painter(t`Hide the mask`, 'Shift+H'),
  'painter.fit': painter(t`Fit`, 'Mod+0'),
  'painter.actual': painter(t`Actual pixels`, 'Mod+1'),
  'painter.undo': painter(t`Undo`, 'Mod+Z', { repeats: true }),
  'painter.redo': painter(t`Redo`, 'Mod+Shift+Z', { repeats: true }),
  'painter.redoToo': painter(t`Redo`, 'Mod+Y', { repeats: true, keyOnly: true }),
  'edit.result': viewer(t`Result`, '1'),
  'edit.original': viewer(t`Original`, '2'),
  'edit.slider': viewer(t`Slider`, '3'),
  'edit.changed': viewer(t`Changes outside the mask`, '4'),
  'edit.again': viewer(t`Paint again`, 'P'),
  'painter.compare': painter(t`Before and after`, 'C', { also: ['viewer'] }),
};

export const ACTIONS = {
  ...EVERYWHERE,
  ...SETTINGS_SECTIONS,
  ...CHAT,
  ...SETTINGS,
  ...QUEUE,
  ...IMPORTS,
  ...PRICES,
  ...LIBRARY,
  ...PLAYER,
  ...VERDICT,
  ...BOARD,
  ...CAST,
  ...SOUND,
  ...SEAMS,
  ...REVIEW,
  ...NIGHT,
  ...SPEND,
  ...EVIDENCE,
  ...PAINTER,
} as const satisfies Record<string, Action>;

export type ActionId = keyof typeof ACTIONS;
export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[];
