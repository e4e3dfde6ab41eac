/**
 * The studio in a real browser. Invariant: the page reports no error that the test has not announced with `expect`.
 * Tests wait for what a user can see. A test ends an interception with a newer route that continues the requests, never
 * with `unroute`.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach } from 'node:test'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
  chromium as playwright,
} from 'playwright-core'
import type { Kinora, Person } from '../../server/test/support/harness.ts'

export type Visit = {
  page: Page
  context: BrowserContext
  /** Announces an error in the page's console, such as the 401 of an ended session, so it does not fail the test. */
  expect: (problem: RegExp) => void
}

export type Visitor = {
  browser: Browser
  /** A browser context, signed in as `as` or anonymous; it is closed after the test. */
  visit: (options?: BrowserContextOptions & { as?: Person }) => Promise<Visit>
  /** A second tab of the same context, watched for errors as well. */
  tab: (visit: Visit) => Promise<Page>
}

const TIMEOUT_MS = 30_000

// The build runs at import, before a service starts: the service serves the files that it finds at its start.
await buildStudio(await import(new URL('../../bin/build.mjs', import.meta.url).href))

/** The browser of this process. Each visit is a context of its own, so one browser serves every test file. */
let shared: Promise<Browser> | undefined

async function sharedBrowser(): Promise<Browser> {
  // A browser that has crashed fails the tests of one file only.
  if (!(await shared)?.isConnected()) shared = launchBrowser()
  return await (shared as Promise<Browser>)
}

export async function launchBrowser(args: string[] = []): Promise<Browser> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    // Not `chromium.args`: they run everything in one process, which ends with the second context, and switch off site
    // isolation. Without a GPU, pages are drawn by the compositor's software renderer, which costs a fifth of an
    // emulated GPU.
    args: ['--no-sandbox', '--mute-audio', '--disable-gpu', ...args],
    // Playwright has shared memory in files of /tmp, for containers with a small /dev/shm: a tenth of the browser's CPU
    // time.
    ignoreDefaultArgs: process.env.TEST_CLUSTER_DIR === '/dev/shm' ? ['--disable-dev-shm-usage'] : [],
    headless: true,
  })
}

/**
 * Opens a browser for a test file.
 * @param options.hostName a name that resolves to the service in a browser of its own: a browser withholds from other
 *   names over plain http what it gives to https and localhost
 * @param options.hasMotion whether films play by themselves, and pages, dialogs and messages move; each change of the
 *   page is drawn once without it, else some fifteen times
 */
export async function openBrowser(
  kinora: Kinora,
  { hostName, hasMotion = false }: { hostName?: string; hasMotion?: boolean } = {},
): Promise<Visitor> {
  const own = hostName && (await launchBrowser([`--host-resolver-rules=MAP ${hostName} ${new URL(kinora.url).host}`]))
  const browser = own || (await sharedBrowser())
  const contexts = new Map<BrowserContext, Watch>()

  afterEach(async () => {
    const problems = [...contexts.values()].flatMap(unexpected)
    for (const context of contexts.keys()) {
      // A route that still answers when its test ends would throw into the next one.
      for (const of of [context, ...context.pages()]) await of.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
    contexts.clear()
    assert.deepEqual(problems, [], 'the page reported errors')
  })
  if (own) after(() => own.close())

  return {
    browser,
    visit: async ({ as, ...options } = {}) => {
      const context = await browser.newContext({
        baseURL: kinora.app.config.publicUrl,
        // The studio follows the browser's language; tests read its English texts unless they ask for another one.
        locale: 'en-US',
        reducedMotion: hasMotion ? 'no-preference' : 'reduce',
        ...options,
      })
      const watch: Watch = { problems: [], expected: [] }
      contexts.set(context, watch)
      context.setDefaultTimeout(TIMEOUT_MS)
      if (as) await context.addCookies([sessionCookie(kinora.app.config, as.token)])
      const page = await watchedPage(context, watch)
      return { page, context, expect: (problem) => watch.expected.push(problem) }
    },
    tab: async ({ context }) => {
      const watch = contexts.get(context)
      assert.ok(watch, 'the visit is over')
      return watchedPage(context, watch)
    },
  }
}

type Watch = { problems: string[]; expected: RegExp[] }

const unexpected = ({ problems, expected }: Watch): string[] =>
  problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)))

async function watchedPage(context: BrowserContext, watch: Watch): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (error) => watch.problems.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') watch.problems.push(`${message.text()} ${message.location().url}`)
  })
  return page
}

/** The signed session cookie, as the service sets it. */
export function sessionCookie(service: { authSecret: string; publicUrl: string }, token: string) {
  const signature = createHmac('sha256', service.authSecret).update(token).digest('base64')
  return {
    name: 'kinora.session_token',
    value: encodeURIComponent(`${token}.${signature}`),
    url: service.publicUrl,
    httpOnly: true,
  }
}

/** Leaves out of a page what the service has read for it, so that its own first reads can be intercepted. */
export const withoutFirstReads = (page: Page): Promise<unknown> =>
  page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/id="reads">[^<]*</, 'id="reads"><')
    await route.fulfill({ response, body })
  })

/** Clicks twice before the page renders again, as a fast double click does. */
export const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: { click: () => void }) => {
    element.click()
    element.click()
  })

/** Polls until the condition holds, for what no locator can wait for, such as a film's current time. */
export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const giveUpAtMs = Date.now() + TIMEOUT_MS
  while (!(await condition())) {
    assert.ok(Date.now() < giveUpAtMs, `waited too long for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Waits until the field has this value, which may be filled in after the field is rendered. */
export const untilSays = (field: Locator, value: string): Promise<void> =>
  until(async () => (await field.inputValue()) === value, `“${value}” in the field`)

/** Waits until a film plays. Polled from outside, because the page's CSP forbids Playwright's waitForFunction. */
export const untilPlays = (page: Page): Promise<void> =>
  until(
    () => page.evaluate("[...document.querySelectorAll('video')].some(({ currentTime }) => currentTime > 0.2)"),
    'a film that plays',
  )

type Builder = { ensureBuild: (root: string, node: string, name: 'studio') => Promise<string | null> }

async function buildStudio(builder: Builder): Promise<void> {
  const problem = await builder.ensureBuild(
    fileURLToPath(new URL('../..', import.meta.url)),
    process.execPath,
    'studio',
  )
  assert.equal(problem, null)
}
