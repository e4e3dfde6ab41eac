/** Secrets from files, and what stays in the environment. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { wipeSecrets } from '../../src/config/setting-reader.ts'
import { accounts } from '../../src/provider/accounts.ts'

const dir = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(dir, { recursive: true }))

const file = (name: string, content: string) => {
  writeFileSync(path.join(dir, name), content)
  return path.join(dir, name)
}
const settings = {
  DATABASE_URL: 'postgres://service:secret@127.0.0.1/kinora',
  AUTH_SECRET: 'an auth secret of thirty-two bytes',
  AI_CALLBACK_SECRET: 'a callback secret of thirty-two bytes',
  PROVIDER_A_URL: 'https://provider-a.example',
  PROVIDER_B_URL: 'https://provider-b.example',
}
const read = (env: Record<string, string | undefined>) => readConfig(env, accounts())

test('settings: AUTH_SECRET_FILE and others → the content of the files, without the line break', () => {
  const config = read({
    ...settings,
    AUTH_SECRET: undefined,
    AUTH_SECRET_FILE: file('auth', 'a secret from a file of enough bytes\n'),
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: file('database', 'postgres://other@127.0.0.1/kinora\n'),
    PROVIDER_A_API_KEY_FILE: file('key', 'key-a\n'),
  })
  assert.equal(config.authSecret, 'a secret from a file of enough bytes')
  assert.equal(config.databaseUrl, 'postgres://other@127.0.0.1/kinora')
  assert.equal(config.databaseUrlDirect, config.databaseUrl)
  assert.equal(config.providers['provider-a']?.apiKey, 'key-a')
})

test('settings: missing or empty file, or the setting beside its file → each problem is named', () => {
  const env = {
    ...settings,
    AUTH_SECRET_FILE: file('auth', 'another'),
    AI_CALLBACK_SECRET: undefined,
    AI_CALLBACK_SECRET_FILE: path.join(dir, 'none'),
    PROVIDER_A_API_KEY_FILE: file('empty', '\n'),
  }
  assert.throws(
    () => read(env),
    ({ message }: Error) =>
      /AUTH_SECRET and AUTH_SECRET_FILE are both set/.test(message) &&
      /AI_CALLBACK_SECRET_FILE: the file .* cannot be read \(ENOENT\)/.test(message) &&
      /PROVIDER_A_API_KEY_FILE: the file .* is empty/.test(message),
  )
})

test('settings: DATABASE_URL_DIRECT → for migrations only', () => {
  const config = read({ ...settings, DATABASE_URL_DIRECT: 'postgres://owner:other@127.0.0.1/kinora' })
  assert.equal(config.databaseUrl, settings.DATABASE_URL)
  assert.equal(config.databaseUrlDirect, 'postgres://owner:other@127.0.0.1/kinora')
  assert.throws(() => read({ ...settings, DATABASE_URL_DIRECT: 'mysql://x' }), /DATABASE_URL_DIRECT must start with/)
})

test('environment: settings are read → secrets are removed, the rest stays', () => {
  const env: Record<string, string | undefined> = {
    ...settings,
    S3_SECRET_ACCESS_KEY: 'x',
    PAYMENT_B_WEBHOOK_SECRET: 'x',
    PROVIDER_B_API_KEY: 'x',
    ADMIN_PASSWORD: 'x',
    PORT: '8080',
  }
  wipeSecrets(env)
  assert.deepEqual(Object.keys(env).sort(), ['PORT', 'PROVIDER_A_URL', 'PROVIDER_B_URL'])
})
