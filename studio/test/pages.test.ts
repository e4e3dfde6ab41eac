/**
 * Every page at four widths and in Chinese: nothing wider than the screen, no cut table, no text over another text or
 * control; on a phone and a laptop no axe-core violation and no layout shift while it loads. API responses are delayed
 * there, so that skeletons show. The themes differ in colours only, so that axe-core reads each page once in each, in
 * one on the phone and in the other one on the laptop, and by turns, so that what all pages have is read in both at
 * both. The other widths are those of the laptop's window, resized. When the file is run by name, it takes a picture
 * of each page, width and theme (pictures.ts).
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { BrowserContextOptions, Page, Request } from 'playwright-core'
import { enqueueMail } from '../../server/src/mail/outbox.ts'
import { accounts } from '../../server/src/provider/accounts.ts'
import { completedVideo } from '../../server/test/support/completed-video.ts'
import { generateBody, openKinora, type Person } from '../../server/test/support/harness.ts'
import { addMember, openTeams } from '../../server/test/support/teams.ts'
import { openBrowser, until } from './browser.ts'
import { addCast } from './cast.ts'
import { catalogueNames, englishTexts } from './english-words.ts'
import { takePicture, takesPictures } from './pictures.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const kinora = await openKinora({ simulator: true, env: { EXPLORE: 'on' } })
const browser = await openBrowser(kinora)
const ann = await kinora.person({ credits: 5000, role: 'admin' })
const ben = await kinora.person({ credits: 0 })
const film = await createData(ann)
const project = await createProject(ann, film)
const { newTeam, generate, call } = openTeams(kinora)
const { id: teamId, owner: cleo } = await newTeam({ credits: 100 })
await generate(await addMember(kinora.app, teamId, ben), teamId)
const robot = await call<{ key: string }>(cleo, teamId, 'POST', '/api/v1/team/keys', { name: 'Robot' })
const byRobot = { headers: { 'x-api-key': robot.data.key }, body: { ...generateBody, prompt: 'A kite' } }
assert.equal((await kinora.call('POST', '/api/v1/video/generate', byRobot)).status, 200)

/** Texts of this test and of the catalogue, and words of the API, which the pages show in any language. */
const texts = [
  ...film.texts,
  // The history has the beginning of a long prompt, and so have the names of buttons.
  ...film.texts.flatMap((text) => [text.slice(0, 200), text.slice(0, 60)]),
  ...[ann, ben, cleo].flatMap(({ email, userId }) => [email, userId]),
  ...catalogueNames(),
  ...['NEW_USER', 'ORDER_PAY', 'SUBSCRIPTION', 'VIDEO_CONSUME', 'REFUND', 'EXPIRED', 'SYSTEM_ADJUST'],
  ...accounts().map(({ id }) => id),
  ...[
    'webhook.test',
    'project.created',
    'credit.added',
    'Test User',
    'North',
    generateBody.prompt,
    'A kite',
    'Robot',
    '简体中文 English',
  ],
  ...['@mara', '@harbour-at-night'],
]

