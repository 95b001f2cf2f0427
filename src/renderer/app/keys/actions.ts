/** Every action that has a key, in one map. `scope` names the page it belongs to; the same key may serve several pages. */
export interface KeyAction {
  label: string;
  chord: string;
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
}

const everywhere = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'everywhere' });
const board = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'board' });
const audition = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'audition' });
const seams = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'seams' });
const painter = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'painter' });
const queue = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'queue' });
const batch = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'batch' });
const prices = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'prices' });
const sound = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'sound' });
const triage = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'triage' });
const night = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'night' });
const player = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'player' });
const evidence = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'evidence' });
const library = (label: string, chord: string): KeyAction => ({ label, chord, scope: 'library' });

export const KEY_ACTIONS = {
  'palette.open': everywhere('Find or run anything', 'Mod+K'),
  'page.chat': everywhere('Chat', 'Alt+1'),
  'page.storyboard': everywhere('Storyboard', 'Alt+2'),
  'page.images': everywhere('Images', 'Alt+3'),
  'page.queue': everywhere('Queue', 'Alt+4'),
  'page.library': everywhere('Library', 'Alt+5'),
  'page.spend': everywhere('Spend', 'Alt+6'),
  'page.settings': everywhere('Settings', 'Alt+7'),
  'panel.next': everywhere('Next panel', 'F6'),
  'panel.previous': everywhere('Previous panel', 'Shift+F6'),
  /** Presses the main button of a page. It spends money where that button has a price; beside it only the approval of drafts does. */
  'spend.go': everywhere('Send what the button offers', 'Mod+Enter'),
  'page.leave': everywhere('Leave, stop', 'Escape'),

  'chat.new': { label: 'New chat', chord: 'Mod+Shift+O', scope: 'chat' },
  'chat.previousBranch': { label: 'Previous branch', chord: 'Alt+Left', scope: 'chat' },
  'chat.nextBranch': { label: 'Next branch', chord: 'Alt+Right', scope: 'chat' },
  'chat.approveDraft': { label: 'Approve the draft', chord: 'Y', scope: 'chat' },
  'chat.approveDrafts': { label: 'Approve the chosen drafts', chord: 'Shift+Y', scope: 'chat' },
  'settings.save': { label: 'Save the profile', chord: 'Mod+S', scope: 'settings' },
  'settings.pauseMove': { label: 'Pause the move of the library, or let it go on', chord: 'P', scope: 'settings' },
  'settings.again': { label: 'Read the models again, or test again', chord: 'R', scope: 'settings' },

  'queue.pause': queue('Pause or resume all', 'P'),
  'queue.search': queue('Find by prompt', '/'),
  'queue.all': queue('Choose all of the list', 'Mod+A'),
  'queue.cancel': queue('Cancel the job', 'Delete'),
  'queue.edit': queue('Edit the waiting job', 'E'),
  'queue.retry': queue('Offer to try the job again', 'R'),
  'queue.earlier': queue('Move earlier', 'Alt+Up'),
  'queue.later': queue('Move later', 'Alt+Down'),
  'queue.first': queue('Move to the front', 'Alt+Home'),
  'queue.last': queue('Move to the end', 'Alt+End'),
  'queue.night': queue('Run the job tonight, or offer to run it now', 'Shift+Enter'),
  'queue.import': queue('Import jobs', 'I'),
  'doubt.again': queue('Doubt: ask again under the same key', 'A'),
  'doubt.lookup': queue('Doubt: look it up', '1'),
  'doubt.lost': queue('Doubt: count as lost', '2'),
  'doubt.resend': queue('Doubt: offer to send it again', '3'),

  'batch.nextError': batch('Next line to mend', 'F8'),
  'batch.read': batch('Read the text again', 'R'),

  'price.adopt': prices('Offer to adopt the price', '1'),
  'price.dispute': prices('Dispute the price', '2'),
  'price.once': prices('Offer to go on once', '3'),

  'library.search': library('Search', '/'),
  'library.copyId': library('Copy the id', 'I'),
  'library.layout': library('Grid or table', 'G'),
  'library.all': library('Choose all of the list', 'Mod+A'),
  'library.recall': library('Recall the words and settings', 'R'),
  'library.remix': library('Remix: go on from the picture or clip', 'Shift+R'),
  'library.star': library('Star or unstar', 'S'),
  'library.tag': library('Tags', 'T'),
  'library.bin': library('Put into the bin', 'Delete'),
  'library.undoBin': library('Take back what went into the bin last', 'Mod+Z'),
  'library.restore': library('Bin: put back', 'U'),
  'library.board': library('Put on the board', 'B'),
  'library.compare': library('Compare two to four pictures', 'C'),
  'compare.slider': library('Compare: a slider between two', '1'),
  'compare.side': library('Compare: side by side', '2'),
  'compare.difference': library('Compare: the difference of two', '3'),
  'compare.onion': library('Compare: one over the other', '4'),
  'compare.swap': library('Compare: swap the sides', 'X'),
  'library.export': library('Export with sidecars', 'E'),

  'player.frameBack': player('Frame back', ','),
  'player.frameForward': player('Frame forward', '.'),
  'player.mute': player('Mute', 'Shift+M'),
  'player.loop': player('Loop', 'Shift+L'),
  'player.fullScreen': player('Full screen', 'F'),

  'verdict.keep': board('Keep', 'Y'),
  'verdict.maybe': board('Maybe', 'M'),
  'verdict.no': board('No', 'N'),
  'board.back': board('Play backwards', 'J'),
  'board.play': board('Play or pause', 'K'),
  'board.forward': board('Play forwards', 'L'),
  'board.frameBack': board('Frame back', 'Left'),
  'board.frameForward': board('Frame forward', 'Right'),
  'board.secondBack': board('Second back', 'Shift+Left'),
  'board.start': board('Start of the film', 'Home'),
  'board.end': board('End of the film', 'End'),
  'board.loopJoint': board('Loop a second around the joint', 'Shift+L'),
  'board.joint': board('Choose the joint to the next shot', 'Alt+J'),
  'board.secondForward': board('Second forward', 'Shift+Right'),
  'board.undo': board('Undo', 'Mod+Z'),
  'board.redo': board('Redo', 'Mod+Shift+Z'),
  'list.nextError': board('Import: next line to mend', 'F8'),
  'board.moveEarlier': board('Move the shot earlier', 'Alt+Left'),
  'board.guide': board('Open or close the guide of the sample film', '?'),
  'board.moveLater': board('Move the shot later', 'Alt+Right'),
  'board.skip': board('Skip the shot in the film, or play it again', 'V'),
  'board.sound': board('Sound and words', 'T'),
  'board.cast': board('Cast', 'C'),
  'cast.swap': board('Cast: swap the picture that is left out in', 'X'),
  'cast.stale': board('Cast: show what is stale', 'Shift+S'),

  'sound.panel': sound('Track or words', 'W'),
  'sound.add': sound('Add a subtitle', 'Shift+T'),
  'sound.previous': sound('Previous subtitle', 'Alt+Up'),
  'sound.next': sound('Next subtitle', 'Alt+Down'),
  'sound.in': sound('The subtitle begins here', 'I'),
  'sound.out': sound('The subtitle ends here', 'O'),
  'sound.longer': sound('Let the subtitle stand longer', '1'),
  'sound.split': sound('Split the subtitle', '2'),
  'sound.save': sound('Save the words', 'Mod+S'),

  'board.audition': board('Audition the takes of the shot', 'A'),

  'audition.solo1': audition('Solo the first', '1'),
  'audition.solo2': audition('Solo the second', '2'),
  'audition.solo3': audition('Solo the third', '3'),
  'audition.solo4': audition('Solo the fourth', '4'),
  'audition.keep': audition('Keep what is solo', 'Enter'),

  'board.export': board('Preflight and export', 'Mod+E'),
  'board.seams': board('Seams of the film', 'S'),

  'seams.nextJump': seams('Next jump', 'N'),
  'seams.loop': seams('Loop a second around the seam', 'Shift+L'),
  'seams.pair': seams('Show the frames as a pair', 'P'),
  'seams.wipe': seams('Wipe between the frames', 'W'),
  'seams.difference': seams('Show the difference of the frames', 'D'),
  'seams.flicker': seams('Flicker between the frames', 'F'),
  'seams.way1': seams('First way out', '1'),
  'seams.way2': seams('Second way out', '2'),
  'seams.way3': seams('Third way out', '3'),
  'seams.way4': seams('Fourth way out', '4'),
  'seams.way5': seams('Fifth way out', '5'),
  'seams.way6': seams('Sixth way out', '6'),

  'triage.next': triage('Next finding', 'F8'),
  'triage.loop': triage('Loop a second around the finding', 'Shift+L'),
  'triage.earlier': triage('The take above', 'Up'),
  'triage.later': triage('The take below', 'Down'),
  'triage.judge': triage('Judge the takes', 'Enter'),
  'triage.finding1': triage('First finding', '1'),
  'triage.finding2': triage('Second finding', '2'),
  'triage.finding3': triage('Third finding', '3'),
  'triage.finding4': triage('Fourth finding', '4'),
  'triage.finding5': triage('Fifth finding', '5'),
  'triage.finding6': triage('Sixth finding', '6'),
  'triage.finding7': triage('Seventh finding', '7'),
  'triage.finding8': triage('Eighth finding', '8'),
  'triage.finding9': triage('Ninth finding', '9'),

  'night.dry': night('Run the night dry again', 'D'),
  'night.start': night('Offer to start the planned night now', 'Shift+Enter'),
  'night.judge': night('Judge the new takes', 'A'),
  'judge.next': night('Judge: the next shot', 'Enter'),
  'judge.older': night('Judge: bring an older take beside', 'T'),

  'evidence.letter': evidence('Evidence: the letter', '1'),
  'evidence.json': evidence('Evidence: the JSON file', '2'),
  'evidence.page': evidence('Evidence: the page', '3'),
  'evidence.verify': evidence('Verify a file of evidence', 'V'),

  'painter.select': painter('Select and move', 'V'),
  'painter.import': painter('Import a mask', 'I'),
  'painter.fill': painter('Fill', 'K'),
  'painter.brush': painter('Brush', 'B'),
  'painter.eraser': painter('Eraser', 'E'),
  'painter.lasso': painter('Lasso', 'L'),
  'painter.shape': painter('Shape', 'U'),
  'painter.hand': painter('Hand', 'H'),
  'painter.smaller': painter('Smaller brush', '['),
  'painter.larger': painter('Larger brush', ']'),
  'painter.grow': painter('Grow or shrink the mask', 'G'),
  'painter.invert': painter('Invert the mask', 'Shift+V'),
  'painter.clear': painter('Clear the mask', 'Shift+C'),
  'painter.hide': painter('Hide the mask', 'Shift+H'),
  'painter.fit': painter('Fit the picture', 'Mod+0'),
  'painter.actual': painter('Actual pixels', 'Mod+1'),
  'painter.undo': painter('Undo', 'Mod+Z'),
  'painter.redo': painter('Redo', 'Mod+Shift+Z'),
  'painter.redoToo': painter('Redo, a second key', 'Mod+Y'),
  'edit.result': painter('Edit: the result', '1'),
  'edit.original': painter('Edit: the original', '2'),
  'edit.slider': painter('Edit: a slider between the two', '3'),
  'edit.changed': painter('Edit: what changed outside the mask', '4'),
  'edit.again': painter('Edit: paint again', 'P'),
  'painter.compare': painter('Compare with the picture before', 'C'),
} as const satisfies Record<string, KeyAction>;

export type KeyActionId = keyof typeof KEY_ACTIONS;
