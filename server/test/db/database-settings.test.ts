/** DATABASE_URL: which addresses a start takes, and what it says of the others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { runOn } from '../support/processes.ts'

const settings = { AUTH_SECRET: 'a', AI_CALLBACK_SECRET: 'b' }

function problemsOf(DATABASE_URL: string, change: Record<string, string> = {}): string[] {
  try {
    readConfig({ ...settings, DATABASE_URL, ...change }, [])
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('DATABASE_URL: one host over TCP, with every sslmode of libpq → taken', () => {
  for (const url of [
    'postgres://u@h/db',
    'postgresql://u:p%40s,s%25@db.example:6432/db?sslmode=verify-full',
    'postgres://u@h/db?sslmode=disable&connect_timeout=3',
    'postgres://u@h',
    'postgres:///db',
    ...['allow', 'prefer', 'require', 'verify-ca'].map((mode) => `postgres://u@h/db?sslmode=${mode}`),
  ])
    assert.deepEqual(problemsOf(url), [], url)
})

test('DATABASE_URL: several hosts → refused, with what to do; the direct address too', () => {
  for (const url of [
    'postgres://u@h1,h2/db',
    'postgresql://u:secret@h1:5432,h2:5433/db?sslmode=require',
    'postgres://h1,h2',
  ]) {
    assert.match(
      problemsOf(url).join(),
      /^DATABASE_URL names several hosts, .*HAProxy.*docs\/high-availability\.md$/,
      url,
    )
    assert.match(
      problemsOf('postgres://u@h/db', { DATABASE_URL_DIRECT: url }).join(),
      /^DATABASE_URL_DIRECT names several hosts, /,
    )
  }
})

test('DATABASE_URL: an address that the driver takes for another one → refused, its password is not quoted', () => {
  const refused: [string, RegExp][] = [
    ['mysql://u:secret@h/db', /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/$/],
    ['postgres://u:secret%zz@h/db', /^DATABASE_URL is not a valid address: percent-encode .* write % as %25/],
    ['postgres://u:12secret@34@h/db', /^DATABASE_URL has an @, .*: percent-encode user and password: .*@ as %40$/],
    ['postgres://u:secret@h1,h2@h/db', /^DATABASE_URL has an @, .*: percent-encode/],
    ['postgres://u:secret/s@h/db', /^DATABASE_URL has an @, .*: percent-encode .*\/ as %2F/],
    ['postgres://u:12/secret@h/db', /^DATABASE_URL has an @, .*: percent-encode/],
    ['postgres://u:12?secret@h/db', /^DATABASE_URL has an @, .*: percent-encode/],
    ['postgres://u:secret#s@h/db', /^DATABASE_URL has an @, .*: percent-encode/],
    ['postgres://u:secret@h:99999/db', /a port is at most 65535$/],
    ['postgres://u:secret@[::1]:5432/db', /^DATABASE_URL has an IPv6 address, .*give its host a name$/],
    ['postgres://u:secret@%2Fvar%2Frun%2Fpostgresql/db', /^DATABASE_URL leads to a Unix socket, .*over TCP/],
    ['postgres:///db?host=/var/run/postgresql', /^DATABASE_URL leads to a Unix socket, .*over TCP/],
    ['postgres://u:secret@h/db?port=5433', /^DATABASE_URL has the parameter port: put it into postgres:/],
    ['postgres://u:secret@h/db?sslmode=disabled', /^DATABASE_URL has an sslmode that is none of disable, allow, /],
  ]
  for (const [url, problem] of refused) {
    const problems = problemsOf(url)
    assert.equal(problems.length, 1, url)
    assert.match(problems[0] ?? '', problem)
    assert.doesNotMatch(problems[0] ?? '', /secret/)
  }
})

test('commands: DATABASE_URL with several hosts → each ends at once and names it', async () => {
  const ends: [string, number][] = [
    ['api', 1],
    ['worker', 1],
    ['migrate', 1],
    ['backup', 1],
    ['verify', 2],
    ['doctor', 1],
  ]
  for (const [command, status] of ends) {
    const ended = await runOn('postgres://u@127.0.0.1:1,127.0.0.1:2/db', [command])
    assert.equal(ended.status, status, `${command}: ${ended.output}`)
    assert.match(ended.output, /DATABASE_URL names several hosts/, command)
  }
})
