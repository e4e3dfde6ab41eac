/** Many members who generate from one balance at the same time. verify() recomputes the ledger after the test. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { AppError } from '../../src/errors.ts'
import { generate } from '../../src/video/generate.ts'
import { generateBody, openKinora } from '../support/harness.ts'
import { openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const { app } = kinora
const { newTeam } = openTeams(kinora)

test('402: 1,000 members generate at once, credits for 400, budgets of half of them for none → 400 films, exactly', async () => {
  const { id } = await newTeam({ credits: 400 * 16 + 15 })
  const members = Array.from({ length: 1000 }, () => randomUUID())
  const limited = members.filter((_, i) => i % 2 === 0)
  await app.sql`
    insert into kinora.api_key (user_id, id, scopes, budget, budget_period, created_at)
    select ${id}, m, '{}', 15, 'day', ${app.now()} from unnest(${limited}::uuid[]) m
  `
  const outcomes = await Promise.all(
    members.map((member) =>
      generate(app, { userId: id, key: { id: member, scopes: [], isMember: true } }, generateBody, null).then(
        () => 'created',
        (error) => (error instanceof AppError ? error.code : String(error)),
      ),
    ),
  )
  const count = (outcome: string) => outcomes.filter((each) => each === outcome).length
  assert.equal(count('created'), 400)
  assert.equal(count('created') + count('INSUFFICIENT_CREDITS') + count('KEY_BUDGET_EXCEEDED'), 1000)
  assert.ok(outcomes.every((outcome, i) => outcome !== 'created' || i % 2 === 1))
  const [account] = await app.sql`
    select available::int, frozen::int, open_holds from kinora.credit_account where user_id = ${id}
  `
  assert.deepEqual(account, { available: 15, frozen: 6400, openHolds: 400 })
  const [made] = await app.sql`
    select count(*)::int as films, count(distinct made_by)::int as makers from kinora.video where user_id = ${id}
  `
  assert.deepEqual(made, { films: 400, makers: 400 })
  const [used] = await app.sql`
    select sum(credits)::int as credits, count(*)::int as members from kinora.api_key_usage where user_id = ${id}
  `
  assert.deepEqual(used, { credits: 6400, members: 400 })
})
