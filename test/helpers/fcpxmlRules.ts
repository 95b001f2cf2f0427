import { type XmlElement, xmlTree } from './xmlTree.ts';

/**
 * The rules of Apple's document type of FCPXML 1.10 for the elements that a film uses: attributes and order of children. The document type
 * itself is Apple's and not ours to distribute; it comes with Final Cut Pro, and is mirrored by CommandPost
 * (`src/extensions/cp/apple/fcpxml/dtd/FCPXMLv1_10.dtd`). The golden files in `test/fixtures/timelines` were validated with it: `xmllint
 * --noout --dtdvalid FCPXMLv1_10.dtd test/fixtures/timelines/*.fcpxml`.
 */
interface Rule {
  required: string[];
  optional: string[];
  /** Attributes of the type ID or IDREF. */
  id?: string;
  refs?: string[];
  /** The values that an attribute may have. */
  values?: Record<string, RegExp>;
  /** Its children's names, each followed by a comma; absent for text. */
  children?: RegExp;
}

const EMPTY = /^$/;
const MARKS = '((marker|rating|keyword),)*';
const CLIP_TIMES = ['lane', 'offset', 'name', 'start', 'duration', 'enabled'];
const HERTZ = /^(32k|44\.1k|48k|88\.2k|96k|176\.4k|192k)$/;

const FADE: Rule = {
  required: ['duration'],
  optional: ['type'],
  values: { type: /^(linear|easeIn|easeOut|easeInOut)$/ },
  children: EMPTY,
};

const RULES: Record<string, Rule> = {
  fcpxml: {
    required: ['version'],
    optional: [],
    values: { version: /^1\.10$/ },
    children: /^(import-options,)?(resources,)?(library,|(event,)*)$/,
  },
  resources: { required: [], optional: [], children: /^((asset|effect|format|media|locator),)*$/ },
  format: {
    required: ['id'],
    optional: [
      'name',
      'frameDuration',
      'fieldOrder',
      'width',
      'height',
      'paspH',
      'paspV',
      'colorSpace',
      'projection',
      'stereoscopic',
    ],
    id: 'id',
    children: EMPTY,
  },
  asset: {
    required: ['id'],
    optional: [
      'name',
      'uid',
      'start',
      'duration',
      'hasVideo',
      'format',
      'hasAudio',
      'videoSources',
      'audioSources',
      'audioChannels',
      'audioRate',
    ],
    id: 'id',
    refs: ['format'],
    children: /^(media-rep,)+(metadata,)?$/,
  },
  'media-rep': {
    required: ['src'],
    optional: ['kind', 'sig', 'suggestedFilename'],
    values: { kind: /^(original-media|proxy-media)$/ },
    children: /^(bookmark,)?$/,
  },
  metadata: { required: [], optional: [], children: /^(md,)*$/ },
  md: {
    required: ['key'],
    optional: ['value', 'editable', 'type', 'displayName', 'description', 'source'],
    values: { type: /^(string|boolean|integer|float|date|timecode)$/, editable: /^[01]$/ },
    children: /^(array,)?$/,
  },
  event: { required: [], optional: ['name', 'uid'], children: /^((clip|asset-clip|project),)*$/ },
  project: { required: [], optional: ['name', 'uid', 'id', 'modDate'], children: /^sequence,$/ },
  sequence: {
    required: ['format'],
    optional: ['duration', 'tcStart', 'tcFormat', 'audioLayout', 'audioRate', 'renderFormat', 'keywords'],
    refs: ['format'],
    values: { tcFormat: /^(DF|NDF)$/, audioLayout: /^(mono|stereo|surround)$/, audioRate: HERTZ },
    children: /^(note,)?spine,(metadata,)?$/,
  },
  spine: {
    required: [],
    optional: ['lane', 'offset', 'name', 'format'],
    children: /^((audio|video|clip|title|asset-clip|gap|transition),)*$/,
  },
  'asset-clip': {
    required: ['ref'],
    optional: [
      ...CLIP_TIMES,
      'srcEnable',
      'audioStart',
      'audioDuration',
      'format',
      'tcStart',
      'tcFormat',
      'modDate',
      'audioRole',
      'videoRole',
    ],
    refs: ['ref', 'format'],
    values: { tcFormat: /^(DF|NDF)$/, enabled: /^[01]$/, srcEnable: /^(all|audio|video)$/ },
    children: new RegExp(
      `^(note,)?(conform-rate,)?(timeMap,)?(adjust-volume,)?(adjust-panner,)?(asset-clip,)*${MARKS}(metadata,)?$`,
    ),
  },
  video: {
    required: ['ref', 'duration'],
    optional: [...CLIP_TIMES, 'srcID', 'role'],
    refs: ['ref'],
    children: new RegExp(`^(note,)?(conform-rate,)?(timeMap,)?(asset-clip,)*${MARKS}$`),
  },
  gap: {
    required: ['duration'],
    optional: ['name', 'offset', 'start', 'enabled'],
    children: new RegExp(`^(note,)?(asset-clip,)*${MARKS}(metadata,)?$`),
  },
  note: { required: [], optional: [] },
  'conform-rate': {
    required: [],
    optional: ['scaleEnabled', 'srcFrameRate', 'frameSampling'],
    values: { srcFrameRate: /^(23\.98|24|25|29\.97|30|60|47\.95|48|50|59\.94)$/, scaleEnabled: /^[01]$/ },
    children: EMPTY,
  },
  'adjust-volume': { required: [], optional: ['amount'], children: /^(param,)*$/ },
  param: {
    required: ['name'],
    optional: ['key', 'value', 'enabled'],
    children: /^(fadeIn,)?(fadeOut,)?(keyframeAnimation,)?(param,)*$/,
  },
  fadeIn: FADE,
  fadeOut: FADE,
  marker: { required: ['start', 'value'], optional: ['duration', 'completed', 'note'], children: EMPTY },
  rating: {
    required: ['value'],
    optional: ['name', 'start', 'duration', 'note'],
    values: { value: /^(favorite|reject)$/ },
    children: EMPTY,
  },
  keyword: { required: ['value'], optional: ['start', 'duration', 'note'], children: EMPTY },
};