type Visited = { name: string; path: string; as?: Person }
const visited: Visited[] = [
  { name: 'welcome', path: '/' },
  { name: 'sign-up', path: '/sign-up' },
  { name: 'unknown', path: '/no/such/page' },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'new-password', path: '/new-password#token=none' },
  { name: 'unsubscribe', path: '/unsubscribe#token=none' },
  { name: 'shared', path: film.shared },
  { name: 'shared-unknown', path: `/share/${'A'.repeat(80)}` },
  { name: 'verify', path: '/verify' },
  { name: 'verify-shared', path: `/verify?link=${encodeURIComponent(kinora.url + film.shared)}` },
  { name: 'provenance', path: '/provenance' },
  { name: 'explore-visitor', path: '/explore' },
  { name: 'explore', path: '/explore', as: ann },
  { name: 'explore-film', path: `/explore?film=${film.published}`, as: ann },
  { name: 'studio', path: '/', as: ann },
  { name: 'studio-empty', path: '/', as: ben },
  { name: 'library', path: '/library', as: ann },
  { name: 'library-failed', path: '/library?status=FAILED', as: ann },
  { name: 'library-nothing-found', path: '/library?q=nothing%20like%20it', as: ann },
  { name: 'library-empty', path: '/library', as: ben },
  { name: 'player', path: `/library/${film.completed}`, as: ann },
  { name: 'player-failed', path: `/library/${film.failed}`, as: ann },
  { name: 'player-running', path: `/library/${film.running}`, as: ann },
  { name: 'player-unknown', path: '/library/01900000-0000-7000-8000-000000000000', as: ann },
  { name: 'projects', path: '/projects', as: ann },
  { name: 'projects-empty', path: '/projects', as: ben },
  { name: 'project', path: `/projects/${project.id}`, as: ann },
  { name: 'project-shot', path: `/projects/${project.id}?shot=${project.shots[0]?.id}`, as: ann },
  { name: 'project-shot-empty', path: `/projects/${project.id}?shot=${project.shots[1]?.id}`, as: ann },
  { name: 'project-unknown', path: '/projects/01900000-0000-7000-8000-000000000000', as: ann },
  { name: 'credits', path: '/credits', as: ann },
  { name: 'credits-empty', path: '/credits', as: ben },
  { name: 'plans', path: '/plans', as: ann },
  { name: 'keys', path: '/keys', as: ann },
  { name: 'keys-empty', path: '/keys', as: ben },
  { name: 'webhooks', path: '/webhooks', as: ann },
  { name: 'webhooks-empty', path: '/webhooks', as: ben },
  { name: 'webhook', path: `/webhooks/${film.endpoint}`, as: ann },
  { name: 'account', path: '/account', as: ann },
  { name: 'admin-overview', path: '/admin/overview', as: ann },
  { name: 'admin-users', path: '/admin/users', as: ann },
  { name: 'admin-user', path: `/admin/users/${ann.userId}`, as: ann },
  { name: 'admin-teams', path: '/admin/teams', as: ann },
  { name: 'admin-team', path: `/admin/teams/${teamId}`, as: ann },
  { name: 'admin-videos', path: '/admin/videos', as: ann },
  { name: 'admin-videos-ended', path: '/admin/videos?state=ended', as: ann },
  { name: 'admin-video', path: `/admin/videos/${film.failed}`, as: ann },
  { name: 'admin-payments', path: '/admin/payments', as: ann },
  { name: 'admin-payments-made', path: '/admin/payments/made', as: ann },
  { name: 'admin-subscriptions', path: '/admin/payments/subscriptions', as: ann },
  { name: 'admin-codes', path: '/admin/codes', as: ann },
  { name: 'admin-invitations', path: '/admin/invitations', as: ann },
  { name: 'admin-explore', path: '/admin/explore', as: ann },
  { name: 'admin-ledger', path: '/admin/ledger', as: ann },
  { name: 'admin-models', path: '/admin/models', as: ann },
  { name: 'admin-configuration', path: '/admin/configuration', as: ann },
  { name: 'admin-setup', path: '/admin/setup', as: ann },
  { name: 'admin-providers', path: '/admin/providers', as: ann },
  { name: 'admin-provider', path: '/admin/providers/provider-b', as: ann },
  { name: 'admin-costs', path: '/admin/costs', as: ann },
  { name: 'admin-books', path: '/admin/books', as: ann },
  { name: 'admin-takedowns', path: '/admin/takedowns', as: ann },
  { name: 'admin-incidents', path: '/admin/incidents', as: ann },
  { name: 'admin-mails', path: '/admin/mails', as: ann },
  { name: 'admin-audit', path: '/admin/audit', as: ann },
  { name: 'not-found', path: '/no/such/page', as: ann },
  { name: 'team', path: '/team', as: cleo },
  { name: 'team-library', path: '/library', as: cleo },
  { name: 'team-credits', path: '/credits', as: cleo },
  { name: 'team-plans', path: '/plans', as: cleo },
  { name: 'team-keys', path: '/keys', as: cleo },
  { name: 'team-webhooks', path: '/webhooks', as: cleo },
]
const visitedByAnn = visited.filter(({ as }) => as === ann)
/** Visited in parallel: most of the time is spent waiting for delayed responses. */
const groups = [
  { as: undefined, pages: visited.filter(({ as }) => as === undefined) },
  { as: ben, pages: visited.filter(({ as }) => as === ben) },
  { as: cleo, pages: visited.filter(({ as }) => as === cleo) },
  { as: ann, pages: visitedByAnn.slice(0, visitedByAnn.length / 2) },
  { as: ann, pages: visitedByAnn.slice(visitedByAnn.length / 2) },
]
type Size = { width: number; height: number }
type Variant = BrowserContextOptions & { responseDelayMs: number; isWhole: boolean; resizedTo?: Size[] }
const laptop = { width: 1366, height: 768 }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** `isWhole`: with axe and layout shifts, which the other widths do not change. */
const variants: Record<string, Variant> = {
  '390': { isWhole: true, responseDelayMs: 300, ...phone },
  '1366, 768, 1920': {
    isWhole: true,
    responseDelayMs: 300,
    viewport: laptop,
    resizedTo: [
      { width: 768, height: 1024 },
      { width: 1920, height: 1080 },
    ],
  },
  chinese: { isWhole: false, responseDelayMs: 0, viewport: laptop, locale: 'zh-CN' },
}

