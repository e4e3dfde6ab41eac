/** `/api/v1/asset`: the caller's pictures, films and sounds. uploads.ts has their upload. */
import { Type } from 'typebox'
import { NAMED_MAX } from '../asset/asset.ts'
import {
  assetFilters,
  changeAsset,
  deleteAsset,
  getAsset,
  listAssets,
  NAME_PATTERN,
  readName,
} from '../asset/library.ts'
import { KINDS } from '../film/inputs.ts'
import { Deleted, ok, TextOrNull, Timestamp } from './request/envelope.ts'
import { listQuery, uncountedPage } from './request/paging.ts'
import { disconnection, userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
export const assetExample = {
  id: '01939b1e-2222-7aaa-8bbb-000000000001',
  kind: 'image' as const,
  name: 'mara',
  url:
    'https://kinora.example/files/asset/01939b1e-1111-7aaa-8bbb-000000000001/' +
    '01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…',
  urlExpiresAt: '2026-01-16T12:30:00.000Z',
  contentType: 'image/jpeg',
  width: 1024,
  height: 1536,
  durationS: null,
  hasSound: null,
  sizeBytes: 482013,
  madeBy: '01939b1e-1111-7aaa-8bbb-000000000001',
  subject: null,
  createdAt: '2026-01-15T09:30:00.000Z',
}
export const AssetView = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.Enum([...KINDS], { title: 'AssetKind' }),
    name: TextOrNull('Assets of one name are one character, place or product; null: it has none'),
    url: Type.String({ description: 'Signed link; also for startImageUrl and its like' }),
    urlExpiresAt: Timestamp('When the url expires'),
    contentType: Type.String({ description: 'Of the file that is kept' }),
    width: NumberOrNull('Pixels; null: a sound'),
    height: NumberOrNull('Pixels; null: a sound'),
    durationS: NumberOrNull('Seconds; null: a picture'),
    hasSound: Type.Union([Type.Boolean(), Type.Null()], { description: 'null: a picture' }),
    sizeBytes: Type.Integer(),
    madeBy: TextOrNull('The user, the member of the team, or the API key that sent it; null: fetched for a film'),
    subject: TextOrNull(
      'The subject whose browser token sent it, in whose films alone its name stands for it; null: of none',
    ),
    createdAt: Timestamp('When it was sent'),
  },
  { title: 'Asset', examples: [assetExample] },
)
const Id = Type.Object({ id: Type.String({ title: 'AssetId', description: 'The id of the asset' }) })
const route = routesOf({ tag: 'asset', access: 'user' })

const listRoute = route('GET', '/api/v1/asset', {
  operationId: 'listAssets',
  summary: 'Your assets, newest first',
  config: { scope: 'read', token: true },
  querystring: listQuery(assetFilters),
  data: Type.Object({ assets: Type.Array(AssetView), ...uncountedPage }),
  handler: async (app, request) => ok(await listAssets(app, userOf(request), request.query)),
})

const getRoute = route('GET', '/api/v1/asset/:id', {
  operationId: 'getAsset',
  summary: 'One asset, with a new link',
  config: { scope: 'read', token: true },
  params: Id,
  data: AssetView,
  handler: async (app, request) => ok(await getAsset(app, userOf(request), request.params.id)),
})

const changeRoute = route('PATCH', '/api/v1/asset/:id', {
  operationId: 'changeAsset',
  summary: 'Name an asset, or keep the sound of a film alone',
  config: { scope: 'generate', token: true, impersonation: 'change' },
  description:
    `Up to ${NAMED_MAX} assets of one name are one character, place or product, which inputs name @mara. One with a name is kept until you delete it. ` +
    'A film becomes its `sound` for ever, under the same id; one that a video uses stays a film (409): then send the file again with ?kind=sound.',
  params: Id,
  body: Type.Object(
    {
      name: Type.Optional(
        Type.Union([Type.String({ pattern: NAME_PATTERN }), Type.Null()], {
          description: 'Letters, digits, - and _, at most 40; in small letters; null: none',
        }),
      ),
      kind: Type.Optional(Type.Enum([...KINDS], { description: '`sound` for a film; any other as it is' })),
    },
    { additionalProperties: false, minProperties: 1, examples: [{ name: 'mara' }] },
  ),
  data: AssetView,
  handler: async (app, request, reply) => {
    const { name, kind } = request.body
    const change = {
      ...(name !== undefined && { name: name === null ? null : readName(name) }),
      ...(kind && { kind }),
    }
    const signal = disconnection(reply)
    return ok(await changeAsset(app, userOf(request), request.params.id, { ...change, signal }))
  },
})

const deleteRoute = route('DELETE', '/api/v1/asset/:id', {
  operationId: 'deleteAsset',
  summary: 'Delete an asset',
  config: { scope: 'generate', token: true },
  description:
    'Its links end. Films that were made from it stay; one that is not sent to a provider yet fails, and its credits are back.',
  params: Id,
  data: Deleted,
  example: { id: assetExample.id, deleted: true },
  handler: async (app, request) => {
    await deleteAsset(app, userOf(request), request.params.id)
    return ok({ id: request.params.id.toLowerCase(), deleted: true as const })
  },
})

export const registerAssets = together(listRoute, getRoute, changeRoute, deleteRoute)
