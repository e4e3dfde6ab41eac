/** The columns that the steps of a video set are those that are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from '../support/sources.ts'

test('steps of a video: columns that they set → video_write_rows writes these and no other', () => {
  const steps = textOf('server/sql/video_steps.sql') + textOf('server/sql/video_row.sql')
  const set = steps.matchAll(/p_video\.(\w+) :=/g)
  const [, update = ''] = /update kinora\.video v\s+set ([\s\S]*?)from/.exec(textOf('server/sql/video_apply.sql')) ?? []
  assert.deepEqual(
    [...update.matchAll(/^\s*(\w+) = d\.\1,?$/gm)].map(([, column = '']) => column).sort(),
    [...new Set([...set].map(([, column = '']) => column))].sort(),
  )
})
