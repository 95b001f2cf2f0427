import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connectionFailure } from '../http/failure.ts';
import type { Service } from '../service.ts';

/** The first three steps of a connection, each by itself, so that the one that fails can be named. */
export interface Reached {
  ok: boolean;
  message: string;
}

const STEP_MS = 10_000;

export interface Target {
  host: string;
  port: number;
  /** Named in sentences. */
  name: string;
}

/** Where the first connection goes: the proxy, where one is set and the service is not on this machine. */
export function targetOf(url: URL): Target {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80), name: url.host };
}

export async function resolveName({ host, name }: Target): Promise<Reached> {
  if (isIP(host) !== 0) return { ok: true, message: `${host} is an address by itself; nothing to look up.` };
  try {
    const found = await lookup(host, { all: true });
    return { ok: true, message: `${host} is ${found.map(({ address }) => address).join(', ')}.` };
  } catch (error) {
    return { ok: false, message: connectionFailure(error, name, false).message };
  }
}

export function reachPort(service: Service, target: Target): Promise<Reached> {
  return settle(service, target, 'connect', `${target.name} answers.`, () =>
    connectTcp({ host: target.host, port: target.port }),
  );
}

export function shakeHands(service: Service, target: Target): Promise<Reached> {
  const servername = isIP(target.host) === 0 ? target.host : undefined;
  const open = () => connectTls({ host: target.host, port: target.port, servername });
  return settle(service, target, 'secureConnect', 'The connection is encrypted and its certificate is good.', open);
}

function settle(service: Service, target: Target, event: string, fine: string, open: () => Socket): Promise<Reached> {
  return new Promise((resolve) => {
    const socket = open();
    const finish = (reached: Reached): void => {
      cancel();
      socket.destroy();
      resolve(reached);
    };
    const fail = (error: unknown): void =>
      finish({ ok: false, message: connectionFailure(error, target.name, false).message });
    const cancel = service.after(STEP_MS, () => fail(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })));
    socket.once(event, () => finish({ ok: true, message: fine }));
    socket.on('error', fail);
  });
}
