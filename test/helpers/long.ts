/** Tests that only `npm run test:all` runs: all but one journey per page, and proofs by volume, attacks or many killed programs. */
export const LONG = [
  'test/e2e/{parts/*,!(mainJob|imageEdit|wholeAccount).test.ts}',
  'test/{contract/!(contract|http),torture/!(kills),model/!(races),chaos/!(chaos)}.test.ts',
  'test/{arch/growth.isolated,migrations/*}.test.ts',
  // Except those about money and recorded answers, which `npm test` runs too.
  'src/**/!(evidence|rules|polls|asks).large.test.ts',
  'src/main/core/{gateway/{bounds.isolated,anyBytes.isolated,anyAnswer},bundle/openInTurns,library/inspector.isolated}.test.ts',
  'src/main/sandbox/{program,images/*,video/*,render/*}.test.ts',
];
