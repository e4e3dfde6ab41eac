/** `/api/v1/admin/catalogue`: files of the catalogue, which administrators write, and what vendors publish. */
import { Type } from 'typebox'
import { findingsForAdministrators, readFile, restoreFile, takeDraft, writeFile } from '../../admin/taken.ts'
import { FINDING_KINDS } from '../../catalogue/findings.ts'
import { ORIGINS } from '../../config/package-dir.ts'
import { AppError } from '../../errors.ts'
import { ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

const subject = {
  account: Type.String({ minLength: 1, maxLength: 100 }),
  kind: Type.Enum([...FINDING_KINDS], {
    description: 'new: no route names it; gone: the vendor lists it no more; repriced; values: it takes other ones',
  }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'The vendor’s name of the model' }),
  model: Type.String({ minLength: 1, maxLength: 200, description: 'Its id here, also of one that is not there yet' }),
}
const example = { account: 'openrouter', kind: 'new', name: 'acme/dream-3', model: 'dream-3' }
const Finding = Type.Object(
  {
    ...subject,
    text: Type.String({ description: 'What differs' }),
    foundAt: Timestamp('When it was found first'),
    draft: TextOrNull('The text of the model’s changed file; null: none can be made'),
    digest: TextOrNull('Of the draft; taking it names it'),
    problems: Type.Array(Type.String(), { description: 'What the check says of the draft; none: it can be taken' }),
    needsPrice: Type.Boolean({ description: 'Taking it needs usdPerSecond or creditsPerSecond' }),
  },
  {
    title: 'CatalogueFinding',
    examples: [
      {
        ...example,
        text: 'openrouter has acme/dream-3',
        foundAt: '2026-01-15T03:00:09.000Z',
        draft: '{ "id": "dream-3" }',
        digest: 'd41d8cd98f00b204e9800998ecf8427e',
        problems: [],
        needsPrice: false,
      },
    ],
  },
)

const File = Type.String({
  pattern: '^(plans\\.json|templates\\.json|models/[a-z0-9][a-z0-9.-]{0,79}\\.json)$',
  description: 'plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each',
})
const Version = Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'That which is in force; 0: none' })
const version = {
  version: Type.Integer({ description: 'Of this file, counted from 1' }),
  reason: Type.String(),
  actorEmail: TextOrNull('Of the administrator; null for a deleted account'),
  createdAt: Timestamp('Since when it is in force'),
}
const Origin = Type.Union([Type.Enum([...ORIGINS]), Type.Null()], {
  description:
    'release; taken: an administrator wrote it, or took it as a draft; own: of CATALOGUE_DIR, which wins over both; null: there is no such file',
})
const CatalogueFile = Type.Object(
  {
    file: File,
    of: Origin,
    text: Type.String({ description: 'As it is in force; empty: there is none' }),
    versions: Type.Array(Type.Object(version), { description: 'Those of administrators, the newest first' }),
  },
  {
    title: 'CatalogueFile',
    examples: [{ file: 'templates.json', of: 'release', text: '{ "templates": [] }', versions: [] }],
  },
)

const route = routesOf({ tag: 'desk', access: 'admin' })

const findingsRoute = route('GET', '/api/v1/admin/catalogue', {
  operationId: 'listCatalogueFindings',
  summary: 'How vendors’ lists differ from the catalogue, and the drafts in force',
  data: Type.Object({
    findings: Type.Array(Finding, { description: 'Those with a draft first' }),
    accounts: Type.Array(
      Type.Object({
        account: Type.String(),
        publishes: Type.Boolean({ description: 'false: the vendor publishes no list' }),
        comparedAt: TimestampOrNull('null: never yet'),
        problem: TextOrNull('Why the last comparison failed'),
      }),
      {
        examples: [[{ account: 'openrouter', publishes: true, comparedAt: '2026-01-15T03:00:09.000Z', problem: null }]],
      },
    ),
    taken: Type.Array(
      Type.Object({
        file: File,
        ...version,
        isOverridden: Type.Boolean({ description: 'A file of CATALOGUE_DIR wins' }),
      }),
      { examples: [[]], description: 'The version in force of each file that an administrator wrote' },
    ),
    files: Type.Array(Type.Object({ file: File, of: Origin }), { examples: [[{ file: 'plans.json', of: 'release' }]] }),
  }),
  handler: async (app) => ok(await findingsForAdministrators(app)),
})

