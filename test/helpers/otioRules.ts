/**
 * The fields of OpenTimelineIO's schemas, as its documentation lists them ("Serialized Data (Fields Only)",
 * `docs/tutorials/otio-serialized-schema-only-fields.md` of OpenTimelineIO 0.18, Apache-2.0), with the type of each.
 */
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isTrueOrFalse: Check = (value) => typeof value === 'boolean';
const isOneOf =
  (...schemas: string[]): Check =>
  (value) =>
    isObject(value) && schemas.includes((value as { OTIO_SCHEMA: string }).OTIO_SCHEMA);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const TIME = isOneOf('RationalTime.1');
const RANGE = isOneOf('TimeRange.1');
const ITEM = {
  name: isText,
  metadata: isObject,
  enabled: isTrueOrFalse,
  effects: listOf(isOneOf('Effect.1')),
  markers: listOf(isOneOf('Marker.2')),
  source_range: orNull(RANGE),
};
const COLOURS = ['PINK', 'RED', 'ORANGE', 'YELLOW', 'GREEN', 'CYAN', 'BLUE', 'PURPLE', 'MAGENTA', 'BLACK', 'WHITE'];

const SCHEMAS: Record<string, Record<string, Check>> = {
  'Timeline.1': { name: isText, metadata: isObject, global_start_time: orNull(TIME), tracks: isOneOf('Stack.1') },
  'Stack.1': { ...ITEM, children: listOf(isOneOf('Track.1', 'Clip.2', 'Gap.1')) },
  'Track.1': {
    ...ITEM,
    children: listOf(isOneOf('Clip.2', 'Gap.1')),
    kind: (value) => value === 'Video' || value === 'Audio',
  },
  'Clip.2': { ...ITEM, media_references: isObject, active_media_reference_key: isText },
  'Gap.1': ITEM,
  'ExternalReference.1': {
    name: isText,
    metadata: isObject,
    available_range: orNull(RANGE),
    available_image_bounds: orNull(isOneOf('Box2d.1')),
    target_url: isText,
  },
  'Marker.2': {
    name: isText,
    metadata: isObject,
    color: (value) => COLOURS.includes(value as string),
    comment: isText,
    marked_range: RANGE,
  },
  'TimeRange.1': { start_time: TIME, duration: TIME },
  'RationalTime.1': { rate: (value) => isNumber(value) && (value as number) > 0, value: Number.isInteger },
};

/** The faults of a document, each with its place. */
export function faultsOfOtio(value: unknown, at = 'timeline'): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => faultsOfOtio(one, `${at}.${index}`));
  if (!isObject(value)) return [];
  const { OTIO_SCHEMA: schema, ...fields } = value as Record<string, unknown>;
  const inside = Object.entries(fields).flatMap(([name, field]) =>
    name === 'metadata' ? [] : faultsOfOtio(field, `${at}.${name}`),
  );
  if (schema === undefined) return inside;
  const checks = SCHEMAS[String(schema)];
  if (!checks) return [`${at}: ${String(schema)} is no schema`];
  return [
    ...Object.keys(fields)
      .filter((name) => !checks[name])
      .map((name) => `${at}: ${String(schema)} has no ${name}`),
    ...Object.entries(checks)
      .filter(([name, check]) => !check(fields[name]))
      .map(([name]) => `${at}.${name} is wrong`),
    ...inside,
  ];
}
