/** The outbox of mail, through a real SMTP server: notices, unsubscribe, retries, a crash, the administrators' list. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { notifyExpiring } from '../../src/credit/notices.ts'
import { compose } from '../../src/mail/compose.ts'
import { dispatchMailOnce, expireMail } from '../../src/mail/dispatcher.ts'
import { accountKinds, NOTICES } from '../../src/mail/kinds.ts'
import { enqueueMail } from '../../src/mail/outbox.ts'
import { FAILURE_REASONS } from '../support/failure-reasons.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { openMailServer } from '../support/mail-server.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { eventB, newName, startOfToday, subscriptionB } from '../support/payment/payment-events.ts'
import { startProcess } from '../support/processes.ts'
import { addMember } from '../support/teams.ts'
import { waitFor } from '../support/video-row.ts'

let smtp = await openMailServer()
const env = { SMTP_URL: smtp.url, MAIL_FROM: 'Kinora <no-reply@example.com>' }
const kinora = await openKinora({ env: { ...paymentEnv, ...env } })
after(() => smtp.close())
const { app } = kinora
const HOUR_MS = 3_600_000

type Item = {
  id: string
  to: string
  status: string
  attempts: number
  response: string | null
  subject: string
  canRetry: boolean
}

async function verified(credits = 60): Promise<Person> {
  const ann = await kinora.person({ credits })
  await app.sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  return ann
}
const admin = await kinora.person({ role: 'admin', credits: 0 })
const mails = async (query = '') =>
  (await kinora.call<{ mails: Item[]; nextCursor: string | null }>('GET', `/api/v1/admin/mails${query}`, { as: admin }))
    .data
const mailOf = async (id: string) =>
  (await kinora.call<Item & { text: string }>('GET', `/api/v1/admin/mails/${id}`, { as: admin })).data
/** A message that is due. @returns its id */
async function enqueue(to: Person): Promise<string> {
  const data = { at: app.now().toISOString(), address: '192.0.2.1', userAgent: 'test' }
  await enqueueMail(app, { kind: 'sign-in.new', userId: to.userId, to: to.email, data })
  const [row] = await app.sql<{ id: string }[]>`select id from kinora.mail where user_id = ${to.userId}`
  return row?.id ?? assert.fail('the outbox has no mail')
}
const subjects = (to: Person) => smtp.to(to.email).map(({ headers }) => headers.get('subject'))
const alert = (as: Person, below: number) => kinora.call('PUT', '/api/v1/credit/alert', { as, body: { below } })

test('mail: credits fall below the threshold → one mail for each crossing, to a verified address only', async () => {
  const ann = await verified()
  const bob = await kinora.person()
  for (const each of [ann, bob]) {
    await alert(each, 50)
    await kinora.generate(each)
    await kinora.generate(each)
  }
  await kinora.grant(ann, 40)
  await kinora.generate(ann)
  await dispatchMailOnce(app)
  assert.deepEqual([subjects(ann), subjects(bob)], [['Your Kinora credits are running low'], []])
  await kinora.generate(ann)
  await kinora.generate(ann)
  await dispatchMailOnce(app)
  assert.equal(subjects(ann).length, 2)
  const [mail] = smtp.to(ann.email)
  assert.ok(mail)
  assert.ok(mail.text.startsWith('44 credits left\n\nYou asked for a mail when fewer than 50 credits'))
  assert.ok(mail.html.includes('>44 credits left</h1>'))
  assert.match(mail.headers.get('message-id') ?? '', /^<[0-9a-f-]{36}@example\.com>$/)
})

