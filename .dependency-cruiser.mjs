/**
 * Which module may import which, type-only imports included; `node bin/imports.mjs` checks it. Paths are relative to
 * the repository's root. See decisions/0018-import-rules.md.
 */

/** The layers of server/src from the top down, which is also an order in which to read the code. Imports point down. */
const layers = [
  'main',
  'compatible',
  'http',
  'operator',
  'worker',
  'account-data',
  'admin',
  'stream',
  'project',
  'video',
  'asset',
  'catalogue',
  'webhook',
  'payment',
  'credit',
  'account',
  'mail',
  'app',
  'tracing',
  'provider',
  'moderation',
  'writer',
  'provenance',
  'media',
  'storage',
  'net',
  'rate-limit',
  'db',
  'film',
  'cluster',
  'process',
  'config',
  'text',
  'async',
  'errors',
  'id',
]

/** A layer is a folder or a single file. */
const pathOf = (names) => `^server/src/(${names.join('|')})(/|\\.ts$)`

/**
 * Rooms: folders that plug into a contract of the code around them. `composer`, the one importer, takes the room's
 * `door` and nothing else of it; `through`: the places outside that the room is built on.
 */
const rooms = [
  {
    name: 'compatible',
    door: 'compatible/compatible.ts',
    composer: 'main.ts',
    through: [
      'account/(credential|key)/',
      'account/user.ts',
      'config/(config|seal).ts',
      'asset/',
      'async/',
      'catalogue/',
      'credit/',
      'db/(call|columns).ts',
      'film/',
      'http/request/',
      'http/(credit|files|project|server|sign-in/oauth).ts',
      'project/',
      'provider/request-mapping.ts',
      'storage/',
      'text/',
      'video/',
      'webhook/(attempt|secret).ts',
      '(app|errors|id).ts',
    ],
  },
  {
    name: 'db/citus',
    door: 'db/citus/citus.ts',
    composer: 'db/database.ts',
    through: [
      'config/(config|package-dir|setting-kinds).ts',
      'db/(db|division|functions|parts|schema).ts',
      'process/command-arguments.ts',
      'errors.ts',
    ],
  },
]

/** What starts by itself, in a process, a browser or by its name in the configuration. */
const entries =
  '^server/src/(main\\.ts|media/.*child\\.ts|provider/expression-child\\.ts|http/docs/page/[a-z]+\\.js|provider/adapter/[^/]+\\.ts)$'

const packages = ['server', 'simulator', 'cli', 'client', 'python-client', 'ai-sdk-provider', 'user-cli', 'studio']

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...layers.slice(1).map((layer, i) => ({
      name: `${layer}-imports-down`,
      severity: 'error',
      from: { path: pathOf([layer]) },
      to: { path: pathOf(layers.slice(0, i + 1)) },
    })),
    ...rooms.flatMap(({ name, door, composer, through }) => [
      {
        name: `${name}-has-one-door`,
        severity: 'error',
        from: { path: '^server/src/', pathNot: `^server/src/${name}/` },
        to: { path: `^server/src/${name}/`, pathNot: `^server/src/${door}$` },
      },
      {
        name: `${name}-has-one-importer`,
        severity: 'error',
        from: { path: '^server/src/', pathNot: [`^server/src/${name}/`, `^server/src/${composer}$`] },
        to: { path: `^server/src/${name}/` },
      },
      {
        name: `${name}-imports-stated-places`,
        severity: 'error',
        from: { path: `^server/src/${name}/` },
        to: { path: '^server/src/', pathNot: [`^server/src/${name}/`, `^server/src/(${through.join('|')})`] },
      },
    ]),
    {
      name: 'every-file-of-the-server-has-a-layer',
      severity: 'error',
      from: {},
      to: { path: '^server/src/', pathNot: pathOf(layers) },
    },
    {
      name: 'every-file-of-the-server-is-used',
      severity: 'error',
      from: { path: entries },
      to: { path: '^server/src/', pathNot: entries, reachable: false },
    },
    // Packages meet as processes and over HTTP. The one file above src that a package may import is its package.json.
    ...packages.map((name) => ({
      name: `${name}-imports-no-other-package`,
      severity: 'error',
      from: { path: `^${name}/src/` },
      to: {
        path: `^(${[...packages, 'bin', 'bench', 'catalogue'].join('|')})/`,
        pathNot: [
          '/node_modules/',
          `^${name}/src/`,
          `^${name}/package\\.json$`,
          ...(['studio', 'user-cli', 'ai-sdk-provider'].includes(name) ? ['^client/'] : []),
        ],
      },
    })),
    {
      name: 'studio-imports-the-client-by-its-name',
      severity: 'error',
      from: { path: '^studio/src/' },
      to: { path: '^client/', dependencyTypes: ['local'] },
    },
    {
      name: 'studio-runs-in-a-browser',
      severity: 'error',
      from: { path: '^studio/src/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'client-has-two-dependencies',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { pathNot: ['^client/', 'node_modules/(eventsource-parser|openapi-fetch|openapi-typescript-helpers)/'] },
    },
  ],
  options: {
    // Type-only imports count, as does `import('…')` in a type.
    tsPreCompilationDeps: true,
    detectJSDocImports: false,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
