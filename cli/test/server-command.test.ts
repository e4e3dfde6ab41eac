// slow
/** Wrong arguments of the commands; those of the server reach it. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { underSystemd } from '../src/server-command.ts'
import { runKinora, temporaryDir } from './cli-process.ts'

const wrong: [string[], RegExp][] = [
  [['migrate', '--distributed', '--shards', '0'], /migrate: --shards must be a whole number from 1 to 1024/],
  [['worker', '--node', 'node-1'], /kinora worker: --node must start with postgres:\/\/ or postgresql:\/\/\./],
  [['migrate', '--shards', '8'], /kinora migrate: --shards needs --distributed\./],
  [['worker', 'extra'], /kinora worker: Unexpected argument 'extra'\. Its options are --node <value>\./],
  [['api', '--processes', 'some'], /kinora api: --processes must be auto or a whole number/],
  [['reconcile', '--days', '0'], /kinora reconcile: --days must be a whole number from 1 to 365\./],
  [['verify', '--from'], /kinora verify: Option '--from <value>' argument missing\. Its options are --from <value>, /],
  [['backup', '--bogus'], /kinora backup: Unknown option '--bogus'\. Its options are --keep <value>, /],
  [['restore', '--bogus'], /kinora restore: Unknown option '--bogus'\. Its options are --no-hashes, --latest\.\n$/],
  [['doctor', '--bogus'], /^kinora doctor: Unknown option '--bogus'\. It takes no options\.\n$/],
  [['start', '--port', '9000'], /^kinora start takes no arguments, and got "--port 9000"\. .*PORT=8081 npm start\n$/],
  [['simulate', '--bogus'], /^npm run simulate: Unknown option '--bogus'\.\n$/],
  [['postgres', '--bogus'], /"kinora postgres --bogus" is not understood/],
]

for (const [args, message] of wrong) {
  test(`kinora ${args.join(' ')}: wrong argument → one sentence, exit 2`, async (t) => {
    const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }
    const { status, output } = await runKinora(t, args, env).ended
    assert.match(output, message)
    assert.doesNotMatch(output, /cannot start with these settings/)
    assert.equal(status, 2)
  })
}

test('kinora backup: a target below a file → one sentence, exit 1', async (t) => {
  const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }
  const { status, output } = await runKinora(t, ['backup', path.join(import.meta.filename, 'films')], env).ended
  assert.match(output, /^A file or folder cannot be made: ENOTDIR: not a directory, mkdir '[^\n]+films'\n$/)
  assert.equal(status, 1)
})

test('kinora backup --list: a folder without backups → one sentence', async (t) => {
  const dir = temporaryDir(t)
  const env = { DATA_DIR: temporaryDir(t), DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }
  assert.deepEqual(await runKinora(t, ['backup', '--list', dir], env).ended, {
    status: 0,
    output: `There is no backup in ${dir}.\n`,
  })
})

test('kinora doctor: settings of systemd units and none in the environment → the documented line that has them', (t) => {
  const settings = path.join(temporaryDir(t), 'kinora.env')
  assert.equal(underSystemd('doctor', settings), null)
  writeFileSync(settings, '')
  const [sentence, line = ''] = underSystemd('doctor', settings)?.split('\n') ?? []
  assert.match(sentence ?? '', /^DATABASE_URL is not set here: .*Run as root:$/)
  const document = readFileSync(path.resolve(import.meta.dirname, '../../docs/deployment.md'), 'utf8')
  assert.ok(document.includes(line.replace(settings, '/etc/kinora/kinora.env')))
})
