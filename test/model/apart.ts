/** Commands that do not change the database. */
export const APART: readonly string[] = [
  'app.painted',
  'app.openExternal',
  'store.restore',
  'store.goOnEmpty', // Only after damage, and no page reads more of it than `app.info`.
  'media.claim',
  'media.encoderSpeed',
  'exports.reveal',
  'exports.chooseFolder',
  'library.reveal',
  'library.cancelVerify', // The check may be over before.
  'webhooks.selfTest',
  'bundle.discard',
  'backups.saveCopy',
  // The settings file has the facts about gateways and the library's place; the move has an end-to-end test.
  'profiles.undoFound',
  'profiles.tryImageHeaders',
  'library.move',
  'library.pauseMove',
  'library.resumeMove',
  'library.removeOld',
  'library.locate',
  // About the program and the system.
  'updates.check',
  'updates.download',
  'updates.install',
  'login.set',
];
