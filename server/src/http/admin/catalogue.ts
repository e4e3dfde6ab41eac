/** `/api/v1/admin/catalogue`: what vendors publish beside the catalogue, and the drafts that administrators took. */
import { Type } from 'typebox'
import { findingsForAdministrators, restoreModel, takeDraft } from '../../admin/taken.ts'
import { FINDING_KINDS } from '../../catalogue/findings.ts'
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

const route = routesOf({ tag: 'admin', access: 'admin' })

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
        model: Type.String(),
        version: Type.Integer({ description: 'How many drafts of it are above the release’s file' }),
        reason: Type.String(),
        actorEmail: TextOrNull('Of the administrator; null for a deleted account'),
        createdAt: Timestamp('Since when it is in force'),
        isOverridden: Type.Boolean({ description: 'A file of CATALOGUE_DIR wins' }),
      }),
      { examples: [[]] },
    ),
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

const restoreRoute = route('POST', '/api/v1/admin/catalogue/restore', {
  operationId: 'restoreCatalogueModel',
  summary: 'Remove the draft of a model that is in force',
  description: 'The draft before it, or the release’s file, counts again; without one the model leaves the catalogue.',
  body: Type.Object(
    {
      model: subject.model,
      version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'That which is in force' }),
      reason: Reason('Why; kept in the audit log'),
    },
    { additionalProperties: false, examples: [{ model: 'dream-3', version: 1, reason: 'Its films are black' }] },
  ),
  data: Type.Object({ changed: Type.Boolean({ description: 'false: that version of it is not in force' }) }),
  example: { changed: true },
  handler: async (app, request) => {
    const { model, version, reason } = request.body
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    return ok({ changed: (await restoreModel(app, { model, version, reason: reason.trim(), ...by })) === 'restored' })
  },
})

export const registerAdminCatalogue = together(findingsRoute, takeRoute, restoreRoute)
