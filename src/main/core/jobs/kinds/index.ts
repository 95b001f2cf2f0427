import { type JobKind, kindsWhere, type StudioRequest } from '../../../../shared/kinds/index.ts';
import type { AnyRequest } from '../../../../shared/kinds/kind.ts';
import { chatDriver } from './chat.ts';
import type { KindDriver, StreamDriver, TaskDriver } from './driver.ts';
import { editDriver, imagineDriver } from './images.ts';
import { videoDriver } from './video.ts';

/** How the engine drives each kind. */
const DRIVERS = {
  chat: chatDriver,
  video: videoDriver,
  imagine: imagineDriver,
  edit: editDriver,
} satisfies { [K in JobKind]: KindDriver<Extract<StudioRequest, { kind: K }>> };

const registry = new Map<string, KindDriver>(Object.entries(DRIVERS));

/** Adds the driver of a kind that was registered (`shared/kinds`); the returned function removes it. */
export function registerDriver<R extends AnyRequest>(name: R['kind'], driver: KindDriver<R>): () => void {
  if (registry.has(name)) throw new Error(`There is a driver for ${name} already.`);
  registry.set(name, driver as KindDriver);
  return () => registry.delete(name);
}

export function driverOf({ kind }: { kind: string }): KindDriver {
  const driver = registry.get(kind);
  if (!driver) throw new Error(`There is no driver for ${kind}.`);
  return driver;
}

/** The driver of a kind whose tasks are polled; undefined for a streamed kind. */
export function taskDriverOf(it: { kind: string }): TaskDriver | undefined {
  const driver = driverOf(it);
  return driver.protocol === 'task' ? driver : undefined;
}

export function streamDriverOf(it: { kind: string }): StreamDriver | undefined {
  const driver = driverOf(it);
  return driver.protocol === 'stream' ? driver : undefined;
}

/** The names of the kinds whose driver satisfies a condition, as JSON for `json_each`. */
export const kindsWithDriver = (fits: (driver: KindDriver) => boolean): string =>
  JSON.stringify(kindsWhere((kind) => fits(driverOf({ kind: kind.name }))));

export const hasWebhook = (driver: KindDriver): boolean => driver.protocol === 'task' && driver.hasWebhook;
export const hasCostRecord = (driver: KindDriver): boolean => driver.protocol === 'stream' && driver.hasCostRecord;
