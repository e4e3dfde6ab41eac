/** What users name: one rule at every operation that takes a name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanName } from '../../src/text/name.ts'
import { openKinora } from '../support/harness.ts'
import { openTeams } from '../support/teams.ts'

const kinora = await openKinora()
const { newTeam } = openTeams(kinora)
const { id, owner } = await newTeam({ credits: 0 })
let made = 0

/** Each sends a name, and returns the status and the name that is stored. */
const named: Record<string, (name: string) => Promise<[number, unknown]>> = {
  'sign-up': async (name) => {
    made += 1
    const body = { name, email: `person${made}@names.example`, password: 'correct horse battery' }
    const { status, text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
    return [status, JSON.parse(text).user?.name]
  },
  'update of a user': async (name) => {
    const { status } = await kinora.call('POST', '/api/auth/update-user', { as: owner, body: { name } })
    const session = await kinora.call('GET', '/api/auth/get-session', { as: owner })
    return [status, JSON.parse(session.text).user.name]
  },
  'a team': async (name) => {
    const { status, data } = await kinora.call('POST', '/api/v1/team', { as: owner, body: { name } })
    await kinora.app.sql`delete from kinora.team_member where team_id = ${String(data.id ?? id)} and team_id <> ${id}`
    return [status, data.name]
  },
  'a renamed team': async (name) => {
    const { status, data } = await kinora.call('PATCH', '/api/v1/team', {
      as: owner,
      headers: { 'x-team': id },
      body: { name },
    })
    return [status, data.name]
  },
  'a folder': async (name) => {
    const { status, data } = await kinora.call('POST', '/api/v1/video/folders', { as: owner, body: { name } })
    if (status === 200) await kinora.call('DELETE', `/api/v1/video/folders/${data.id}`, { as: owner })
    return [status, data.name]
  },
  'an API key': async (name) => {
    const { status, text } = await kinora.call('POST', '/api/auth/api-key/create', { as: owner, body: { name } })
    await kinora.app.sql`delete from public.apikey where "referenceId" = ${owner.userId}`
    return [status, JSON.parse(text).name]
  },
  'a key of a team': async (name) => {
    const headers = { 'x-team': id }
    const { status, data } = await kinora.call('POST', '/api/v1/team/keys', { as: owner, headers, body: { name } })
    await kinora.app.sql`delete from public.apikey where "referenceId" = ${id}`
    return [status, data.name]
  },
}

const invisible = {
  nothing: '   ',
  'a line break': 'a\nb',
  'a line separator': 'a\u2028b',
  'a control character': 'a\u0007b',
  'U+0000': 'a\0b',
  'a direction mark': 'a\u202eb',
  'an isolate': 'a\u2066b',
  'a zero-width space': 'a\u200bb',
  'a joiner of Latin letters': 'ad\u200cmin',
  'a joiner alone': '\u200d',
  'a variation selector': 'a\ufe0f',
  'a soft hyphen': 'a\u00adb',
  'a filler': '\u3164',
  'an empty Braille pattern': '\u2800',
  tags: 'a\u{e0041}',
  'a lone surrogate': 'a\ud83d',
  'private use': 'a\ue000',
  'a scheme': 'Log in at https://evil.example',
  'www.': 'WWW.evil.example',
}
const visible = {
  Chinese: '北方工作室',
  'Arabic, from right to left': 'استوديو الشمال',
  'Persian with ZWNJ': 'می\u200cخواهم',
  'Malayalam with ZWJ': 'അവന\u0d4d\u200d',
  'Hindi with ZWJ': 'क\u094d\u200dष',
  'a family': '👩‍👩‍👧',
  'emoji with a variation selector': 'I ❤️ films 1️⃣',
  'a flag of tags': '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  punctuation: 'O’Neil & Søn (St. Louis) – #1',
  'a domain, which mails take apart': 'Studio54.tv',
}

for (const [operation, send] of Object.entries(named)) {
  test(`400: ${operation}: characters without a look, or the beginning of a link → refused`, async () => {
    for (const [kind, name] of Object.entries(invisible)) assert.equal((await send(name))[0], 400, kind)
  })
  test(`200: ${operation}: names of all languages, with blanks around them → stored without these`, async () => {
    for (const [kind, name] of Object.entries(visible)) {
      const short = [...name].slice(0, 32).join('')
      assert.deepEqual(await send(`  ${short} `), [200, short.normalize('NFC')], kind)
    }
  })
}

test('409: a second folder whose name looks the same in another form of Unicode → refused', async () => {
  const create = (name: string) => kinora.call('POST', '/api/v1/video/folders', { as: owner, body: { name } })
  assert.deepEqual([(await create('Caf\u00e9')).status, (await create('Cafe\u0301')).status], [200, 409])
})

test('names of providers and programs: what is not visible → left out, a link loses its beginning, a long one its end', () => {
  assert.equal(cleanName(' Ann\r\n\u202eB\u200b ', 100), 'Ann B')
  assert.equal(cleanName('see https://www.evil.example', 100), 'see https  evil.example')
  assert.equal(cleanName('x'.repeat(200), 100).length, 100)
  assert.equal(cleanName('ab👩‍👩‍👧', 4), 'ab👩')
  for (const name of Object.values(invisible)) assert.match(cleanName(name, 100), /^(?!.*(:\/\/|www\.))[\P{C}]*$/u)
})
