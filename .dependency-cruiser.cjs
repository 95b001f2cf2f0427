/** Who may import whom. The modules of core import each other through their index.ts; anything else is an error. */
const NODE_BUILTINS = { dependencyTypes: ['core'] };

const GATEWAY = '^src/main/core/gateway/';
/** The gateway's modules in the order in which an answer passes them, each with the earlier ones that it may import. */
const GATEWAY_MODULES = {
  json: [],
  http: [],
  exchange: ['json', 'http'],
  errors: ['json', 'http', 'exchange'],
  outcomes: ['json', 'exchange', 'errors'],
  addresses: ['json'],
  chat: ['json', 'http', 'exchange', 'errors', 'outcomes', 'addresses'],
  tasks: ['json', 'http', 'exchange', 'errors', 'outcomes', 'addresses', 'chat'],
  media: ['json', 'http', 'exchange', 'errors', 'tasks'],
  families: ['json', 'http', 'addresses', 'exchange', 'errors', 'outcomes', 'chat', 'tasks'],
  account: ['json', 'http', 'exchange', 'errors', 'outcomes', 'families'],
};
const gatewayRules = Object.entries(GATEWAY_MODULES).map(([module, below]) => ({
  name: `gateway-${module}-imports-lower-modules-only`,
  comment: 'Inside the gateway imports go one way.',
  severity: 'error',
  from: { path: `${GATEWAY}${module}/`, pathNot: '[.]test[.]' },
  to: {
    path: `${GATEWAY}(${Object.keys(GATEWAY_MODULES).join('|')})/`,
    pathNot: [module, ...below].map((other) => `${GATEWAY}${other}/`),
  },
}));
/** What speaks to a studio from outside, each with what of ours it needs besides src/shared. */
const OUTSIDE = {
  link: ['hosts/browser/(access|endpoint)', 'hosts/common/defaultDataDir'],
  cli: ['link/index', 'hosts/common/(regularFile|standardStreams)'],
  mcp: ['link/index', 'hosts/common/(standardStreams|version)'],
};
const outsideRules = Object.entries(OUTSIDE).map(([program, needed]) => ({
  name: `${program}-knows-no-studio`,
  comment: 'A program outside reaches the studio through the link and the contract, never through its code.',
  severity: 'error',
  from: { path: `^src/main/${program}/`, pathNot: '[.]test[.]' },
  to: {
    path: '^src/',
    pathNot: ['^src/shared/', `^src/main/${program}/`, ...needed.map((one) => `^src/main/${one}[.]ts$`)],
  },
}));

