/** Settings that a production service refuses to start with: all problems at once, each with what to do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'

const good = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://kinora:Vw3xPz8LmQ2rT6yA@db.example/kinora',
  PUBLIC_URL: 'https://films.example',
  AUTH_SECRET: '4Nf0cUqkWbYh1pG7sTzVxR2eJm9LaD5i',
  AI_CALLBACK_SECRET: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c',
  PAYMENT_B_API_KEY: 'sk_live_key',
  PAYMENT_B_WEBHOOK_SECRET: 'whsec_Zk4TnQ9vLr2XcB7mWdY0pHsJ5gA8uEf3',
  ADMIN_EMAIL: 'root@films.example',
  ADMIN_PASSWORD: 'tafo-muki-rezu-lapo',
}

function problemsOf(change: Record<string, string>): string[] {
  try {
    readConfig({ ...good, ...change }, [])
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('production: valid settings → none refused; development → the checks do not apply', () => {
  assert.deepEqual(problemsOf({}), [])
  assert.deepEqual(
    problemsOf({ NODE_ENV: '', PUBLIC_URL: 'http://films.example', AUTH_SECRET: 'a', AI_CALLBACK_SECRET: 'a' }),
    [],
  )
})

test('production: PUBLIC_URL over http → refused, unless its host is this machine', () => {
  for (const PUBLIC_URL of [
    'http://films.example',
    'HTTP://films.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.7:8080',
    'http://0.0.0.0:8080',
    'http://[::ffff:127.0.0.1]',
  ]) {
    const problems = problemsOf({ PUBLIC_URL })
    assert.equal(problems.length, 1, PUBLIC_URL)
    assert.match(
      problems[0] ?? '',
      /^PUBLIC_URL must begin with https:\/\/ in production, .*put a proxy with TLS in front/,
    )
  }
  for (const PUBLIC_URL of [
    '',
    'http://localhost',
    'http://LOCALHOST:8080',
    'http://app.localhost',
    'http://127.0.0.2',
    'http://[::1]:1',
  ])
    assert.deepEqual(problemsOf({ PUBLIC_URL }), [], PUBLIC_URL)
})

test('production: a secret twice → refused with both names', () => {
  const same = good.AUTH_SECRET
  const cases: [Record<string, string>, RegExp][] = [
    [{ AI_CALLBACK_SECRET: same }, /^AUTH_SECRET and AI_CALLBACK_SECRET are the same.*make one for each with: openssl/],
    [{ AI_CALLBACK_SECRET: ` ${same} ` }, /^AUTH_SECRET and AI_CALLBACK_SECRET are the same/],
    [{ PAYMENT_B_WEBHOOK_SECRET: same }, /^AUTH_SECRET and PAYMENT_B_WEBHOOK_SECRET are/],
    [{ PROVIDER_B_WEBHOOK_KEY: same }, /^AUTH_SECRET and PROVIDER_B_WEBHOOK_KEY are/],
    [{ PROVIDER_A_API_KEY: same }, /^AUTH_SECRET and PROVIDER_A_API_KEY are/],
    [{ S3_SECRET_ACCESS_KEY: same }, /^AUTH_SECRET and S3_SECRET_ACCESS_KEY are/],
    [{ BACKUP_S3_SECRET_ACCESS_KEY: same }, /^AUTH_SECRET and BACKUP_S3_SECRET_ACCESS_KEY are/],
    [
      { CAPTCHA_PROVIDER: 'hcaptcha', CAPTCHA_SITE_KEY: 'key', CAPTCHA_SECRET: same },
      /^AUTH_SECRET and CAPTCHA_SECRET are/,
    ],
    [{ ADMIN_PASSWORD: same }, /^AUTH_SECRET and ADMIN_PASSWORD are/],
    [
      { DATABASE_URL: `postgres://kinora:${same}@db.example/kinora` },
      /^AUTH_SECRET and the password in DATABASE_URL are/,
    ],
    [
      { DATABASE_URL_DIRECT: `postgres://owner:${same}@db.example/kinora` },
      /^AUTH_SECRET and the password in DATABASE_URL_DIRECT are/,
    ],
  ]
  for (const [change, message] of cases) {
    const problems = problemsOf(change)
    assert.equal(problems.length, 1, JSON.stringify(problems))
    assert.match(problems[0] ?? '', message)
    assert.ok(!problems[0]?.includes(same), 'no secret is printed')
  }
  // One role behind a pooler and beside it; one account may serve two providers.
  assert.deepEqual(problemsOf({ DATABASE_URL_DIRECT: good.DATABASE_URL }), [])
  assert.deepEqual(problemsOf({ PROVIDER_A_API_KEY: 'key', PROVIDER_B_API_KEY: 'key' }), [])
})

test('production: a secret of words, repetitions or sequences → refused; a random one → accepted', () => {
  for (const AUTH_SECRET of [
    'changeme-changeme-changeme',
    'a'.repeat(40),
    '123456789012345678901234',
    '0123456789abcdef0123456789abcdef',
    'abcdefghijklmnopqrstuvwxyz',
    'this is my secret password',
    'test auth secret of thirty-two bytes',
    'your-secret-key-at-least-24-bytes',
    'YourSuperSecretKeyHere1234567890',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    'P@ssw0rdP@ssw0rdP@ssw0rd!',
  ]) {
    const problems = problemsOf({ AUTH_SECRET })
    assert.equal(problems.length, 1, AUTH_SECRET)
    assert.match(problems[0] ?? '', /^AUTH_SECRET is easy to guess, .*make one with: openssl rand -base64 32$/)
  }
  for (const AUTH_SECRET of [
    'b1946ac92492d2347c6235b4d2611184b1946ac92492d234',
    'dGhJ8kq+/2Yv0LmZ4wXc7RtB1nQeUoPfAsVhKi3yWgE=',
    '0198f2c4-7d1b-7c33-9e4a-5b6f8a0d2e71',
    'orbit-velvet-cactus-jumble-ferry-mango-tunic-ashes-prism',
  ])
    assert.deepEqual(problemsOf({ AUTH_SECRET }), [], AUTH_SECRET)
})

test('production: ADMIN_PASSWORD that is easy to guess → refused', () => {
  for (const ADMIN_PASSWORD of ['password1234', 'aaaaaaaaaaaa', 'qwertyuiop12', '123456789012'])
    assert.match(problemsOf({ ADMIN_PASSWORD })[0] ?? '', /^ADMIN_PASSWORD is easy to guess/)
})

test('production: several problems → all of them in one message', () => {
  const change = {
    PUBLIC_URL: 'http://films.example',
    AUTH_SECRET: 'short',
    AI_CALLBACK_SECRET: 'a'.repeat(30),
    PORT: 'x',
  }
  const problems = problemsOf({ ...change, PAYMENT_B_WEBHOOK_SECRET: 'a'.repeat(30) })
  for (const name of ['PORT', 'PUBLIC_URL', 'AUTH_SECRET', 'AI_CALLBACK_SECRET', 'PAYMENT_B_WEBHOOK_SECRET'])
    assert.ok(
      problems.some((problem) => problem.startsWith(name)),
      `${name}: ${problems.join('\n')}`,
    )
  assert.ok(
    problems.some(
      (problem) =>
        problem.includes('AI_CALLBACK_SECRET and PAYMENT_B_WEBHOOK_SECRET are the same') ||
        problem.includes('PAYMENT_B_WEBHOOK_SECRET and AI_CALLBACK_SECRET are the same'),
    ),
  )
})
