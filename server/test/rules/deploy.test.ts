/** The files of deploy/, checked by the programs that read them; a check whose program is not installed is skipped. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { secretNames } from '../../settings.ts'
import { namesOf, settings } from '../../src/config/settings.ts'

const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))
/** Debian installs servers where only root has them on the path. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
const readText = (file: string) => readFileSync(path.join(deploy, file), 'utf8')

/** @returns the reason to skip a test, or false */
const without = (program: string): string | false =>
  spawnSync(program, ['-v'], { env }).error ? `${program} is not installed` : false

/** @returns what is printed when it fails, else '' */
function problemOf(program: string, args: string[], cwd = deploy): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return status === 0 ? '' : `${stdout}${stderr}`
}

test('alerts.yaml: promtool → the rules are valid, and fire when they should', { skip: without('promtool') }, () => {
  const folder = path.join(deploy, 'observability')
  assert.equal(problemOf('promtool', ['check', 'rules', 'alerts.yaml'], folder), '')
  assert.equal(problemOf('promtool', ['test', 'rules', 'alerts.test.yaml'], folder), '')
})

test('alerts.yaml: every rule → has a case in alerts.test.yaml', () => {
  const rules = readText('observability/alerts.yaml').match(/(?<=alert: )\w+/g) ?? []
  const tested = new Set(readText('observability/alerts.test.yaml').match(/(?<=alertname: )\w+/g))
  assert.ok(rules.length >= 14)
  assert.deepEqual(
    rules.filter((rule) => !tested.has(rule)),
    [],
  )
})

test('grafana.json, values.schema.json, YAML: parsed → well-formed', () => {
  assert.ok(JSON.parse(readText('observability/grafana.json')).panels.length > 5)
  for (const file of [
    'compose.yaml',
    'citus/compose.yaml',
    'helm/kinora/Chart.yaml',
    'helm/kinora/values.yaml',
    'ha/patroni.yml',
  ]) {
    assert.equal(typeof parse(readText(file), { merge: true }), 'object', file)
  }
})

test('Helm chart: values.schema.json → takes the values with three more, refuses a secret and a place without a bucket', () => {
  const schema = JSON.parse(readText('helm/kinora/values.schema.json'))
  const accepts = new Ajv().compile(schema)
  const values = parse(readText('helm/kinora/values.yaml'))
  const given = {
    ...values,
    publicUrl: 'https://films.example.com',
    existingSecret: 'kinora',
    settings: { ...values.settings, S3_BUCKET: 'films' },
  }
  assert.equal(accepts(given), true, JSON.stringify(accepts.errors))
  const refused = (change: object) => assert.equal(accepts({ ...given, ...change }), false, JSON.stringify(change))
  const catalogue = { models: { 'my-model-2.5': '{}' }, providers: '{}', plans: '' }
  assert.equal(accepts({ ...given, catalogue }), true)
  refused({ catalogue: { models: { 'my-model': {} } } })
  refused({ settings: values.settings })
  refused({ publicUrl: 'http://films.example.com' })
  refused({ backup: { enabled: true, schedule: 'nightly' } })
  assert.equal(schema.properties.settings.propertyNames.not.pattern, secretNames(), 'run npm run settings')
  refused({ settings: { ...given.settings, MY_SECRET: 'x' } })
  const secrets = Object.entries(settings).flatMap(([name, { secret }]) => (secret ? namesOf(name) : []))
  assert.ok(secrets.length > 20)
  for (const name of secrets) refused({ settings: { ...given.settings, [name.replace(/<\w+>/, 'A')]: 'x' } })
})

test('deploy/ha: haproxy -c → valid', { skip: without('haproxy') }, () => {
  assert.equal(problemOf('haproxy', ['-c', '-q', '-f', 'ha/haproxy.cfg']), '')
})

test('compose.yaml: its services → run the image of a release or of the Containerfile with a read-only root and no capability', () => {
  const { services } = parse(readText('compose.yaml'), { merge: true })
  const own = Object.entries<Record<string, unknown>>(services).filter(([, { image }]) =>
    String(image).includes('KINORA_IMAGE'),
  )
  assert.deepEqual(
    own.map(([name]) => name),
    ['api', 'worker', 'backup', 'verify'],
  )
  const catalogueDir = /\bCATALOGUE_DIR=(\S+)/.exec(readText('Containerfile'))?.[1]
  for (const [name, { read_only: readOnly, cap_drop: dropped, environment, volumes }] of own) {
    assert.deepEqual([readOnly, dropped], [true, ['ALL']], name)
    assert.ok((volumes as string[]).includes(`./catalogue:${catalogueDir}:ro`), name)
    assert.match(JSON.stringify(environment), /"DATABASE_URL":"postgres:\/\/kinora:/, name)
  }
})

test('systemd: systemd-analyze verify → no complaint about a unit', { skip: without('systemd-analyze') }, () => {
  const units = readdirSync(path.join(deploy, 'systemd')).filter((name) => /\.(service|timer)$/.test(name))
  assert.ok(units.length >= 8)
  // The program of ExecStart is not installed where this runs.
  const { stderr } = spawnSync(
    'systemd-analyze',
    ['verify', ...units.map((name) => path.join(deploy, 'systemd', name.replace('@.', '@1.')))],
    {
      encoding: 'utf8',
    },
  )
  const complaints = stderr
    .split('\n')
    .filter((line) => line.includes('kinora') && !/not executable|No such file/.test(line))
  assert.deepEqual(complaints, [])
})

test('Helm chart: helm template → renders every kind of object', { skip: without('helm') }, () => {
  const values = ['publicUrl=https://films.example.com', 'existingSecret=kinora', 'settings.S3_BUCKET=films']
  const backup = ['settings.BACKUP_TO=s3://backups/kinora', 'backup.enabled=true']
  const catalogue = ['catalogue.models.my-model={}', 'catalogue.plans={}']
  const args = ['template', 'films', 'helm/kinora', '--set', [...values, ...backup, ...catalogue].join()]
  const { stdout, stderr } = spawnSync('helm', args, { cwd: deploy, encoding: 'utf8' })
  assert.match(stdout, /kind: CronJob/, stderr)
  assert.match(stdout, /path: models\/my-model\.json/)
})
