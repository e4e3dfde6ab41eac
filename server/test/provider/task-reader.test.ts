import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costFrom, failedReport, reasonOf, taskIdAt } from '../../src/provider/task-reader.ts'

test('task id: one that would change the path of a URL → none', () => {
  for (const id of ['..', '.', 'operations/..', '../models', 'a/./b']) assert.equal(taskIdAt({ id }, ['id']), null)
  for (const id of ['a..b', '...', 'models/veo-3.1/operations/x.y']) assert.equal(taskIdAt({ id }, ['id']), id)
})

test('cost: digits as they are, more decimals rounded; negative, huge, or no number → unknown', () => {
  const amountOf = (amount: unknown) => costFrom(amount, 'USD', 'final')?.amount
  const rows = [
    [0.1 + 0.2, '0.3'],
    [1e-7, '0.0000001'],
    ['0.2512345678', '0.2512345678'],
    ['1.10', '1.10'],
    [100, '100'],
    [0, '0'],
    ['1e9', undefined],
    [1e30, undefined],
    [-1, undefined],
    ['NaN', undefined],
    [null, undefined],
    ['9'.repeat(1_000_000), undefined],
  ] as const
  for (const [given, amount] of rows) assert.equal(amountOf(given), amount, String(given).slice(0, 40))
})

test('reason: a text or a list without end → its beginning', () => {
  assert.ok((reasonOf({ error: { message: 'x'.repeat(1_000_000) } }) ?? '').length <= 2000)
  const each = (reasonOf({ errors: Array.from({ length: 100_000 }, (_, n) => `error ${n}`) }) ?? '').split('; ')
  assert.deepEqual([each.length, each[0]], [20, 'error 0'])
})

test('message: quotes one of our signed URLs → without its query', () => {
  const message =
    'Cannot reach "https://kinora.example/callback/fal?ref=a.b&sig=00ff", nor http://x.example/i.png?X-Sig=1.'
  const { failure } = failedReport(message)
  assert.equal(failure.message, 'Cannot reach "https://kinora.example/callback/fal?…", nor http://x.example/i.png?…')
})
