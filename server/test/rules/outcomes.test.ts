/** The unions of outcomes in TypeScript have the outcomes that the SQL functions return. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../support/sources.ts'

/** The literals of a text, each once. */
const quoted = (text: string) => [...new Set([...text.matchAll(/'(\w+)'/g)].map(([, literal = '']) => literal))].sort()
/** The outcomes that the comment of a function lists; what is in parentheses explains one. */
const documented = (comment: string) => quoted(comment.slice(comment.indexOf('outcome:')).replace(/\([^)]*\)/g, ''))

test('steps of videos: outcomes that the SQL documents and returns → those of the typed functions', () => {
  const transitions = textOf('server/src/video/transitions.ts')
  const ignored = /type IgnoredReport = ([^\n]+)/.exec(transitions)?.[1] ?? ''
  const unions = new Map(
    [...transitions.matchAll(/apply<([^>]+)>\(calls, '(\w+)'/g)].map(([, union = '', step = '']) => [
      step,
      quoted(union.replace('IgnoredReport', ignored)),
    ]),
  )
  const steps = [
    ...textOf('server/sql/video_steps.sql').matchAll(
      /((?:^--[^\n]*\n)+)create or replace function kinora\.video_step_(\w+)\(([\s\S]*?\$\$[\s\S]*?)\$\$/gm,
    ),
  ]
  // The SQL applies add_link when a result is reported that is not the first.
  unions.set('add_link', ['unchanged', 'uploading'])
  assert.deepEqual(steps.map(([, , step]) => step).sort(), [...unions.keys()].sort())
  for (const [, comment = '', step = '', body = ''] of steps) {
    const union = unions.get(step) ?? []
    assert.deepEqual(documented(comment), union, step)
    const returned = [...body.matchAll(/video_(?:un)?changed\(\s*p_video, '(\w+)'/g)].map(([, outcome = '']) => outcome)
    assert.deepEqual(
      returned.filter((outcome) => !union.includes(outcome)),
      [],
      step,
    )
  }
  const all = /type StepOutcome =([\s\S]*?)export/.exec(textOf('server/src/db/set-calls.ts'))?.[1] ?? ''
  assert.deepEqual([...new Set([...unions.values()].flat())].sort(), quoted(all))
})

test('generate: outcomes that the SQL documents → those of GenerateRow', () => {
  const [, comment = ''] =
    /((?:^--[^\n]*\n)+)create or replace function kinora\.video_generate_all/m.exec(
      textOf('server/sql/video_generate.sql'),
    ) ?? []
  const row = /type GenerateRow = \{([\s\S]*?)available/.exec(textOf('server/src/db/set-calls.ts'))?.[1] ?? ''
  assert.deepEqual(documented(comment), quoted(row))
})

test('steps of a video: columns that they set → video_write_rows writes these and no other', () => {
  const steps = textOf('server/sql/video_steps.sql') + textOf('server/sql/video_row.sql')
  const set = steps.matchAll(/p_video\.(\w+) :=/g)
  const [, update = ''] = /update kinora\.video v\s+set ([\s\S]*?)from/.exec(textOf('server/sql/video_apply.sql')) ?? []
  assert.deepEqual(
    [...update.matchAll(/^\s*(\w+) = d\.\1,?$/gm)].map(([, column = '']) => column).sort(),
    [...new Set([...set].map(([, column = '']) => column))].sort(),
  )
})
