/** Commands that do not change the database. */
export const APART: readonly string[] = [
  'app.painted',
  'app.openExternal',
  'store.restore',
  'store.goOnEmpty', // Only possible after damage, when pages read only `app.info`.
  'media.claim',
  'media.encoderSpeed',
  'exports.reveal',
  'exports.chooseFolder',
  'library.reveal',
  'library.cancelVerify', // The check may end first.
  'webhooks.selfTest',
  'bundle.discard',
  'backups.saveCopy',
  // Kept in the settings file: facts about gateways, and the library's place. An end-to-end test covers the move.
  'profiles.undoFound',
  'profiles.tryImageHeaders',
  'library.move',
  'library.pauseMove',
  'library.resumeMove',
  'library.removeOld',
  'library.locate',
  // These concern the program and the system.
  'updates.check',
  'updates.download',
  'updates.install',
  'login.set',
];
