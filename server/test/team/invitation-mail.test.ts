/** Invitations where mail is set up: who may cause one, its look, and what proves the invited address. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dispatchMailOnce } from '../../src/mail/dispatcher.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { openMailServer } from '../support/mail-server.ts'
import { openTeams } from '../support/teams.ts'

const smtp = await openMailServer()
const kinora = await openKinora({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Kinora <no-reply@example.com>' } })
after(() => smtp.close())
const { sql } = kinora.app
const { newTeam, call } = openTeams(kinora)

const verify = (...people: Person[]) =>
  sql`update public."user" set "emailVerified" = true where id = any(${people.map(({ userId }) => userId)})`
const invite = (person: Person, id: string, email: string, role = 'admin') =>
  call<{ link: string }>(person, id, 'POST', '/api/v1/team/invitations', { email, role })
const tokenOf = (text: string) => /#team-invitation=([\w-]+)/.exec(text)?.[1] ?? assert.fail('no link')
const post = (as: Person, operation: string, token: string) =>
  kinora.call('POST', `/api/v1/team/invitations/${operation}`, { as, body: { token } })
const mailTo = async (email: string) => {
  await dispatchMailOnce(kinora.app)
  return smtp.to(email).at(-1) ?? assert.fail('no mail')
}
const reasonOf = ({ error }: { error?: { details?: unknown } | undefined }) =>
  (error?.details as { reason?: string })?.reason

test('403: an inviter whose address is not verified → no invitation and no mail', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const refused = await invite(owner, id, 'stranger@example.com')
  assert.deepEqual([refused.status, reasonOf(refused)], [403, 'email_not_verified'])
  await dispatchMailOnce(kinora.app)
  assert.equal(smtp.to('stranger@example.com').length, 0)
  assert.equal((await sql`select from kinora.team_invitation where team_id = ${id}`).length, 0)
  await verify(owner)
  assert.equal((await invite(owner, id, 'stranger@example.com')).status, 200)
})

test('403: the link that the inviter sees, for an account that has not verified its address → refused until it has', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await kinora.person({ credits: 0 })
  await verify(owner)
  const token = tokenOf((await invite(owner, id, ben.email)).data.link)
  const forged = token + token
  for (const sent of [token, forged]) {
    for (const operation of ['open', 'accept']) {
      const refused = await post(ben, operation, sent)
      assert.deepEqual([refused.status, reasonOf(refused)], [403, 'email_not_verified'], operation)
    }
  }
  assert.equal((await sql`select from kinora.team_member where team_id = ${id}`).length, 1)
  await verify(ben)
  assert.equal((await post(ben, 'accept', token)).status, 200)
})

test('200: the link of the mail → proves the address of an account that has not verified it, and of no other', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const [ben, eve] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  await verify(owner)
  const shown = tokenOf((await invite(owner, id, ben.email)).data.link)
  const mailed = tokenOf((await mailTo(ben.email)).text)
  assert.ok(mailed.startsWith(shown) && mailed !== shown)
  assert.equal((await post(eve, 'accept', mailed)).status, 404)
  assert.equal((await post(ben, 'open', mailed)).status, 200)
  assert.equal((await post(ben, 'accept', mailed)).status, 200)
})

/** What mail programs make links of: a scheme, a domain, an e-mail address. */
const linkLike = /[\p{L}\d]:\S|\S[.\u3002\uff0e\uff61][\p{L}\p{M}]|@\S|www\./u

test('mail: names of team and inviter that look like addresses → no link but the invitation’s, in text and HTML', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  await verify(owner)
  for (const name of [
    'evil.example',
    'log in at evil.example/a',
    'ann@evil.example',
    'mailto:x',
    'бад.рф',
    'a。com',
    'St.Louis',
  ]) {
    await sql`update kinora.team set name = ${name} where id = ${id}`
    await sql`update public."user" set name = ${name} where id = ${owner.userId}`
    const email = `ben${Math.random()}@example.com`
    assert.equal((await invite(owner, id, email)).status, 200)
    const { text, html } = await mailTo(email)
    const words = text.replace(/http:\/\/\S+#team-invitation=\S+/, '').replaceAll('Kinora: ', '')
    assert.equal(linkLike.exec(words)?.[0], undefined, words)
    const seen = html.replace(/^[\s\S]*<h1/, '<h1').replace(/<[^>]*>/g, ' ')
    assert.equal(linkLike.exec(seen)?.[0], undefined, seen)
    assert.equal(html.match(/href=/g)?.length, 1)
  }
  assert.match((await mailTo(smtp.received.at(-1)?.to ?? '')).text, /\nTeam: St\. Louis\nInvited by: St\. Louis\n/)
})
