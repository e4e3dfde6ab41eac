/** Which operations a request for a team may call, in each role, and that a foreign team is the same 404. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ROLES, type RoleNeeded } from '../../src/account/team/role.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora()
const { app } = kinora
const { newTeam } = openTeams(kinora)

type Operation = { operationId: string; security?: object[]; 'x-team-role'?: RoleNeeded; description: string }
type Document = { paths: Record<string, Record<string, Operation>> }
const document = await readDocuments<Document>(kinora)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, randomUUID()),
    role: operation['x-team-role'],
    scope: /the scope `(\w+)`/.exec(operation.description)?.[1],
  })),
)
const ofTeams = operations.filter(({ role }) => role !== undefined)

/** The status of a request, whose response is not read: that of an event stream does not end. */
async function statusOf(
  { method, path }: { method: string; path: string },
  person: Person,
  teamId: string,
): Promise<number> {
  const { status, body } = await fetch(kinora.url + path, {
    method,
    headers: {
      authorization: `Bearer ${person.token}`,
      'x-team': teamId,
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    },
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  await body?.cancel()
  return status
}

test('operations of an account: the role that each needs → as stated here, and all others are about the user alone', () => {
  const stated = ofTeams.filter(({ role, scope }) => scope !== 'read' && scope !== 'generate' && role !== 'none')
  const byRole = Object.groupBy(stated, ({ role }) => role ?? 'none')
  assert.deepEqual(
    Object.fromEntries(Object.entries(byRole).map(([role, each]) => [role, each.map(({ id }) => id).sort()])),
    {
      viewer: [
        'createToken',
        'getKey',
        'getLimits',
        'getMovableCredits',
        'listTeamGiven',
        'moveCredits',
        'removeTeamMember',
      ],
      admin: [
        'changeTeam',
        'changeTeamMember',
        'createTeamKey',
        'createWebhookEndpoint',
        'deleteTeamKey',
        'deleteWebhookEndpoint',
        'eraseSubject',
        'exportSubject',
        'getCreditAlert',
        'getWebhookDelivery',
        'getWebhookEndpoint',
        'inviteTeamMember',
        'listTeamInvitations',
        'listTeamKeys',
        'listWebhookDeliveries',
        'listWebhookEndpoints',
        'recoverWebhookEndpoint',
        'redeliverWebhook',
        'replayWebhookEndpoint',
        'revokeTeamInvitation',
        'rotateWebhookSecret',
        'rotateWebhookUrlSecret',
        'setCreditAlert',
        'testWebhookEndpoint',
        'updateWebhookEndpoint',
      ],
      owner: [
        'deleteTeam',
        'disconnectTeamProgram',
        'downloadTeamLog',
        'endTopUp',
        'exportTeam',
        'getTopUp',
        'listInvoices',
        'listTeamLog',
        'listTeamPrograms',
        'openPortal',
        'previewPlanChange',
        'setTopUp',
        'startCheckout',
        'takeOverTeamGiven',
      ],
    },
  )
})

test('403: every operation × role → refused below the role that it needs, and for all where it is about the user', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const members = { owner } as Record<string, Person>
  for (const role of ROLES.slice(0, 3))
    members[role] = await addMember(app, id, await kinora.person({ credits: 0 }), role)
  for (const operation of ofTeams) {
    for (const [rank, role] of ROLES.entries()) {
      const isAllowed = operation.role !== 'none' && rank >= ROLES.indexOf(operation.role ?? 'owner')
      // It would end the team of the other rows.
      if (operation.id === 'deleteTeam' && isAllowed) continue
      const person = members[role]
      assert.ok(person)
      const status = await statusOf(operation, person, id)
      assert.equal(status === 403, !isAllowed, `${operation.id} as ${role}: ${status}`)
    }
  }
})

test('404: every operation for a team of others, and for none → not found', async () => {
  const { id } = await newTeam({ credits: 0 })
  const eve = await kinora.person({ credits: 0, role: 'admin' })
  for (const operation of ofTeams) {
    for (const team of [id, randomUUID()]) {
      assert.equal(await statusOf(operation, eve, team), 404, operation.id)
    }
  }
})

test('403: operations of sign-in with X-Team → refused, and nothing is done for the user instead', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const made = await kinora.call('POST', '/api/auth/api-key/create', {
    as: owner,
    body: { name: 'k' },
    headers: { 'x-team': id },
  })
  assert.deepEqual([made.status, JSON.parse(made.text).code], [403, 'FORBIDDEN'])
  assert.equal((await app.sql`select from public.apikey where "referenceId" = ${owner.userId}`).length, 0)
})
