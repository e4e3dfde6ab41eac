/** Settings with bounds, as docs/settings.md states them: a value at each one is read, and the next one is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Kind, secondsOf } from '../../src/config/setting-kinds.ts'
import { type Setting, settings } from '../../src/config/settings.ts'

type Values = { read: string[]; refused: string[] }

/** What the words for a kind say. */
function boundsOf({ form }: Kind<unknown>): Values {
  const [, from, to] = /from (\d+) to (\d+)/.exec(form) ?? []
  const [, most] = /at most (\d+)s/.exec(form) ?? []
  const [, least = '1s'] = /at least (\w+)/.exec(form) ?? []
  const isTime = /^a time\b(?! zone)/.test(form)
  const leastS = secondsOf(least) ?? assert.fail(form)
  const step = form.startsWith('a number') ? 0.1 : 1
  return {
    read: [...(from && to ? [from, to] : []), ...(isTime ? [least] : []), ...(most ? [`${most}s`] : [])],
    refused: [
      ...(from && to ? [Number(from) - step, Number(to) + step].map(String) : []),
      ...(isTime && !form.endsWith('or 0') ? [`${leastS - 1}s`] : []),
      ...(most ? [`${Number(most) + 1}s`] : []),
    ],
  }
}

test('settings: value at each bound that is stated → read; the next one → refused', () => {
  const bounded = Object.entries<Setting<unknown>>(settings).flatMap(([name, { kind }]) => {
    const values = boundsOf(kind)
    return values.read.length > 0 ? [{ name, kind, values }] : []
  })
  assert.ok(bounded.length > 20, `${bounded.length} settings`)
  for (const { name, kind, values } of bounded) {
    const parse = (value: string) => kind.parse(value, { name, production: false, problems: [] })
    for (const value of values.read) assert.equal(parse(value), secondsOf(value) ?? Number(value), `${name}=${value}`)
    for (const value of values.refused) assert.equal(parse(value), undefined, `${name}=${value}`)
  }
})