test('mail: notices of a team → to each owner who wants them, in the owner’s language, with the team’s name and link, once', async () => {
  const [ann, bea, cleo] = [await verified(), await verified(), await verified()]
  const { data: team } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: ann, body: { name: 'North' } })
  for (const each of [bea, cleo]) await addMember(app, team.id, each, each === bea ? 'owner' : 'admin')
  const call = (method: string, path: string, body: object) =>
    kinora.call(method, path, { as: ann, body, headers: { 'x-team': team.id } })
  await app.sql`update public."user" set "language" = 'zh-Hans' where id = ${bea.userId}`
  const { status } = await kinora.call('PUT', '/api/v1/account/notices', {
    as: bea,
    body: { 'credit.expiring': false },
  })
  assert.equal(status, 200)
  await kinora.grant({ ...ann, userId: team.id }, 60, 5)
  await call('PUT', '/api/v1/credit/alert', { below: 50 })
  assert.equal((await call('POST', '/api/v1/video/generate', generateBody)).status, 200)
  await notifyExpiring(app)
  const subscription = {
    id: newName('sub'),
    start: startOfToday(),
    end: startOfToday() + 31 * 24 * HOUR_MS,
    status: 'past_due',
  }
  await deliverAll(
    kinora,
    'payment-b',
    eventB('customer.subscription.updated', subscriptionB('new', team.id, subscription)),
  )
  const passedOn = await mails()
  assert.deepEqual(
    passedOn.mails.slice(0, 3).map(({ to, status }) => [to, status]),
    Array(3).fill(['', 'pending']),
  )
  for (let round = 0; round < 3; round += 1) await dispatchMailOnce(app)
  assert.deepEqual(subjects(ann).sort(), [
    'A payment for your team’s Kinora subscription failed',
    'Some of your team’s Kinora credits expire soon',
    'Your team’s Kinora credits are running low',
  ])
  assert.deepEqual(subjects(bea).sort(), ['你团队的 Kinora 积分即将用完', '你团队的 Kinora 订阅付款失败'])
  assert.deepEqual(subjects(cleo), [])
  const low = smtp.to(ann.email).find(({ text }) => text.startsWith('44 credits left')) ?? assert.fail('no such mail')
  assert.match(low.text, /Your team asked for a mail[\s\S]*\nTeam: North\n/)
  assert.ok(low.text.includes(`/plans?team=${team.id}\n`))
  assert.ok(low.text.includes('The owners of the team get it.'))
  assert.ok(low.headers.get('list-unsubscribe')?.includes(`token=${ann.userId}.credit.low.`))

  // A worker that died before it recorded that it had passed them on.
  await app.sql`update kinora.mail set state = 'pending', due_at = ${app.now()} where user_id = ${team.id}`
  for (let round = 0; round < 3; round += 1) await dispatchMailOnce(app)
  assert.deepEqual([subjects(ann).length, subjects(bea).length], [3, 2])
})

