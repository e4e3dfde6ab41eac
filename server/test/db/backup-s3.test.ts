// slow
/** `kinora backup s3://bucket/prefix`, and a restore from there, as real processes. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readConfig } from '../../src/config/config.ts'
import { openS3 } from '../../src/storage/s3.ts'
import { emptyDatabase } from '../support/empty-database.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'
import { openS3Server } from '../support/s3-server.ts'

const kinora = await openKinora()
const s3 = await openS3Server()
after(s3.close)
const PREFIX = 's3://backups/kinora'
const env = { ...s3.env('BACKUP_'), BACKUP_TO: PREFIX, BACKUP_KEEP: '2' }
const names = () => [...s3.objects.keys()].map((key) => key.replace('backups/kinora/', '')).sort()

test('kinora backup: s3://bucket/prefix by settings → a whole object, the newest two are kept, others are left alone', async () => {
  await kinora.generate(await kinora.person())
  for (const name of ['2025-01-01', '2025-01-02', '2025-01-03']) {
    s3.objects.set(`backups/kinora/kinora-${name}T00-00-00Z.backup`, Buffer.from('old'))
  }
  s3.objects.set('backups/kinora/other/kinora-2025-01-01T00-00-00Z.backup', Buffer.from('not listed'))
  s3.objects.set('backups/kinora/mine.txt', Buffer.from('mine'))
  const { status, output } = await runCommand(kinora, ['backup'], env)
  assert.equal(status, 0, output)
  assert.match(
    output,
    /^s3:\/\/backups\/kinora\/kinora-20\S+Z\.backup: \d+ tables, \d+ rows, 0 files listed, \d+ bytes\.$/m,
  )
  assert.match(output, /2025-01-01T00-00-00Z\.backup is removed: 2 are kept/)
  const [old, made, ...rest] = names()
  assert.equal(old, 'kinora-2025-01-03T00-00-00Z.backup')
  assert.deepEqual(rest, ['mine.txt', 'other/kinora-2025-01-01T00-00-00Z.backup'])
  const content = s3.objects.get(`backups/kinora/${made}`) ?? assert.fail()
  assert.match(gunzipSync(content).toString(), /^-- kinora-backup .*\n-- end \{[^\n]+\}\n$/s)
  const listed = await runCommand(kinora, ['backup', '--list'], env)
  assert.deepEqual(listed.output.match(/kinora-\S+\.backup {2}\d+ bytes/g)?.length, 2)
})

test('kinora restore --latest: a prefix in S3 → the newest backup, restored and verified', async () => {
  const url = await emptyDatabase()
  const refused = await runCommand(kinora, ['restore', PREFIX], { ...env, DATABASE_URL: url })
  assert.equal(refused.status, 2)
  assert.match(refused.output, /name one backup, or add --latest/)
  const { status, output } = await runCommand(kinora, ['restore', '--latest', PREFIX], {
    ...env,
    DATABASE_URL: url,
  })
  assert.equal(status, 0, output)
  assert.match(output, /Restoring s3:\/\/backups\/kinora\/kinora-20\S+Z\.backup …/)
  assert.match(output, /The books are right/)
})

test('kinora backup: storage that fails, no keys, wrong address → status, one sentence, no object', async () => {
  const before = names()
  s3.failOnce('PUT', 403)
  const failed = await runCommand(kinora, ['backup'], env)
  assert.equal(failed.status, 1)
  assert.deepEqual(names(), before)
  assert.equal(s3.uploads.size, 0)
  const keyless = await runCommand(kinora, ['backup', PREFIX])
  assert.deepEqual([keyless.status, keyless.output.match(/Set S3_ACCESS_KEY_ID/)?.length], [2, 1])
  assert.equal((await runCommand(kinora, ['backup', 's3:nowhere'], env)).status, 2)
})

test('FILES_URL: links to films → lead to the CDN; without a bucket, or with a path → refused at the start', async () => {
  const { S3_ENDPOINT: endpoint = '' } = s3.env()
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const filesUrl = 'https://cdn.example.com'
  const storage = openS3({ bucket: 'films', endpoint, region: 'us-east-1', forcePathStyle: true, filesUrl, ...keys })
  const read = { method: 'GET', contentType: 'video/mp4', ttlS: 300 } as const
  const located = await storage.locate('video/u1/a.mp4', read)
  assert.match(
    located.kind === 'redirect' ? located.url : '',
    /^https:\/\/cdn\.example\.com\/films\/video\/u1\/a\.mp4\?.*Date=\d{8}T\d{4}00Z/,
  )
  const { searchParams } = new URL(located.kind === 'redirect' ? located.url : '')
  assert.equal(searchParams.get('X-Amz-Expires'), '360', 'as long as was asked for, at any second of the minute')
  assert.equal(await storage.origin(), filesUrl)
  await storage.close()
  const problem = (change: object) =>
    assert.throws(() => readConfig({ FILES_URL: filesUrl, ...change }, []), /FILES_URL/)
  problem({})
  problem({ ...s3.env(), S3_BUCKET: 'films', FILES_URL: `${filesUrl}/films` })
})

test('S3: a film above 64 MB → uploaded in parts with an MD5 each, the same bytes', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const film = Buffer.alloc(65 * 1024 * 1024, randomBytes(1021))
  const file = path.join(folder, 'film')
  writeFileSync(file, film)
  const { S3_ENDPOINT: endpoint = '' } = s3.env()
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const storage = openS3({ bucket: 'films', endpoint, region: 'us-east-1', forcePathStyle: true, ...keys })
  t.after(storage.close)
  const before = s3.parts()
  await storage.put('video/u1/large.mp4', file, 'video/mp4')
  assert.equal(s3.parts() - before, 9)
  assert.ok(s3.objects.get('films/video/u1/large.mp4')?.equals(film))
})
