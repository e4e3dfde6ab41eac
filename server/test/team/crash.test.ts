// slow
/**
 * Crash recovery of a team's films: a process is killed with SIGKILL at the crash points that matter to the books, and
 * the member who spent within a budget is removed meanwhile. The next process brings the film to a final status; the
 * team has paid once or not at all, and the budget has lost as much, also after the member has returned. verify()
 * recomputes both after each test.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrashes, workerPoints } from '../support/crash.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { readRow, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { start, tasksOf, makeDue, waitUntilFinal, killWorkerAt } = openCrashes(kinora)
const { call, generate, finish, newTeam } = openTeams(kinora)
const PRICE = 24
/** Where film or credits have changed state. Between, only files and requests differ: video/crash.test.ts. */
const pointsOfBooks = [
  ...['submit.claimed', 'submit.intended', 'submit.recorded'],
  ...['collect.recorded', 'collect.settled', 'fail.decided', 'fail.recorded'],
]

/** A team with credits for four films, whose maker Ben may have one a day. */
async function openTeam() {
  const { id, owner } = await newTeam({ credits: 4 * PRICE })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
  const path = `/api/v1/team/members/${ben.userId}`
  const limited = await call(owner, id, 'PATCH', path, { budget: { credits: PRICE, period: 'day' } })
  assert.equal(limited.status, 200)
  const remove = async () => assert.equal((await call(owner, id, 'DELETE', path)).status, 200)
  return { id, owner, ben, remove }
}

type Team = { id: string; owner: Person; ben: Person }

/** Ben, who has returned, makes another film if and only if the first one was not paid; nothing is counted twice. */
async function assertBudget({ id, owner, ben }: Team, isPaid: boolean): Promise<void> {
  const spent = isPaid ? PRICE : 0
  const { data } = await call<{ balance: object }>(owner, id, 'GET', '/api/v1/team')
  const { available, frozen, used } = data.balance as Record<string, number>
  assert.deepEqual({ available, frozen, used }, { available: 4 * PRICE - spent, frozen: 0, used: spent })
  const usage = await app.sql`
    select sum(credits)::int as credits from kinora.api_key_usage where user_id = ${id} and key_id = ${ben.userId}
  `
  assert.deepEqual([...usage], [{ credits: spent }])
  const hasStatus = (expected: number) => async () =>
    (await call(ben, id, 'GET', '/api/v1/credit/balance')).status === expected
  await waitFor('the removal to count', hasStatus(404))
  await addMember(app, id, ben)
  await app.sql`insert into kinora.credential_revocation (user_id) values (${ben.userId}) on conflict do nothing`
  await waitFor('the return to count', hasStatus(200))
  const { status, error } = await generate(ben, id, { model: 'alpha-2', quality: '480p' })
  assert.deepEqual([status, error?.code], isPaid ? [402, 'KEY_BUDGET_EXCEEDED'] : [200, undefined])
  // The next test's worker would be killed at this film, while that of the test is half sent.
  await app.sql`
    update kinora.video set due_at = now() + interval '1 day' where user_id = ${id} and due_at is not null
  `
}

for (const point of pointsOfBooks) {
  const { status, submits } = workerPoints[point] as (typeof workerPoints)[string]
  test(`crash recovery: the worker of a team’s film was killed at ${point}, its maker removed → ${status}, budget ${status === 'COMPLETED' ? 'spent' : 'back'}`, async () => {
    const team = await openTeam()
    const { id, owner, ben, remove } = team
    const video = await killWorkerAt(point, id, (film) => generate(ben, id, film))
    await remove()
    await makeDue(video)
    // The steps of the next worker run in this process.
    await finish(owner, id, video.uuid)
    const row = await readRow(kinora, video.uuid)
    const tasks = await tasksOf(video.prompt)
    assert.equal(row.status, status, `${row.error} ${JSON.stringify(tasks)}`)
    assert.deepEqual(
      tasks.map((task) => task.submits),
      submits ? [submits] : [],
    )
    await assertBudget(team, status === 'COMPLETED')
  })
}

test('200: the API was killed after committing a member’s generate, same Idempotency-Key again → one film, budget spent once', async () => {
  const team = await openTeam()
  const { id, ben, remove } = team
  const PORT = String(await freePort())
  const prompt = 'A paper boat of a team, requested twice'
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ben.token}`,
      'x-team': id,
      'content-type': 'application/json',
      'idempotency-key': 'the same key',
    },
    body: JSON.stringify({ ...generateBody, model: 'alpha-2', quality: '480p', prompt }),
  }
  const send = () => fetch(`http://127.0.0.1:${PORT}/api/v1/video/generate`, request)
  const crashing = await start('api', { PORT, KINORA_CRASH_AT: 'generate.committed' })
  await assert.rejects(send())
  assert.equal(await crashing.ended, 'SIGKILL')

  const next = await start('all', { PORT })
  const replay = await send()
  assert.equal(replay.status, 200)
  const { data } = (await replay.json()) as { data: { uuid: string } }
  await remove()
  await waitFor('the task', async () => (await tasksOf(prompt)).length > 0)
  await waitUntilFinal({ ownerId: id, uuid: data.uuid, prompt })
  assert.equal(await next.stop(), 0)
  await assertBudget(team, true)
})

for (const point of ['callback.received', 'callback.recorded']) {
  test(`crash recovery: API and worker were killed at ${point} of a team’s film, its maker removed → COMPLETED, budget spent once`, async () => {
    const team = await openTeam()
    const { id, ben, remove } = team
    // Slow: a callback before the submit is recorded would be lost with the process, and its film with it.
    const prompt = `A paper boat of a team at ${point} [slow: 1s]`
    const PORT = String(await freePort())
    const settings = { PORT, AI_CALLBACK_URL: `http://127.0.0.1:${PORT}/api/v1/video/callback` }
    const crashing = await start('all', { ...settings, KINORA_CRASH_AT: point })
    const { data } = await generate(ben, id, { model: 'alpha-2', quality: '480p', prompt })
    assert.equal(await crashing.ended, 'SIGKILL')
    await remove()
    const next = await start('all', settings)
    await waitUntilFinal({ ownerId: id, uuid: data.uuid, prompt })
    assert.equal(await next.stop(), 0)
    const { status, error } = await readRow(kinora, data.uuid)
    assert.deepEqual([status, error], ['COMPLETED', null])
    await assertBudget(team, true)
  })
}