for (const [variant, { responseDelayMs, isWhole, resizedTo = [], ...context }] of Object.entries(variants)) {
  const isChinese = context.locale !== undefined
  const promise = isChinese ? 'no English text' : 'accessible, no layout shift'
  test(`${variant}: every page → ${promise}, no overflow, no overlap`, async () => {
    const violations = await Promise.all(groups.map(({ as, pages }) => checkPages(as, pages)))
    assert.deepEqual(violations.flat(), [])
  })

  async function checkPages(as: Person | undefined, pages: Visited[]): Promise<string[]> {
    const { page, expect } = await browser.visit({ ...context, ...(as ? { as } : {}) })
    await page.addInitScript(recordLayoutShifts)
    const team = JSON.stringify({ id: teamId, name: 'North', role: 'owner' })
    if (as === cleo) await page.addInitScript(`localStorage.setItem('kinora.team', '${team}')`)
    if (responseDelayMs > 0) await delayResponses(page, responseDelayMs)
    const pendingRequests = countPendingRequests(page)
    // The unknown films of player-unknown and shared-unknown.
    expect(/\b404\b.*(01900000-|A{80})/)
    const violations: string[] = []
    for (const [n, { name, path: pagePath }] of pages.entries()) {
      await page.emulateMedia({ colorScheme: (n % 2 === 0) === (context.isMobile === true) ? 'dark' : 'light' })
      await page.goto(pagePath)
      await untilSettled(page, pendingRequests)
      const found = await findUnfit(page)
      if (isWhole) found.push(...(await findLayoutShifts(page)), ...(await axeViolations(page)))
      if (isWhole && takesPictures) await takePictures(page, name, ['dark', 'light'])
      if (isChinese) found.push(...(await englishTexts(page, texts)))
      for (const size of resizedTo) {
        await page.setViewportSize(size)
        await untilSettled(page, pendingRequests)
        found.push(...(await findUnfit(page)).map((violation) => `at ${size.width} px ${violation}`))
        if (takesPictures) await takePictures(page, name, ['dark'])
      }
      if (resizedTo.length > 0) await page.setViewportSize(laptop)
      violations.push(...found.map((violation) => `${name}: ${violation}`))
      // The runner ends a file that prints nothing for four minutes, which all pages of a busy machine may take.
      process.stdout.write(`${variant}: ${name}\n`)
    }
    return violations
  }
}

const findUnfit = async (page: Page): Promise<string[]> => [
  ...(await findOverflow(page)),
  ...(await findOverlaps(page)),
]

