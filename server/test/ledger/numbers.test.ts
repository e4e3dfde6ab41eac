/** Transaction numbers and UUIDs that SQL functions generate. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { createDatabase } from '../support/database.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 1, name: 'kinora numbers test' })
after(async () => {
  await sql.end()
  await database.drop()
})
const start = new Date('2030-01-01T00:00:00Z')

test('transNo: decoded → account number and row number, at every size', async () => {
  const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const inverse = (odd: bigint, bits: bigint): bigint => {
    let result = 1n
    for (let round = 0; round < 6; round += 1) result = BigInt.asUintN(Number(bits), result * (2n - odd * result))
    return result
  }
  const decode = (text: string): [bigint, bigint] => {
    const [a = '', b = '', c = '', rest = '0X0'] = text.split('-')
    const [highRow = '', highAccount = ''] = rest.split('X')
    const bits = [...(a + b + c)].reduce((sum, letter) => (sum << 5n) | BigInt(letters.indexOf(letter)), 0n)
    const row = BigInt.asUintN(24, (bits >> 26n) * inverse(11400715n, 24n))
    const account = BigInt.asUintN(26, bits * inverse(40503127n, 26n))
    return [(BigInt(`0x${highAccount}`) << 26n) | account, (BigInt(`0x${highRow}`) << 24n) | row]
  }
  const edges = [1n, 2n, 31n, 32n, 2n ** 24n - 1n, 2n ** 24n, 2n ** 26n - 1n, 2n ** 26n, 2n ** 40n + 7n, 2n ** 62n]
  const pairs = edges.flatMap((account) => edges.map((row) => [account, row] as [bigint, bigint]))
  for (let random = 0; random < 400; random += 1) {
    pairs.push([BigInt(Math.floor(Math.random() * 2 ** 27)), BigInt(Math.floor(Math.random() * 2 ** 25))])
  }
  const rows = await sql<{ text: string }[]>`
    select kinora.credit_trans_no(a::bigint, n::bigint) as text
    from unnest(${pairs.map(([a]) => `${a}`)}::text[], ${pairs.map(([, n]) => `${n}`)}::text[]) as p (a, n)
  `
  for (const [index, { text }] of rows.entries()) {
    assert.match(text, /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{2}(-[0-9A-F]+X[0-9A-F]+)?$/)
    assert.deepEqual(decode(text), pairs[index])
  }
})

test('uuid_v7: a time → a UUIDv7 of that time', async () => {
  const [row] = await sql<[{ id: string }]>`select kinora.uuid_v7(${start}) as id`
  assert.match(row.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(Number.parseInt(row.id.replaceAll('-', '').slice(0, 12), 16), start.getTime())
})
