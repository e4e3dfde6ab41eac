/**
 * An installation that has no teams: its rows, as they were before there were teams (support/before-teams.jsonl, with the responses of that time), give
 * the same responses, field by field. New fields may be beside them. verify() recomputes the restored books.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { notDistributed } from '../support/citus/database.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { paymentEnv } from '../support/payment/payment-delivery.ts'
import { unzip } from '../support/unzip.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Line =
  | { now: string; user: Person; key: string }
  | { table: string; row: Record<string, Json> }
  | { path: string; withKey?: true; status: number; body: Json }
  | { file: string; body: Json }

const kinora = await openKinora({ env: paymentEnv })
const { app } = kinora
const lines = readFileSync(new URL('../support/before-teams.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)
const recorded = lines.find((line) => 'now' in line)
assert.ok(recorded)
const { now, user, key } = recorded

/** Links are signed for the address of this run. */
const parse = (text: string): Json =>
  JSON.parse(text.replaceAll(kinora.url, 'ORIGIN').replaceAll(/\?exp=\d+&sig=[\w-]+/g, '?signed'))

/** The places at which something of `before` is missing or different. */
function differences(before: Json, after: Json | undefined, place: string): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) return [`${place}: another number of elements`]
    return before.flatMap((each, i) => differences(each, after[i], `${place}[${i}]`))
  }
  if (before !== null && typeof before === 'object') {
    if (after === null || typeof after !== 'object' || Array.isArray(after)) return [`${place}: no object any more`]
    return Object.entries(before).flatMap(([name, each]) => differences(each, after[name], `${place}.${name}`))
  }
  return before === after ? [] : [`${place}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`]
}

/** Inserts the rows as a restore of data does: without triggers, with the defaults of columns that came later. */
async function restore(): Promise<void> {
  await app.sql.begin(async (sql) => {
    await sql`set local session_replication_role = replica`
    for (const line of lines) {
      if (!('table' in line)) continue
      const columns = Object.keys(line.row).map((name) => `"${name}"`)
      const select = `select ${columns} from jsonb_populate_record(null::${line.table}, $1::text::jsonb)`
      await sql.unsafe(
        `insert into ${line.table} (${columns}) overriding system value ${select} on conflict do nothing`,
        [JSON.stringify(line.row)],
      )
    }
  })
}

const held = () => {
  kinora.holdClock()
  kinora.turnClock(Date.parse(now) - app.now().getTime())
}

test(
  '200: every GET of a user and the export, rows of before teams → as they were, and no team anywhere',
  notDistributed('rows are restored on their shard'),
  async () => {
    await restore()
    held()
    const found: string[] = []
    // First: a request with the key changes when it was used last.
    const zip = await fetch(`${kinora.url}/api/v1/account/export`, {
      headers: { authorization: `Bearer ${user.token}` },
    })
    const files = unzip(Buffer.from(await zip.arrayBuffer()))
    for (const line of lines)
      if ('file' in line)
        found.push(...differences(line.body, parse(files.get(line.file)?.toString() ?? 'null'), line.file))
    for (const line of lines) {
      if (!('path' in line)) continue
      const headers: Record<string, string> = line.withKey ? { 'x-api-key': key } : {}
      const { status, text } = await kinora.call('GET', line.path, line.withKey ? { headers } : { as: user })
      assert.equal(status, line.status, `${line.path} ${text}`)
      found.push(...differences(line.body, parse(text), line.path))
    }
    assert.deepEqual(found, [])
    assert.deepEqual((await kinora.call('GET', '/api/v1/teams', { as: user })).data, { teams: [] })
  },
)

test(
  '402, 200: the user and the API key of before teams → spend and are limited as before',
  notDistributed('rows are restored on their shard'),
  async () => {
    await restore()
    held()
    const before = await kinora.balance(user)
    const withKey = (model: object) =>
      kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
        headers: { 'x-api-key': key },
        body: { prompt: 'A boat', duration: 4, aspectRatio: '16:9', ...model },
      })
    const made = await withKey({ model: 'delta-1-5' })
    assert.equal(made.status, 200, made.text)
    assert.equal((await kinora.call('POST', `/api/v1/video/${made.data.uuid}/cancel`, { as: user })).status, 200)
    assert.deepEqual(await kinora.balance(user), before)
    await app.sql`update kinora.api_key set budget = 20`
    assert.equal((await withKey({ model: 'delta-1-5' })).error?.code, 'KEY_BUDGET_EXCEEDED')
  },
)