/** They are last, because one of the whole page resizes the phone's viewport for a moment. */
async function takePictures(page: Page, name: string, schemes: ('dark' | 'light')[]): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await takePicture(page, `${name}-${page.viewportSize()?.width}-${colorScheme}`)
  }
}

test('search params: values that are not strings → the page opens as if they were absent', async () => {
  const { page } = await browser.visit({ as: await kinora.person() })
  for (const [address, heading] of [
    ['/library?status={"a":1}&model=[1]&q={"b":2}', 'Library'],
    ['/credits?type={"a":1}&period=[1]', 'Credits'],
    ['/?model={"a":1}&again=[1]', null],
  ] as const) {
    await page.goto(address)
    const content = heading ? page.getByRole('heading', { name: heading, exact: true }) : page.getByLabel('Prompt')
    await content.or(page.getByText('This page broke')).first().waitFor()
    assert.equal(await page.getByText('This page broke').count(), 0, address)
  }
})

/** Delays in the browser's network stack: Playwright's routing disables the HTTP cache of scripts. */
async function delayResponses(page: Page, latency: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

/** API requests except the event stream, which never ends. */
const isApiRequest = (url: URL): boolean => url.pathname.startsWith('/api/') && !url.pathname.endsWith('/events')

/** Cumulative Layout Shift: Web Vitals calls 0.1 good; one line of text that is inserted late is 0.02. */
const MAX_LAYOUT_SHIFT = 0.005
const recordLayoutShifts = `{
  globalThis.shift = 0
  globalThis.moved = []
  const nameOf = (node) => node?.className || node?.nodeName
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      shift += value
      for (const { node, previousRect, currentRect } of sources)
        moved.push([nameOf(node), ...[previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))].join(' '))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}`

function countPendingRequests(page: Page): () => number {
  const pending = new Set<Request>()
  page.on('request', (request) => isApiRequest(new URL(request.url())) && pending.add(request))
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => pending.delete(request))
  return () => pending.size
}

/** A page has settled when it has a heading, no skeleton, and no pending request for a while. */
async function untilSettled(page: Page, pendingRequests: () => number): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('load')
  await page.locator('.loading-state').first().waitFor({ state: 'detached' })
  let idlePolls = 0
  await until(async () => {
    idlePolls = pendingRequests() === 0 ? idlePolls + 1 : 0
    return idlePolls > IDLE_POLLS
  }, 'the last response')
}
/** Polls at intervals of 50 ms: together longer than the studio's debounce of the price. */
const IDLE_POLLS = 6

async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  // Violations only: axe computes a selector for every element that it reports, also for those that pass.
  const run = `axe.run({ resultTypes: ['violations'] })`
  return (await page.evaluate(`${run}.then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary)))`)) as string[]
}

async function findLayoutShifts(page: Page): Promise<string[]> {
  const { shift, moved } = await page.evaluate<{ shift: number; moved: string[] }>('({ shift, moved })')
  return shift > MAX_LAYOUT_SHIFT ? [`layout shift of ${shift}: ${moved.join(', ')}`] : []
}

async function findOverflow(page: Page): Promise<string[]> {
  const overflowPx = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  // Every table fits at desktop width: its last column has the buttons, and nothing shows that a frame scrolls.
  const cutTables = await page.evaluate<
    string[]
  >(`innerWidth < 1280 ? [] : [...document.querySelectorAll('.table-frame')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth)
    .map((frame) => frame.ariaLabel + ': ' + frame.scrollWidth + ' px in ' + frame.clientWidth)`)
  return [
    ...cutTables.map((table) => `cuts the table ${table}`),
    ...(overflowPx > 0 ? [`is ${overflowPx} px wider than the screen`] : []),
  ]
}