/** A rational number of seconds with a 64-bit numerator and a 32-bit denominator. */
const TIME = /^-?\d{1,18}(\/\d{1,9})?s$/;
const TIMES = new Set(['start', 'duration', 'offset', 'frameDuration', 'tcStart', 'audioStart', 'audioDuration']);

/** The violations of a document. */
export function faultsOfFcpxml(xml: string): string[] {
  let root: XmlElement;
  try {
    root = xmlTree(xml);
  } catch (error) {
    return [`it is not well formed: ${String(error)}`];
  }
  const all = withAllBelow(root);
  const ids = all.flatMap(({ name, attributes }) => (RULES[name]?.id ? [attributes.id ?? ''] : []));
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `the id ${id} is there twice`);
  const bad = ids.filter((id) => !/^[A-Za-z_][\w.-]*$/.test(id)).map((id) => `the id ${id} is no name`);
  return [
    ...(root.name === 'fcpxml' ? [] : ['the root is not fcpxml']),
    ...repeated,
    ...bad,
    ...all.flatMap((one) => faultsOfElement(one, new Set(ids))),
  ];
}

const withAllBelow = (one: XmlElement): XmlElement[] => [one, ...one.children.flatMap(withAllBelow)];

function faultsOfElement(
  { name: element, attributes, children: inner }: XmlElement,
  ids: ReadonlySet<string>,
): string[] {
  const rule = RULES[element];
  if (!rule) return [`${element} is no element that a film uses`];
  const { required, optional, values = {}, refs = [], children } = rule;
  const given = Object.entries(attributes);
  const inside = inner.map(({ name }) => `${name},`).join('');
  const faults = [
    ...required.filter((name) => attributes[name] === undefined).map((name) => `needs ${name}`),
    ...given.filter(([name]) => ![...required, ...optional].includes(name)).map(([name]) => `has no attribute ${name}`),
    ...given
      .filter(([name, value]) => values[name]?.test(value) === false)
      .map(([name]) => `${name} has no such value`),
    ...given.filter(([name, value]) => TIMES.has(name) && !TIME.test(value)).map(([name]) => `${name} is no time`),
    ...given.filter(([name, value]) => refs.includes(name) && !ids.has(value)).map(([name]) => `${name} leads nowhere`),
    ...(children && !children.test(inside) ? [`cannot hold ${inside}`] : []),
    ...(!children && inside !== '' ? [`holds only text, not ${inside}`] : []),
  ];
  return faults.map((fault) => `${element}: ${fault}`);
}
