import { expect, test } from 'vitest';
import { listenAtFirst, portsToTry } from './tcpPorts.ts';

test('the last port is tried first, then ports that no system hands out, then any', () => {
  const random = [0, 0.5, 0.999_999, 0.25];
  const ports = portsToTry(44_417, () => random.shift() ?? 0);
  expect(ports).toEqual([44_417, 20_000, 26_384, 32_767, 23_192, 0]);
  expect(portsToTry(0)[0]).toBeGreaterThanOrEqual(20_000);
});

test('the first that is free serves; if none is, the last failure is told', async () => {
  const taken =
    (...ports: number[]) =>
    (port: number) =>
      ports.includes(port)
        ? Promise.reject(Object.assign(new Error(`${port} is in use`), { code: 'EADDRINUSE' }))
        : Promise.resolve(port);
  expect(await listenAtFirst([1, 2, 3], taken(1))).toBe(2);
  await expect(listenAtFirst([1, 2], taken(1, 2))).rejects.toThrow('2 is in use');
  let tried = 0;
  const broken = () => Promise.reject(new Error(`broken at ${++tried}`));
  await expect(listenAtFirst([1, 2], broken)).rejects.toThrow('broken at 1');
});
