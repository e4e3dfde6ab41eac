/** `/api/v1/admin/setup`: the checklist of a new service, each item with its test. */
import { Type } from 'typebox'
import { SETUP_ITEMS } from '../../operator/doctor-checks.ts'
import { closeSetup, readSetup, SETUP_STATES, testItem } from '../../operator/setup.ts'
import { ok, Reason, TextOrNull, Timestamp } from '../request/envelope.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

const Item = Type.Enum([...SETUP_ITEMS])
const State = Type.Enum([...SETUP_STATES], {
  description: 'good; advice: something is left to do; fault: the service does not work with it',
})
const lastTest = {
  item: 'mail' as const,
  state: 'good' as const,
  actorEmail: 'root@example.com',
  testedAt: '2026-01-15T09:30:00.000Z',
}
const finding = { what: 'mail', state: 'smtp.example.com:587 took a mail to root@example.com: 250 OK', remedy: '' }

const route = routesOf({ tag: 'desk', access: 'admin' })

const getSetupRoute = route('GET', '/api/v1/admin/setup', {
  operationId: 'getSetup',
  summary: 'The checklist of a new service',
  data: Type.Object({
    isOpen: Type.Boolean({
      description: 'Whether administrators see it first: in production, until all is tested or one closes it',
    }),
    items: Type.Array(Item, { description: 'In the sequence in which they are set up' }),
    tests: Type.Array(
      Type.Object({
        item: Item,
        state: State,
        actorEmail: TextOrNull('Who tested it; null for a deleted account'),
        testedAt: Timestamp('When'),
      }),
      { description: 'The last one of each item' },
    ),
  }),
  example: { isOpen: true, items: ['address', 'mail'], tests: [lastTest] },
  handler: async (app) => ok({ ...(await readSetup(app)), items: [...SETUP_ITEMS] }),
})

const testRoute = route('POST', '/api/v1/admin/setup/:item/test', {
  operationId: 'testSetupItem',
  summary: 'Test an item of the checklist now',
  description:
    'By the checks of `kinora doctor`: a mail is sent to you, a file is stored and read, the newest backup is looked up, ' +
    'accounts at providers and processors are asked by calls that cost nothing. Takes up to half a minute.',
  params: Type.Object({ item: Item }),
  data: Type.Object({
    state: State,
    findings: Type.Array(
      Type.Object({
        what: Type.String(),
        state: Type.String(),
        remedy: Type.String({ description: 'What to do; empty: nothing' }),
        isFault: Type.Boolean({ description: 'The service does not work with this' }),
      }),
    ),
  }),
  example: { state: 'good', findings: [{ ...finding, isFault: false }] },
  handler: async (app, request) =>
    ok(await testItem(app, { item: request.params.item, actorId: userOf(request).userId, requestId: request.id })),
})

const closeRoute = route('POST', '/api/v1/admin/setup/close', {
  operationId: 'closeSetup',
  summary: 'Show the checklist first no more',
  body: Type.Object(
    { reason: Reason() },
    { additionalProperties: false, examples: [{ reason: 'Nothing is sold here' }] },
  ),
  data: Type.Object({ isOpen: Type.Literal(false) }),
  example: { isOpen: false },
  handler: async (app, request) => {
    await closeSetup(app, {
      actorId: userOf(request).userId,
      requestId: request.id,
      reason: request.body.reason.trim(),
    })
    return ok({ isOpen: false as const })
  },
})

export const registerAdminSetup = together(getSetupRoute, testRoute, closeRoute)
