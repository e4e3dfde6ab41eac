/** Names that look like a setting, and addresses that cannot be one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { misspeltSettings } from '../../src/config/misspelt-settings.ts'

const parts = ['A', 'FAL', 'REPLICATE']
const problemsOf = (...names: string[]) =>
  misspeltSettings(Object.fromEntries(names.map((name) => [name, 'a value'])), parts)

test('settings: a misspelt name → a sentence with the nearest one, without the value', () => {
  const of = (name: string, meant: string) =>
    assert.deepEqual(problemsOf(name), [`${name} is no setting, and has no effect: ${meant} may be meant`])
  of('MAX_IN_PROGES', 'MAX_IN_PROGRESS')
  of('S3_BUKCET', 'S3_BUCKET')
  of('AUTH_SECERT_FILE', 'AUTH_SECRET_FILE')
  of('PROVIDER_FAL_APIKEY', 'PROVIDER_FAL_API_KEY')
  of('PAYMENT_A_WEBHOOK_SECRETS', 'PAYMENT_A_WEBHOOK_SECRET')
  of('OIDC_OKTA_ISUER', 'OIDC_OKTA_ISSUER')
})

test('settings: an account that there is not → the nearest one', () => {
  assert.deepEqual(problemsOf('PROVIDER_REPLICAT_API_KEY'), [
    'PROVIDER_REPLICAT_API_KEY is of no account, and has no effect: PROVIDER_REPLICATE_API_KEY may be meant',
  ])
  assert.match(problemsOf('PROVIDER_NONE_API_KEY').join(), /catalogue\/providers\.json has the accounts/)
})

test('settings: right names and those of other programs → nothing', () => {
  const right = [
    'MAX_IN_PROGRESS',
    'PROVIDER_A_URL',
    'PROVIDER_FAL_API_KEY_FILE',
    'PROVIDER_SIMULATOR_URL',
    'BACKUP_S3_REGION',
  ]
  const others = [
    'PATH',
    'HOME',
    'HOSTNAME',
    'PGHOST',
    'NODE_ENV',
    'LOGNAME',
    'SHELL',
    'KUBERNETES_SERVICE_HOST',
    'PWD',
    'TZ',
    'DATABASE',
  ]
  assert.deepEqual(problemsOf(...right, ...others), [])
})

test('settings: PUBLIC_URL with a path → refused with the reason', () => {
  const read = (PUBLIC_URL: string) => () =>
    readConfig({ PUBLIC_URL, DATABASE_URL: 'postgres://a@b/c', AUTH_SECRET: 'a' }, [])
  assert.throws(
    read('https://example.com/kinora'),
    /PUBLIC_URL must be an http\(s\) URL without a path.+at the root of a host/,
  )
  assert.throws(read('example.com'), /PUBLIC_URL must be an http\(s\) URL without a path, not "example.com"/)
  assert.equal(read('https://example.com/')().publicUrl, 'https://example.com')
})
