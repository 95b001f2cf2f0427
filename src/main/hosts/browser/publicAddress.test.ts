import { expect, test } from 'vitest';
import { parsePublicUrl, pathInside } from './publicAddress.ts';

test.each([
  ['https://studio.example', 'https://studio.example', 'studio.example', '/'],
  ['https://studio.example/', 'https://studio.example', 'studio.example', '/'],
  ['https://Studio.Example:8443/a/dailies', 'https://studio.example:8443', 'studio.example:8443', '/a/dailies/'],
  ['https://studio.example:443/dailies/', 'https://studio.example', 'studio.example', '/dailies/'],
])('%s is an address', (text, origin, host, base) => {
  expect(parsePublicUrl(text)).toEqual({ origin, host, base });
});

test.each([
  ['', 'https://'],
  ['studio.example', 'https://'],
  ['http://studio.example/', 'https://'],
  ['javascript:alert(1)', 'https://'],
  ['https://user:word@studio.example/', 'without a name'],
  ['https://studio.example/?a', 'without a name'],
  ['https://studio.example/#', 'without a name'],
  ['https://studio.example/a;b/', 'letters, digits'],
  ['https://studio.example/a//b/', 'letters, digits'],
  ['https://studio.example/a%0d%0ab/', 'letters, digits'],
  ['https://studio.example/media/', 'begins with media'],
  ['https://studio.example/rpc', 'begins with rpc'],
])('%j is refused by its rule', (text, rule) => {
  expect(parsePublicUrl(text)).toContain(rule);
});

test('a path is the same whether the proxy passes the base on or cuts it off', () => {
  const address = parsePublicUrl('https://studio.example/dailies/');
  if (typeof address === 'string') throw new Error(address);
  expect(pathInside('/dailies/rpc/app.info', address)).toBe('/rpc/app.info');
  expect(pathInside('/rpc/app.info', address)).toBe('/rpc/app.info');
  expect(pathInside('/dailies/', address)).toBe('/');
  expect(pathInside('/dailiesx/', address)).toBe('/dailiesx/');
  expect(pathInside('/rpc/app.info', undefined)).toBe('/rpc/app.info');
});
