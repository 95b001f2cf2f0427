/** What `npm test` leaves to `npm run test:all`: all but one journey for each page, and proofs by volume, attacks or many killed programs. */
export const LONG = [
  'test/e2e/{parts/*,!(mainJob|imageEdit|wholeAccount).test.ts}',
  'test/{contract/!(contract|http),torture/!(kills),model/!(races),chaos/!(chaos)}.test.ts',
  'test/{arch/growth.isolated,migrations/*}.test.ts',
  'src/main/core/{revisions,restoredBackup,repeatedCalls,storyboard/undo,jobs/{changesOfMany,manyWaiting,made}}.large.test.ts',
  'src/main/core/{gateway/**/{origin,answers},library/{downloadCrash,moving/moverKills}}.large.test.ts',
  'src/main/core/{gateway/{bounds.isolated,anyBytes.isolated,anyAnswer},bundle/openInTurns,library/inspector.isolated}.test.ts',
  'src/main/sandbox/{program,video/*,render/*}.test.ts',
];
