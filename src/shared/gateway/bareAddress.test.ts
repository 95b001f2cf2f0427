import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareAddress, bareAddressesIn, withBareAddresses } from './bareAddress.ts';

const SECRET = 'S3CR3T';

test.each([
  [`https://b.s3.amazonaws.com/a/quay.png?X-Amz-Signature=${SECRET}`, 'https://b.s3.amazonaws.com/a/quay.png'],
  [`https://name:${SECRET}@host.example:8443/quay.png`, 'https://host.example:8443/quay.png'],
  [`https://host.example/quay.png#access_token=${SECRET}`, 'https://host.example/quay.png'],
  [`gs://bucket/quay.png?sig=${SECRET}`, 'gs://bucket/quay.png'],
  [`acct.blob.core.windows.net/c/quay.png?sv=1&sig=${SECRET}`, 'acct.blob.core.windows.net/c/quay.png'],
  [`https://host.example/fetch/https://a:${SECRET}@b.example/c`, 'https://host.example/fetch/https://b.example/c'],
  [`https://host.example/a?mail=a@b.example&token=${SECRET}`, 'https://host.example/a'],
])('an address is host and path: %s', (given, bare) => {
  expect(bareAddress(given)).toBe(bare);
  expect(withBareAddresses(given)).toBe(bare);
});

test.each([
  [`see https://h.example/a?sig=${SECRET}, then go.`, 'see https://h.example/a, then go.'],
  [`[quay](https://h.example/a?sig=${SECRET})`, '[quay](https://h.example/a)'],
  [`"https://h.example/a?sig=${SECRET}"`, '"https://h.example/a"'],
  [`https://h.example/a?it='s'&sig=${SECRET} --ar 16:9`, 'https://h.example/a --ar 16:9'],
  [`HTTPS://H.example/a?sig=${SECRET}\nsecond line`, 'HTTPS://H.example/a\nsecond line'],
])('in a text the rest stays: %s', (given, bare) => {
  expect(withBareAddresses(given)).toBe(bare);
});

test.each(['Who goes there? a=b', 'me@studio.example #3', 'shot 3/4? yes', '--v 6 --ar 16:9', 'a/b.c?d'])(
  'what is no address stays as it is written: %s',
  (text) => {
    expect(withBareAddresses(text)).toBe(text);
  },
);

test('no secret of an address is left anywhere in a value', () => {
  const address = fc
    .tuple(
      fc.constantFrom('https', 'http', 'gs', 's3', 'ftp'),
      fc.webPath(),
      fc.constantFrom('?sig=', '#t=', '?a=1&token='),
    )
    .map(([scheme, path, query]) => `${scheme}://u:${SECRET}@host.example${path}${query}${SECRET}`);
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      address,
      fc.array(tie('any')),
      fc.dictionary(fc.constantFrom('uri', 'message'), tie('any')),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.string(), (nested, text) => {
      const bare = bareAddressesIn({ nested, text: `${text} https://h.example/a?sig=${SECRET}`, at: 1, none: null });
      expect(JSON.stringify(bare)).not.toContain(SECRET);
      expect(bare).toMatchObject({ at: 1, none: null });
    }),
  );
});
