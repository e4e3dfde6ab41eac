/** Text formats of the studio: relative times, UTC times, and the rows of the CSV export. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvHeader, csvRow } from '../src/credits/csv.ts'
import './macros.ts'
import { DAY_MS, transaction } from './transactions.ts'

const { formatRelativeTime, formatUtcDate, formatUtcTime } = await import('../src/ui/format.ts')

const NOW_MS = Date.parse('2026-11-20T08:43:07.000Z')

test('formatRelativeTime: future time → rounded; past time → truncated', () => {
  const relative = (offsetMs: number) => formatRelativeTime(new Date(NOW_MS + offsetMs).toISOString(), NOW_MS)
  assert.equal(relative(30 * DAY_MS - 60_000), 'in 30 days')
  assert.equal(relative(-2 * DAY_MS + 60_000), 'yesterday')
  assert.equal(relative(-119_000), '1 minute ago')
})

test('formatUtcTime: time of another day → the date is included', () => {
  assert.equal(formatUtcTime('2026-11-20T00:00:00.000Z', NOW_MS), '00:00:00 UTC')
  assert.equal(formatUtcTime('2026-11-20T01:30:00.000+02:00', NOW_MS), '2026-11-19 23:30:00 UTC')
})

test('formatUtcDate: time in another time zone → the UTC date', () => {
  assert.equal(formatUtcDate('2026-11-20T23:59:59.999-01:00'), '2026-11-21')
})

test('csvRow: negative number and formula text → only the text is escaped', () => {
  const row = csvRow(transaction(1, 'SYSTEM_ADJUST', -5, 55, { remark: '=HYPERLINK("http://x","y")', orderNo: '@a' }))
  assert.equal(csvHeader.split(',').length, 10)
  assert.equal(
    row,
    '2026-11-11T12:00:00.000Z,T-1,SYSTEM_ADJUST,-5,55,,,\'@a,"\'=HYPERLINK(""http://x"",""y"")",row-1\r\n',
  )
})

const cellOf = (remark: string) =>
  csvRow(transaction(1, 'NEW_USER', 1, 1, { remark }))
    .slice(0, -',row-1\r\n'.length)
    .replace(/^([^,]*,){8}/, '')
    .replace(/^"(.*)"$/s, '$1')

test('csvRow: text that begins a formula in any spelling, also after ignored characters → escaped with an apostrophe', () => {
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

test('csvRow: formula behind a separator of other locales → escaped with an apostrophe', () => {
  assert.equal(cellOf('a;=1'), "a;'=1")
  assert.equal(cellOf('a; ＋1;b\t@c\n-d'), "a;' ＋1;b\t'@c\n'-d")
})

test('csvRow: signs inside a text → unchanged', () => {
  for (const text of ['a-b', 'a, -5', '3-2', 'Zoë – 映画 🎬', "it's", 'x@y.example', '1;2'])
    assert.equal(cellOf(text), text)
})

test('csvRow: text with a line break → quoted', () => {
  assert.match(csvRow(transaction(1, 'NEW_USER', 1, 1, { remark: 'two\nlines' })), /,"two\nlines",/)
})
