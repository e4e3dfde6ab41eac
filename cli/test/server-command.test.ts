/** Commands of the server: their arguments reach it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKinora, temporaryDir } from './cli-process.ts'

const wrong: [string[], RegExp][] = [
  [['migrate', '--distributed', '--shards', '0'], /migrate: --shards must be a whole number from 1 to 1024/],
  [['worker', '--node', 'node-1'], /worker: --node must be a postgres:\/\/ URL/],
  [['api', '--processes', 'some'], /--processes/],
]

for (const [args, message] of wrong) {
  test(`kinora ${args.join(' ')}: wrong argument → the server’s message, exit 1`, async (t) => {
    const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }
    const { status, output } = await runKinora(t, args, env).ended
    assert.match(output, message)
    assert.equal(status, 1)
  })
}