const takeRoute = route('POST', '/api/v1/admin/catalogue/take', {
  operationId: 'takeCatalogueDraft',
  summary: 'Put the draft of a finding in force',
  description:
    'After the check of `kinora catalogue check`. All processes follow within a second. A file of CATALOGUE_DIR wins over a draft.',
  body: Type.Object(
    {
      ...subject,
      digest: Type.String({ minLength: 1, maxLength: 100, description: 'Of the draft that was shown' }),
      usdPerSecond: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'What a second of film costs here' }),
      ),
      creditsPerSecond: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 10_000, description: 'What it is sold for, instead of a cost' }),
      ),
    },
    { additionalProperties: false, examples: [{ ...example, digest: 'd41d8cd98f00b204e9800998ecf8427e' }] },
  ),
  data: Type.Object({ changed: Type.Boolean({ description: 'false: it is in force already' }) }),
  example: { changed: true },
  errors: ['NOT_FOUND', 'CONFLICT'],
  handler: async (app, request) => {
    if (request.body.usdPerSecond !== undefined && request.body.creditsPerSecond !== undefined)
      throw new AppError('INVALID_REQUEST', 'Name usdPerSecond or creditsPerSecond.')
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok({ changed: (await takeDraft(app, { ...request.body, ...by })) === 'taken' })
  },
})

const fileRoute = route('GET', '/api/v1/admin/catalogue/file', {
  operationId: 'getCatalogueFile',
  summary: 'A file of the catalogue as it is in force, and its versions',
  querystring: Type.Object({ file: File }, { additionalProperties: false }),
  data: CatalogueFile,
  handler: async (app, request) => ok(await readFile(app, request.query.file)),
})

const writeRoute = route('PUT', '/api/v1/admin/catalogue/file', {
  operationId: 'putCatalogueFile',
  summary: 'Put another text of a file in force',
  description:
    'After the check of `kinora catalogue check`, which the message of an error names by line. All processes follow within a second. ' +
    'A file of CATALOGUE_DIR wins, so that one is refused (409), as is a text that another administrator has changed meanwhile. ' +
    'What was paid keeps its price, and its product stays.',
  body: Type.Object(
    {
      file: File,
      text: Type.String({ minLength: 2, maxLength: 200_000, description: 'The whole file' }),
      version: Version,
      reason: Reason(),
    },
    {
      additionalProperties: false,
      examples: [{ file: 'templates.json', text: '{ "templates": [] }', version: 0, reason: 'They are not used' }],
    },
  ),
  data: Type.Object({ changed: Type.Boolean({ description: 'false: it is in force already' }) }),
  example: { changed: true },
  errors: ['CONFLICT'],
  handler: async (app, request) => {
    const { reason, ...writing } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok({ changed: (await writeFile(app, { ...writing, reason: reason.trim(), ...by })) === 'taken' })
  },
})

const restoreRoute = route('POST', '/api/v1/admin/catalogue/restore', {
  operationId: 'restoreCatalogueFile',
  summary: 'Take the version of a file back that is in force',
  description:
    'The version before it, or the release’s file, counts again; a model without one leaves the catalogue. ' +
    'Products that were sold stay: 400 when the one before lacks one.',
  body: Type.Object(
    { file: File, version: Version, reason: Reason() },
    {
      additionalProperties: false,
      examples: [{ file: 'models/dream-3.json', version: 1, reason: 'Its films are black' }],
    },
  ),
  data: Type.Object({ changed: Type.Boolean({ description: 'false: that version of it is not in force' }) }),
  example: { changed: true },
  handler: async (app, request) => {
    const { file, version, reason } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok({ changed: (await restoreFile(app, { file, version, reason: reason.trim(), ...by })) === 'restored' })
  },
})

export const registerAdminCatalogue = together(findingsRoute, takeRoute, fileRoute, writeRoute, restoreRoute)
