/** `/api/v1/admin/search`: administrators find what a customer writes about. */
import { Type } from 'typebox'
import { SEARCH_KINDS, searchAll } from '../../admin/search.ts'
import { NOT_BLANK, ok, TextOrNull } from '../request/envelope.ts'
import { routesOf } from '../request/routes.ts'
import { owner, ownerExample } from './users.ts'

const Found = Type.Object(
  {
    kind: Type.Enum(SEARCH_KINDS, { description: 'share, explore and task are ways to a film' }),
    id: Type.String({ description: 'Of the film, user, team, key or invitation; of a payment the processor’s' }),
    label: Type.String({ description: 'A name, a model, a processor; empty for what was deleted' }),
    userId: TextOrNull('The user or team that it belongs to'),
    ...owner,
  },
  {
    title: 'SearchResult',
    examples: [
      {
        kind: 'film',
        id: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
        label: 'alpha-2',
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        ...ownerExample,
      },
    ],
  },
)

export const registerAdminSearch = routesOf({ tag: 'desk', access: 'admin' })('POST', '/api/v1/admin/search', {
  operationId: 'searchAsAdmin',
  summary: 'Find what a customer writes about',
  description:
    'Finds users, teams, films, payments, subscriptions, API keys and invitations by an address, a name, an id, a link to a film or of an ' +
    'invitation, a provider’s task id, a processor’s id (of an order, invoice, charge, customer or subscription), a whole key, or what the ' +
    'list of keys shows of one. At most 10 of a kind. The text is in the body, and in no log: it may be a key.',
  body: Type.Object(
    { q: Type.String({ minLength: 1, maxLength: 1000, pattern: NOT_BLANK, description: 'Or a text that has it' }) },
    {
      additionalProperties: false,
      examples: [{ q: 'https://kinora.example/explore/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50' }],
    },
  ),
  data: Type.Object({ found: Type.Array(Found) }),
  handler: async (app, request) => ok({ found: await searchAll(app, request.body.q) }),
})