test('unsubscribe: POST of a mail program, without a sign-in → no more notices of this kind; others stay', async () => {
  const ann = await verified()
  await alert(ann, 50)
  await kinora.generate(ann)
  await dispatchMailOnce(app)
  const [mail] = smtp.to(ann.email)
  assert.ok(mail)
  assert.equal(mail.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  const link = /^<(.+)>$/.exec(mail.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const post = (url: string) => kinora.call('POST', url, { headers: form, body: 'List-Unsubscribe=One-Click' })
  const path = link.slice(kinora.url.length)
  assert.equal((await post(path.replace('credit.low', 'video.done'))).status, 400)
  const opened = await fetch(link, { redirect: 'manual' })
  assert.deepEqual([opened.status, opened.headers.get('location')?.split('#')[0]], [303, `${kinora.url}/unsubscribe`])
  const notices = async () =>
    (await kinora.call<{ notices: Record<string, boolean> }>('GET', '/api/v1/account/notices', { as: ann })).data
      .notices
  const expected = {
    'credit.low': true,
    'credit.expiring': true,
    'payment.failed': true,
    'payment.top-up': true,
    'credit.spent': true,
    'video.done': false,
    'webhook.disabled': true,
    'team.suspended': true,
    'service.notice': true,
  }
  assert.deepEqual(await notices(), expected)
  assert.deepEqual((await post(path)).data, { notice: 'credit.low' })
  assert.deepEqual(await notices(), { ...expected, 'credit.low': false })
  await kinora.grant(ann, 40)
  await kinora.generate(ann)
  await kinora.generate(ann)
  await kinora.generate(ann)
  await dispatchMailOnce(app)
  assert.equal(smtp.to(ann.email).length, 1)
})

test('mail: film ends, credits expire, payment fails → a mail each, once; the film’s when it is switched on', async () => {
  const ann = await verified(0)
  await kinora.grant(ann, 60, 5)
  await notifyExpiring(app)
  await notifyExpiring(app)
  const body = { 'video.done': true }
  assert.equal((await kinora.call('PUT', '/api/v1/account/notices', { as: ann, body })).status, 200)
  const { data } = await kinora.generate(ann)
  const today = startOfToday()
  const subscription = { id: `sub_${ann.userId}`, start: today, end: today + 1 }
  const failing = eventB(
    'customer.subscription.updated',
    subscriptionB('new', ann.userId, { ...subscription, status: 'past_due' }),
  )
  await deliverAll(kinora, 'payment-b', failing)
  await deliverAll(kinora, 'payment-b', failing)
  // Past the deadline of the film, because no provider answers.
  kinora.turnClock(24 * HOUR_MS)
  await kinora.finish(ann, data.uuid)
  await dispatchMailOnce(app)
  kinora.turnClock(-24 * HOUR_MS)
  assert.deepEqual(subjects(ann).sort(), [
    'A payment for your Kinora subscription failed',
    'Some of your Kinora credits expire soon',
    'Your film failed',
  ])
})

test('200: language at sign-up, changed later → mails in it, to the administrators’ list too; another language → 400', async () => {
  const user = { name: '安', email: 'an@example.com', password: 'a paper boat at dawn', language: 'zh-Hans' }
  const signedUp = await kinora.call('POST', '/api/auth/sign-up/email', { body: user })
  const { token } = JSON.parse(signedUp.text) as { token: string }
  const change = (language: string) =>
    kinora.call('POST', '/api/auth/update-user', { body: { language }, headers: { authorization: `Bearer ${token}` } })
  const send = () => kinora.call('POST', '/api/auth/request-password-reset', { body: { email: user.email } })
  await send()
  await dispatchMailOnce(app)
  const [verification, reset] = smtp.to(user.email)
  assert.equal(verification?.headers.get('subject'), '请确认你在 Kinora 使用的邮箱')
  assert.ok(reset?.text.startsWith('设置新密码\n\n'))
  assert.ok(reset?.html.includes('<html lang="zh-Hans">'))
  assert.ok((await mails()).mails.some(({ subject }) => subject === '重置你的 Kinora 密码'))
  assert.equal((await change('tlh')).status, 400)
  assert.equal((await change('en')).status, 200)
  await send()
  await dispatchMailOnce(app)
  assert.equal(smtp.to(user.email).at(-1)?.headers.get('subject'), 'Reset your Kinora password')
})

test('mail: every kind in Chinese → no English but names and data, in text and HTML', () => {
  const data = {
    ...{ newEmail: '新', at: 0, address: '1', userAgent: '2', available: 3, threshold: 4, credits: 5, expiresAt: 0 },
    ...{ film: '纸船', videoId: '6', origin: '7', endpointId: '8', secondsLeft: 9, from: 0, until: 0 },
  }
  const words = new Set(['Kinora', 'AI', 'API', 'IP', 'UTC', 'webhook'])
  const outcomes = ['COMPLETED', 'FAILED'].flatMap((status) =>
    FAILURE_REASONS.flatMap((error) => ['gone', 'failing'].map((reason) => ({ ...data, status, error, reason }))),
  )
  for (const kind of [...NOTICES, ...Object.keys(accountKinds)]) {
    for (const each of outcomes) {
      const row = { kind, userId: admin.userId, data: each, language: 'zh-Hans' }
      const { subject, text, html } = compose(app, row, 'https://example.com/link')
      const [, body = ''] = /<body[^>]*>(.*)<\/body>/s.exec(html) ?? []
      const shown = `${subject} ${text} ${body.replace(/<[^>]*>/g, ' ')}`.replace(/https?:\S+/g, ' ')
      const english = (shown.match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !words.has(word))
      assert.deepEqual(english, [], `${kind}: ${shown}`)
    }
  }
})

const counts: [kind: string, data: Record<string, unknown>, text: RegExp][] = [
  ['credit.low', { available: 1, threshold: 1 }, /^1 credit left\n\n.* fewer than 1 credit is available\./],
  ['credit.low', { available: 2, threshold: 5 }, /^2 credits left\n\n.* fewer than 5 credits are available\./],
  [
    'provider.low',
    { account: 'runway', amount: 7, unit: 'credits', secondsLeft: 7200 },
    /^Left: 7 credits\n.*: 2 hours$/m,
  ],
  ['credit.expiring', { credits: 1, expiresAt: 0 }, /^1 credit expires soon\n/],
  ['credit.expiring', { credits: 2, expiresAt: 0 }, /^2 credits expire soon\n/],
]
test('mail: one credit, and more → singular, and plural', () => {
  for (const [kind, data, text] of counts) {
    const row = { kind, userId: admin.userId, data, language: 'en' }
    assert.match(compose(app, row, 'https://example.com/link').text, text)
  }
})

test('mail: SMTP server is down → sent later with the same Message-ID; 550 → failed, shown to administrators, sent again by one', async () => {
  const ann = await verified()
  const id = await enqueue(ann)
  const port = Number(new URL(smtp.url).port)
  await smtp.close()
  await dispatchMailOnce(app)
  const waiting = await mailOf(id)
  assert.deepEqual([waiting.status, waiting.attempts], ['pending', 1])
  smtp = await openMailServer(port)
  assert.equal(await dispatchMailOnce(app), 0)
  kinora.turnClock(60_000)
  smtp.refuse(451)
  await dispatchMailOnce(app)
  assert.deepEqual([(await mailOf(id)).status, (await mailOf(id)).response], ['pending', '451 no such mailbox here'])
  kinora.turnClock(120_000)
  smtp.refuse(550)
  await dispatchMailOnce(app)
  const { mails: failed } = await mails('?status=failed')
  assert.deepEqual(
    failed.map(({ id, attempts, response, canRetry }) => ({ id, attempts, response, canRetry })),
    [{ id, attempts: 3, response: '550 no such mailbox here', canRetry: true }],
  )
  smtp.refuse(null)
  const again = { as: admin, body: { reason: 'Asked for' } }
  const retry = async () => (await kinora.call('POST', `/api/v1/admin/mails/${id}/retry`, again)).status
  assert.deepEqual([await retry(), await retry()], [200, 409])
  await dispatchMailOnce(app)
  assert.deepEqual(subjects(ann), ['New sign-in to your Kinora account'])
})

test('mail: worker is killed between the acceptance and its record → sent again by another one, with the same Message-ID', async () => {
  const ann = await verified()
  const id = await enqueue(ann)
  const killed = await startProcess(kinora, 'worker', { ...env, KINORA_CRASH_AT: 'mail.sent' })
  assert.equal(await killed.ended, 'SIGKILL')
  assert.equal((await mailOf(id)).status, 'pending')
  // Ends the lease instead of waiting for it.
  await app.sql`update kinora.mail set due_at = now() where user_id = ${ann.userId} and id = ${id}`
  const next = await startProcess(kinora, 'worker', env)
  await waitFor('the mail to be recorded', async () => (await mailOf(id)).status === 'sent')
  assert.equal(await next.stop(), 0)
  const ids = smtp.to(ann.email).map(({ headers }) => headers.get('message-id'))
  assert.deepEqual(ids, Array(2).fill(`<${id}@example.com>`))
})

test('password reset link: expired → not sent, erased; without SMTP → shown to administrators, with an audit entry', async () => {
  const ann = await verified()
  const link = `${kinora.url}/new-password#token=secret`
  for (let n = 0; n < 3; n += 1) await enqueue(await verified())
  await dispatchMailOnce(app)
  await enqueueMail(app, { kind: 'password.reset', userId: ann.userId, to: ann.email, link })
  const first = await mails('?pageSize=2')
  const second = await mails(`?pageSize=2&cursor=${first.nextCursor}`)
  const ids = [...first.mails, ...second.mails].map((mail) => mail.id)
  assert.ok(ids.length === 4 && ids.toSorted().toReversed().join() === ids.join())
  const [row] = await app.sql<{ id: string }[]>`select id from kinora.mail where user_id = ${ann.userId}`
  const id = row?.id ?? ''
  assert.ok(!(await mailOf(id)).text.includes('secret'))
  const [stored] = await app.sql<
    { row: string }[]
  >`select m::text as row from kinora.mail m where user_id = ${ann.userId} and id = ${id}`
  assert.ok(!stored?.row.includes('secret') && !stored?.row.includes(Buffer.from('secret').toString('hex')))
  const shown = async () => {
    const { smtp: settings } = app.config.mail
    app.config.mail.smtp = null
    const mail = await mailOf(id)
    app.config.mail.smtp = settings
    return mail.text
  }
  assert.ok((await shown()).includes(link))
  const entries =
    await app.sql`select from kinora.audit where user_id = ${ann.userId} and action = 'mail.show-link' and subject = ${id}`
  assert.equal(entries.length, 1)
  assert.equal((await kinora.call('GET', `/api/v1/admin/mails/${id}`, { as: ann })).status, 403)
  kinora.turnClock(HOUR_MS)
  assert.equal(await dispatchMailOnce(app), 0)
  assert.equal(await expireMail(app), 1)
  assert.deepEqual([(await mailOf(id)).status, (await shown()).includes('secret')], ['expired', false])
})
