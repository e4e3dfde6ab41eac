/** The rows of the CSV of the credit history. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditCsvHeader, creditCsvRow } from '../src/credit-csv.ts'

const transaction = (change: Partial<Parameters<typeof creditCsvRow>[0]>): Parameters<typeof creditCsvRow>[0] => ({
  id: 'row-1',
  n: 1,
  transNo: 'T-1',
  transType: 'SYSTEM_ADJUST',
  credits: 1,
  balanceAfter: 55,
  createdAt: '2026-11-11T12:00:00.000Z',
  packageId: null,
  videoUuid: null,
  orderNo: null,
  remark: null,
  state: null,
  madeBy: null,
  source: null,
  expiresAt: null,
  graces: null,
  prompt: null,
  actorId: null,
  hash: '',
  ...change,
})

test('creditCsvRow: negative number and formula text → only the text is escaped', () => {
  const row = creditCsvRow(transaction({ credits: -5, remark: '=HYPERLINK("http://x","y")', orderNo: '@a' }))
  assert.equal(creditCsvHeader.split(',').length, 10)
  assert.equal(
    row,
    '2026-11-11T12:00:00.000Z,T-1,SYSTEM_ADJUST,-5,55,,,\'@a,"\'=HYPERLINK(""http://x"",""y"")",row-1\r\n',
  )
})

const cellOf = (remark: string) =>
  creditCsvRow(transaction({ remark }))
    .slice(0, -',row-1\r\n'.length)
    .replace(/^([^,]*,){8}/, '')
    .replace(/^"(.*)"$/s, '$1')

test('creditCsvRow: text that begins a formula in any spelling, also after ignored characters → escaped with an apostrophe', () => {
  for (const sign of '=+-@|＝＋－＠｜﹦﹢﹣﹫⁼⁺⁻₌₊₋−') {
    assert.equal(cellOf(`${sign}1`), `'${sign}1`)
    for (const ignored of [
      ' ',
      '\t',
      '\r',
      '\n',
      '\0',
      '\u00a0',
      '\u3000',
      '\ufeff',
      '\u200b',
      '\u202e',
      "'",
      '`',
      '“',
      '«',
      ' \t\ufeff',
    ])
      assert.ok(cellOf(`${ignored}${sign}1`).startsWith("'"), JSON.stringify(`${ignored}${sign}1`))
    assert.ok(cellOf(`"${sign}1`).startsWith(`'""`), `a quotation mark and ${sign}`)
  }
  for (const text of ['\tx', '\rx', '\nx', ' \tx']) assert.equal(cellOf(text), `'${text}`)
})

test('creditCsvRow: formula behind a separator of other locales → escaped with an apostrophe', () => {
  assert.equal(cellOf('a;=1'), "a;'=1")
  assert.equal(cellOf('a; ＋1;b\t@c\n-d'), "a;' ＋1;b\t'@c\n'-d")
})

test('creditCsvRow: signs inside a text → unchanged', () => {
  for (const text of ['a-b', 'a, -5', '3-2', 'Zoë – 映画 🎬', "it's", 'x@y.example', '1;2'])
    assert.equal(cellOf(text), text)
})

test('creditCsvRow: text with a line break → quoted', () => {
  assert.match(creditCsvRow(transaction({ remark: 'two\nlines' })), /,"two\nlines",/)
})