module.exports = {
  forbidden: [
    {
      name: 'shared-is-pure',
      comment:
        'src/shared imports itself, its schema and message libraries and those that read text files only: it runs in pages, in main and in tests alike.',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: '[.]test[.]' },
      to: { pathNot: ['^src/shared/', '^node_modules/(zod|intl-messageformat|jschardet|entities)/'] },
    },
    {
      name: 'renderer-knows-shared-only',
      comment: 'A page reaches the studio through the contract, never through its code.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: '^src/(main|preload)/' },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: NODE_BUILTINS,
    },
    {
      name: 'fabric-without-react',
      comment: 'The canvas is imperative classes: push in, commit a plain object, never read back as truth.',
      severity: 'error',
      from: { path: '^src/renderer/canvas/', pathNot: '[.]test[.]' },
      to: { path: ['^node_modules/(react|react-dom|zustand|@base-ui)/', '^src/renderer/(app|features|ui)/'] },
    },
    {
      name: 'words-import-shared-only',
      comment: 'What the pages say is data and pure functions: every part of the renderer may import it.',
      severity: 'error',
      from: { path: '^src/renderer/words/', pathNot: '[.]test[.]' },
      to: { pathNot: ['^src/shared/', '^src/renderer/words/'] },
    },
    {
      name: 'renderer-modules-meet-at-their-index',
      severity: 'error',
      from: { path: '^src/renderer/([^/]+)/' },
      to: {
        path: '^src/renderer/(words|spending|client)/',
        pathNot: ['^src/renderer/$1/', '^src/renderer/[^/]+/index[.]ts$'],
      },
    },
    {
      name: 'features-do-not-import-features',
      comment: 'Two pages that share something share it through ui, client or app.',
      severity: 'error',
      from: { path: '^src/renderer/features/([^/]+)/', pathNot: '^src/renderer/features/review/' },
      to: { path: '^src/renderer/features/([^/]+)/', pathNot: '^src/renderer/features/$1/' },
    },
    {
      name: 'review-imports-the-board-only',
      comment: 'Review rates the takes of the board: it reads and changes the board by its own parts.',
      severity: 'error',
      from: { path: '^src/renderer/features/review/' },
      to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/(review|storyboard)/' },
    },
    {
      name: 'modules-meet-at-their-index',
      comment: 'A module of core imports another module through its index.ts only.',
      severity: 'error',
      from: { path: '^src/main/core/([^/]+)/' },
      to: { path: '^src/main/core/([^/]+)/', pathNot: ['^src/main/core/$1/', '^src/main/core/[^/]+/index[.]ts$'] },
    },
    {
      name: 'core-from-outside-through-the-door',
      comment: 'Hosts and the composition root import a module through its index.ts too.',
      severity: 'error',
      from: { path: '^src/main/', pathNot: '^src/main/core/[^/]+/' },
      to: { path: '^src/main/core/[^/]+/', pathNot: '^src/main/core/[^/]+/index[.]ts$' },
    },
    {
      name: 'hosts-know-no-page',
      comment: 'A host serves the pages; it shares the contract with them and nothing else.',
      severity: 'error',
      from: { path: '^src/main/hosts/' },
      to: { path: '^src/(renderer|preload)/' },
    },
    {
      name: 'preload-is-alone',
      comment: 'The preload is one file that a sandboxed page can load.',
      severity: 'error',
      from: { path: '^src/preload/', pathNot: '[.]test[.]' },
      to: { path: '^src/', pathNot: '^src/preload/' },
    },
    ...gatewayRules,
    ...outsideRules,
    {
      name: 'gateway-json-and-http-know-nobody',
      comment: 'JSON and HTTP are read and spoken alike whatever a gateway is for.',
      severity: 'error',
      from: { path: `${GATEWAY}(json|http)/`, pathNot: '[.]test[.]' },
      to: { path: GATEWAY, pathNot: `${GATEWAY}$1/` },
    },
    {
      name: 'processes-through-the-port',
      comment: 'A packaged program cannot be forked as a Node: core starts processes as its host says.',
      severity: 'error',
      from: { path: '^src/main/core/', pathNot: ['^src/main/core/workers/', '[.]test[.]'] },
      to: { path: '^(node:)?child_process$' },
    },
    {
      name: 'core-is-plain-node',
      comment: 'core runs under plain Node: no host, no sandbox, no program outside, no renderer.',
      severity: 'error',
      from: { path: '^src/main/core/' },
      to: { path: ['^src/main/(hosts|sandbox|link|cli|mcp)/', '^src/(renderer|preload)/'] },
    },
    {
      name: 'electron-in-its-host-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main/hosts/electron|preload)/' },
      to: { path: '^node_modules/electron/' },
    },
    {
      name: 'electron-by-name-in-its-host-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main/hosts/electron|preload)/' },
      to: { path: '^electron$' },
    },
    {
      name: 'sandbox-shares-no-decoder',
      comment: 'The sandbox and the client meet on the wire, or a bug would agree with itself.',
      severity: 'error',
      from: { path: '^src/main/sandbox/' },
      to: { path: ['^src/main/(core|hosts|link|cli|mcp)/', '^src/shared/(?!(money/money|text/shortened)[.]ts)'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^electron$', '[?]'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    // The peers have a package.json of their own, which a plain installation leaves alone.
    exclude: { path: ['(^|/)out/', '^test/bench/peers/'] },
    tsConfig: undefined,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