/** Texts over another text or over a control that they do not belong to, above what is fixed or hidden. */
const findOverlaps = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const isOutOfFlow = (element) => {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return true
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        const { position, clipPath, clip } = getComputedStyle(each)
        if (position === 'fixed' || position === 'sticky') return true
        if (clipPath !== 'none' || clip !== 'auto') return true
      }
      return false
    }
    /** The part of the box that no ancestor scrolls or cuts away. */
    const shown = (box, element) => {
      let { left, right, top, bottom } = box
      for (let each = element; each && each !== document.body; each = each.parentElement) {
        if (getComputedStyle(each).overflow === 'visible') continue
        const frame = each.getBoundingClientRect()
        left = Math.max(left, frame.left); right = Math.min(right, frame.right)
        top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom)
      }
      return right - left > 2 && bottom - top > 2 ? { left, right, top, bottom } : null
    }
    const boxes = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement
      if (!texts.currentNode.data.trim() || element.closest('script, style, option, svg, noscript') || isOutOfFlow(element)) continue
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      for (const rect of range.getClientRects()) {
        const box = shown(rect, element)
        if (box) boxes.push({ ...box, element, name: texts.currentNode.data.trim().slice(0, 40) })
      }
    }
    for (const element of document.querySelectorAll('input, select, textarea, button')) {
      const box = isOutOfFlow(element) ? null : shown(element.getBoundingClientRect(), element)
      if (box) boxes.push({ ...box, element, name: element.ariaLabel || element.name || element.textContent.trim().slice(0, 40) || element.tagName })
    }
    const belong = (a, b) => a.contains(b) || b.contains(a) || (a.closest('label, a, button') ?? a).contains(b) || (b.closest('label, a, button') ?? b).contains(a)
    boxes.sort((a, b) => a.top - b.top)
    const found = []
    for (const [at, a] of boxes.entries())
      for (let n = at + 1; n < boxes.length && boxes[n].top < a.bottom - 3; n += 1) {
        const b = boxes[n]
        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3 && Math.min(a.bottom, b.bottom) - b.top > 3 && !belong(a.element, b.element))
          found.push('“' + a.name + '” and “' + b.name + '” overlap')
      }
    return found
  })()`)

/**
 * Films of several aspect ratios and statuses, API keys, corrections by an administrator: no page is empty. A deadline
 * has a date, 20 films are in progress, and the reason of a failure is a long one.
 */
/** A shot with a film and a cut, one without a take, one without a model. */
async function createProject(as: Person, { completed, texts }: { completed: string; texts: string[] }) {
  const [prompt = ''] = texts
  const shots = [{ settings: { ...generateBody, prompt } }, { settings: generateBody }, { settings: { prompt } }]
  const body = { name: prompt, shots }
  const { data } = await kinora.call<{ id: string; shots: { id: string }[] }>('POST', '/api/v1/project', { as, body })
  const take = { version: 1, takeId: completed, inMs: 500, notes: prompt }
  await kinora.call('PATCH', `/api/v1/project/${data.id}/shots/${data.shots[0]?.id}`, { as, body: take })
  return data
}

async function createData(as: Person): Promise<{
  completed: string
  shared: string
  published: string
  failed: string
  running: string
  endpoint: string
  texts: string[]
}> {
  const generate = async (change: Record<string, unknown>) => (await kinora.generate(as, change)).data.uuid
  await enqueueMail(kinora.app, { kind: 'password.changed', userId: as.userId, to: as.email })
  const requests = [
    { prompt: 'A lighthouse in fog', aspectRatio: '16:9' },
    { prompt: 'Rain on a tram window at night, the city behind it out of focus', aspectRatio: '9:16' },
    { prompt: 'A fox at the edge of a field', aspectRatio: '1:1' },
    { prompt: 'The desert from a balloon, dawn', aspectRatio: '21:9' },
    { prompt: 'A paper boat crosses a pond', aspectRatio: '4:3' },
  ]
  const completed = await Promise.all(requests.map((request) => completedVideo(kinora, as, request)))
  const [first = '', tall = ''] = completed
  await addCast(kinora, as, { name: 'mara', pictures: 2 })
  await addCast(kinora, as, { name: 'harbour-at-night', pictures: 1, at: 2 })
  const { data } = await kinora.call<{ share: { url: string } }>('PUT', `/api/v1/video/${tall}/share`, {
    as,
    body: { showsPrompt: true },
  })
  const publications = completed.map((uuid) =>
    kinora.call<{ publication: { id: string } }>('PUT', `/api/v1/video/${uuid}/publication`, {
      as,
      body: { showsName: uuid === tall },
    }),
  )
  const [published = ''] = (await Promise.all(publications)).map(({ data }) => data.publication.id)
  const report = { reason: 'other', note: 'It is mine' }
  await kinora.call('POST', `/api/v1/explore/${published}/report`, { as: ben, body: report })
  const reason = `the provider could not make sense of this prompt${', which names a person who could be recognized'.repeat(6)}`
  const storm = `A storm at sea [fail: ${reason}]`
  const failed = await generate({ prompt: storm })
  await kinora.finish(as, failed)
  let key = ''
  const apiKeys = [
    { name: 'Render farm' },
    { name: 'Notebook', scopes: ['read', 'generate'], budget: { credits: 1200, period: 'month' } },
    { name: 'Till in the shop of the station', scopes: ['generate'], budget: { credits: 16, period: 'week' } },
  ]
  for (const body of apiKeys) {
    const { status, text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body })
    assert.equal(status, 200)
    key = JSON.parse(text).key
  }
  const running = (await kinora.generate(as, { prompt: 'A kite over the dunes' }, { 'x-api-key': key })).data.uuid
  for (let n = 0; n < 19; n += 1) await generate({ prompt: 'A kite over the dunes' })
  await kinora.app.sql`update kinora.video set deadline_at = deadline_at + interval '2 days' where id = ${running}`
  const hooks = [
    { url: 'https://example.com/kinora' },
    { url: 'https://films.example.com/hooks/a-long-path/of-a-program/that-makes-trailers', events: ['video.failed'] },
  ].map((body) => kinora.call<{ id: string }>('POST', '/api/v1/webhook/endpoints', { as, body }))
  const [endpoint] = await Promise.all(hooks)
  const given = { credits: 40, remark: 'Sorry for the outage' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as, body: given })).status, 200)
  const taken = { userId: as.userId, credits: 20, reason: 'Granted twice by mistake' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/take', { as, body: taken })).status, 200)
  const code = { code: 'SPRING-2026-NEWSLETTER', credits: 1200, usesMax: 1000, note: 'For readers of the newsletter' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/codes', { as, body: code })).status, 200)
  const invitation = { email: 'a-guest-with-a-long-address@films.example.com', credits: 200, replacesGift: true }
  assert.equal((await kinora.call('POST', '/api/v1/admin/invitations', { as, body: invitation })).status, 200)
  for (let n = 0; n < 3; n += 1) {
    await kinora.call('POST', `/api/v1/webhook/endpoints/${endpoint?.data.id}/test`, { as })
  }
  const states = [
    { state: 'delivered', due_at: null, attempt: 1, response_status: 204 },
    { state: 'failed', due_at: null, attempt: 10, response_status: 500 },
  ]
  for (const each of states) {
    await kinora.app.sql`
      update kinora.webhook_delivery set ${kinora.app.sql(each)}
      where id = (select max(id::text)::uuid from kinora.webhook_delivery where state = 'pending')
    `
  }
  const shared = new URL(data.share.url).pathname
  const texts = [
    ...requests.map(({ prompt }) => prompt),
    ...apiKeys.map(({ name }) => name),
    ...[code.code, code.note, invitation.email],
    ...[
      given.remark,
      taken.reason,
      report.note,
      storm,
      storm.slice(0, 60),
      `${storm.slice(0, 120)}…`,
      reason,
      'A kite over the dunes',
    ],
    ...['https://films.example.com/hooks/a-long-path/of-a-program/that-makes-trailers', 'https://example.com/kinora'],
  ]
  return { completed: first, shared, published, failed, running, endpoint: endpoint?.data.id ?? '', texts }
}
