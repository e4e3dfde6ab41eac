/**
 * The pages of OAuth, which this service renders: consent, the connected programs, and errors. They run no script, and
 * their texts are escaped (XSS): the name of a client is what the client says about itself, so the page shows to which
 * address it leads, too.
 */
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Auth } from '../../account/auth.ts'
import { BUDGET_PERIODS, type Budget, type BudgetPeriod } from '../../account/key/api-key.ts'
import { APPS_PAGE, CONSENT_PAGE, clientName } from '../../account/oauth.ts'
import {
  type ConnectedApp,
  connectedApps,
  disconnectApp,
  endConsent,
  ownersFor,
  setAppBudget,
  storeGrant,
} from '../../account/oauth-grant.ts'
import { isSession, ownSession } from '../../account/own-session.ts'
import type { Team } from '../../account/team/team.ts'
import { languageOfUser } from '../../account/user.ts'
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../text/counted.ts'
import { escapeHtml } from '../../text/escape-html.ts'
import { type Language, languageOfBrowser } from '../../text/language.ts'
import { userOf } from '../request/request.ts'
import { acceptRawBody, rawBodyOf } from '../request/request-body.ts'
import { iconLink, iconOf } from '../studio.ts'

const BODY_BYTES_MAX = 16 * 1024

type Passed = { toRequest: (app: App, request: FastifyRequest, url: URL, body: Buffer) => Request }

export function registerOauthPages(server: FastifyInstance, app: App, auth: Auth, { toRequest }: Passed): void {
  const { publicUrl } = app.config
  const options = { config: { access: 'user' }, bodyLimit: BODY_BYTES_MAX, schema: { hide: true } } as const

  server.register(async (scope) => {
    acceptRawBody(scope)

    scope.get(CONSENT_PAGE, { ...options, config: { access: 'optional' } }, async (request, reply) => {
      const query = request.raw.url?.split('?')[1] ?? ''
      const sent = new URLSearchParams(query)
      if (!isUser(request)) return reply.redirect(`/api/auth/oauth2/authorize?${query}`, 302)
      const name = await clientName(app, sent.get('client_id') ?? '')
      const language = await languageOfReader(app, request)
      const texts = oauthTexts[language]
      const target = URL.parse(sent.get('redirect_uri') ?? '')
      if (name === null || target === null) return sendOauthError(app, reply, 'unknown program')
      const scopes = (sent.get('scope') ?? '').split(' ')
      const teams = await ownersFor(app, userOf(request).userId, scopes)
      const consent = { language, name: name || texts.unnamed, target, scopes, teams, query }
      return sendPage(app, reply, 200, consentPage(consent))
    })

    scope.post(CONSENT_PAGE, options, async (request, reply) => {
      await requireUser(app, auth, request)
      const form = new URLSearchParams(rawBodyOf(request).toString())
      const url = new URL('/api/auth/oauth2/consent', publicUrl)
      const accept = form.get('decision') === 'allow'
      // The library checks its signature.
      const query = new URLSearchParams(form.get('query') ?? '')
      const { userId } = userOf(request)
      const client = { userId, clientId: query.get('client_id') ?? '' }
      const ownerId = await ownerOf(app, userId, form.get('owner'), (query.get('scope') ?? '').split(' '))
      const budget = budgetOf(form)
      if (accept) await endConsent(app, client)
      const body = JSON.stringify({ accept, oauth_query: form.get('query') ?? '' })
      const forwarded = toRequest(app, request, url, Buffer.from(body))
      forwarded.headers.set('content-type', 'application/json')
      forwarded.headers.set('origin', publicUrl)
      const response = await auth.handler(forwarded)
      // A refusal is JSON, a code is a redirect.
      const { url: refusal } = response.ok ? ((await response.json()) as { url?: string }) : {}
      const target = response.headers.get('location') ?? refusal
      const isStored = !accept || (target !== undefined && (await storeGrant(app, { ...client, ownerId, budget })))
      if (target === undefined || !isStored) {
        return sendOauthError(app, reply, 'this page is out of date; start again in the program')
      }
      return reply.redirect(target, 303)
    })

    scope.get(APPS_PAGE, { ...options, config: { access: 'optional' } }, async (request, reply) => {
      if (!isUser(request)) return reply.redirect(`/sign-in`, 302)
      const language = await languageOfReader(app, request)
      const apps = await connectedApps(app, { userId: userOf(request).userId })
      return sendPage(app, reply, 200, appsPage(language, apps))
    })

    scope.post(APPS_PAGE, options, async (request, reply) => {
      await requireUser(app, auth, request)
      const form = new URLSearchParams(rawBodyOf(request).toString())
      const { userId } = userOf(request)
      const id = form.get('id') ?? ''
      if (form.get('action') === 'budget') await setAppBudget(app, userId, id, budgetOf(form))
      else await disconnectApp(app, userId, id)
      return reply.redirect(APPS_PAGE, 303)
    })
  })
}

/** Whom a program acts for, by the user's choice. @throws AppError FORBIDDEN: a team where the user may not do so */
async function ownerOf(app: App, userId: string, chosen: string | null, scopes: string[]): Promise<string> {
  if (!chosen) return userId
  if ((await ownersFor(app, userId, scopes)).some(({ id }) => id === chosen)) return chosen
  throw new AppError('FORBIDDEN', 'Your role in this team does not permit what the program asks for.')
}

const CREDITS_MAX = 1_000_000_000
const isPeriod = (text: string): text is BudgetPeriod => (BUDGET_PERIODS as readonly string[]).includes(text)

/** @returns null without a number: no limit. @throws AppError INVALID_REQUEST */
function budgetOf(form: URLSearchParams): Budget | null {
  const [text, period] = [form.get('credits') || '', form.get('period') ?? '']
  if (text === '') return null
  const credits = Number(text)
  if (/^\d+$/.test(text) && credits >= 1 && credits <= CREDITS_MAX && isPeriod(period)) return { credits, period }
  throw new AppError('INVALID_REQUEST', `A budget is a whole number of credits from 1 to ${CREDITS_MAX}, and a period.`)
}

type Consent = { language: Language; name: string; target: URL; scopes: string[]; teams: Team[]; query: string }

/** What the form begins with. */
const FIRST_BUDGET: Budget = { credits: 500, period: 'month' }

function consentPage({ language, name, target, scopes, teams, query }: Consent): Page {
  const texts = oauthTexts[language]
  const button = (decision: string, text: string) =>
    `<button name="decision" value="${decision}" class="${decision}">${text}</button>`
  const owners = [{ id: '', name: texts.ownAccount }, ...teams]
  const options = owners.map((owner) => `<option value="${owner.id}">${escapeHtml(owner.name)}</option>`).join('')
  return {
    language,
    title: texts.connectTitle,
    body:
      `<h1>${escapeHtml(texts.connect(name))}</h1>` +
      `<p>${texts.leadsTo.before}<b>${escapeHtml(placeOf(target))}</b>${texts.leadsTo.after}</p>` +
      `<ul>${scopes
        .flatMap((each) => texts.scopes[each] ?? [])
        .map((each) => `<li>${each}</li>`)
        .join('')}</ul>` +
      `<form method="post" action="${CONSENT_PAGE}"><input type="hidden" name="query" value="${escapeHtml(query)}">` +
      `<label>${texts.owner}<select name="owner">${options}</select></label><p class="quiet">${texts.ownerHint}</p>` +
      `${scopes.includes('generate') ? budgetFields(language, FIRST_BUDGET) : ''}` +
      `${button('allow', texts.allow)}${button('deny', texts.deny)}</form>` +
      `<p class="quiet">${texts.caution}<a href="${APPS_PAGE}">${texts.appsTitle}</a>${texts.appsHint}</p>`,
    // The browser is redirected to the client after the form.
    formTarget: target.protocol === 'https:' || target.protocol === 'http:' ? target.origin : target.protocol,
  }
}

function budgetFields(language: Language, budget: Budget | null): string {
  const { budgetLabel, budgetHint, periodLabel, periods } = oauthTexts[language]
  const chosen = budget?.period ?? 'month'
  const options = BUDGET_PERIODS.map(
    (period) => `<option value="${period}"${period === chosen ? ' selected' : ''}>${periods[period]}</option>`,
  )
  return (
    `<div class="budget"><label>${budgetLabel}<input name="credits" type="number" inputmode="numeric" min="1" max="${CREDITS_MAX}" ` +
    `value="${budget?.credits ?? ''}"></label><label>${periodLabel}<select name="period">${options.join('')}</select></label></div>` +
    `<p class="quiet">${budgetHint}</p>`
  )
}

function appsPage(language: Language, apps: ConnectedApp[]): Page {
  const texts = oauthTexts[language]
  const rows = apps.map(({ id, name, scopes, createdAt, team, budget, used }) => {
    const spends = scopes.includes('generate')
    const button = (action: string, text: string) =>
      `<button name="action" value="${action}" class="deny"${action === 'budget' ? '' : ' formnovalidate'}>${text}</button>`
    return (
      `<li><b>${escapeHtml(name || texts.unnamed)}</b>` +
      `<span>${texts.owner}${texts.colon}${escapeHtml(team ?? texts.ownAccount)}</span>` +
      `<span class="quiet">${escapeHtml(scopes.flatMap((each) => texts.scopes[each] ?? []).join(' · '))}<br>` +
      `${texts.since(createdAt.toISOString().slice(0, 10))}` +
      `${spends ? `<br>${texts.used(budget?.used ?? used.month, budget?.period ?? 'month')}` : ''}</span>` +
      `<form method="post" action="${APPS_PAGE}"><input type="hidden" name="id" value="${escapeHtml(id)}">` +
      `${spends ? budgetFields(language, budget) + button('budget', texts.changeBudget) : ''}` +
      `${button('disconnect', texts.disconnect)}</form></li>`
    )
  })
  const list = rows.length > 0 ? `<ul class="apps">${rows.join('')}</ul>` : `<p>${texts.none}</p>`
  return {
    language,
    title: texts.appsTitle,
    body: `<h1>${texts.appsTitle}</h1>${list}<p class="quiet"><a href="/account">${texts.back}</a></p>`,
  }
}

const isUser = ({ caller }: FastifyRequest): boolean => isSession(caller)

/** @throws AppError FORBIDDEN: an API key, or an administrator who acts as the user */
async function requireUser(app: App, auth: Auth, request: FastifyRequest): Promise<void> {
  const session = await ownSession(app, auth, request)
  if (session?.impersonatedBy === null) return
  throw new AppError('FORBIDDEN', 'Only the user, signed in to the studio, may connect and disconnect programs.')
}

/** An error that must not be sent to the client, because its address is not known to be the client's. */
export async function sendOauthError(app: App, reply: FastifyReply, reason: string): Promise<FastifyReply> {
  const language = await languageOfReader(app, reply.request)
  const { errorTitle, error } = oauthTexts[language]
  return sendPage(app, reply, 400, {
    language,
    title: errorTitle,
    body:
      `<h1>${errorTitle}</h1>` +
      `<p>${error.before}<span lang="en">${escapeHtml(reason.slice(0, 200))}</span>${error.after}</p>`,
  })
}

/** The language of the user, as the studio has stored it; else of the browser. */
const languageOfReader = async (app: App, request: FastifyRequest): Promise<Language> =>
  (isUser(request) ? await languageOfUser(app, userOf(request).userId) : null) ??
  languageOfBrowser(request.headers['accept-language'])

const placeOf = ({ protocol, host }: URL): string => (host === '' ? `${protocol}` : host)

type Page = { language: Language; title: string; body: string; formTarget?: string }

function sendPage(
  { config }: App,
  reply: FastifyReply,
  status: number,
  { language, title, body, formTarget }: Page,
): FastifyReply {
  const name = escapeHtml(config.site.name)
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    "img-src 'self'",
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return reply
    .code(status)
    .headers({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">' +
        `${iconLink(config.site)}<title>${escapeHtml(title)} · ${name}</title><style>${STYLE}</style></head>` +
        `<body><main><p class="brand"><a href="/"><img src="${iconOf(config.site)}" alt="" width="24" height="24">${name}</a></p>${body}</main></body></html>`,
    )
}

/** The studio's colours and sizes (studio/src/ui/base.css). */
const STYLE =
  ':root{color-scheme:dark light;--ground:light-dark(#f6f4ef,#0e0f11);--raised:light-dark(#fffdf9,#17181b);' +
  '--line:light-dark(#d9d5ca,#2e2f33);--edge:light-dark(#807b71,#6d6a64);--text:light-dark(#141517,#f6f4ef);' +
  '--quiet:light-dark(#4f4c45,#b3afa6);--accent:#f2b03d;--accent-text:light-dark(#724b00,#f2b03d)}' +
  'body{margin:0;background:var(--ground);color:var(--text);font:400 15px/24px Inter,system-ui,sans-serif}' +
  'main{box-sizing:border-box;width:calc(100% - 32px);max-width:480px;margin:10vh auto;padding:clamp(16px,6vw,32px);background:var(--raised);' +
  'border:1px solid var(--line);border-radius:6px;overflow-wrap:anywhere}' +
  '.brand{margin:0 0 24px;font-weight:600}.brand a{display:inline-flex;gap:12px;align-items:center;color:var(--text);text-decoration:none}h1{font-size:24px;line-height:32px;margin:0 0 16px}' +
  'a{color:var(--accent-text)}.quiet{color:var(--quiet);font-size:13px;line-height:20px}' +
  'button{font:inherit;min-height:44px;padding:8px 16px;margin:8px 8px 8px 0;border-radius:6px;border:1px solid var(--edge);' +
  'background:none;color:inherit;cursor:pointer}.allow{background:var(--accent);border-color:var(--accent);color:#0e0f11;' +
  'font-weight:600}button:focus-visible,a:focus-visible{outline:2px solid var(--accent-text);outline-offset:2px}' +
  'label{display:block;font-size:13px;line-height:20px}input:not([type=hidden]),select{display:block;box-sizing:border-box;width:100%;min-height:44px;' +
  'margin-top:4px;padding:8px 12px;font:400 15px/24px Inter,system-ui,sans-serif;color:inherit;background:var(--ground);' +
  'border:1px solid var(--edge);border-radius:6px}input:focus-visible,select:focus-visible{outline:2px solid var(--accent-text);outline-offset:2px}' +
  'form .quiet{margin:4px 0 16px}.budget{display:flex;gap:12px}.budget label{flex:1;min-width:0}' +
  '.apps form{margin-top:12px}.apps{list-style:none;padding:0}.apps li{border-top:1px solid var(--line);padding:16px 0}.apps span{display:block}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** The texts of the pages, inserted as they are: none has `<`, `>` or `&`; the pages escape the names in them. */
type OauthTexts = {
  /** Texts of the consent and of the list of programs. */
  scopes: Record<string, string>
  unnamed: string
  connectTitle: string
  connect: (name: string) => string
  /** The texts before and after the address to which the program leads, which is in bold. */
  leadsTo: { before: string; after: string }
  owner: string
  ownAccount: string
  ownerHint: string
  budgetLabel: string
  periodLabel: string
  periods: Record<BudgetPeriod, string>
  budgetHint: string
  changeBudget: string
  /** Between a name and its value. */
  colon: string
  used: (credits: number, period: BudgetPeriod) => string
  allow: string
  deny: string
  /** The text before the link to the list of programs; the link's text, also the list's title; after it. */
  caution: string
  appsTitle: string
  appsHint: string
  since: (date: string) => string
  disconnect: string
  none: string
  back: string
  errorTitle: string
  /** The texts before and after the reason, which is the library's, in English. */
  error: { before: string; after: string }
}

const oauthTexts: Record<Language, OauthTexts> = {
  en: {
    scopes: {
      read: 'See films, models and credits',
      generate: 'Make, cancel and delete films, which spends credits',
      offline_access: 'Stay connected until you disconnect it, for up to 90 days',
    },
    unnamed: 'A program without a name',
    connectTitle: 'Connect a program',
    connect: (name) => `Connect ${name}?`,
    leadsTo: { before: 'The program leads to ', after: '. It may then:' },
    owner: 'Acts for',
    ownAccount: 'Your own account',
    ownerHint: 'It sees and spends what belongs to this one, and nothing of the others.',
    budgetLabel: 'Credits it may spend',
    periodLabel: 'In a',
    periods: { day: 'day', week: 'week', month: 'month' },
    budgetHint: 'Leave it empty for no limit. Credits of films that fail come back to the budget.',
    changeBudget: 'Change the budget',
    colon: ': ',
    used: (credits, period) =>
      `${counted(credits, 'credit')} used ${{ day: 'today', week: 'this week', month: 'this month' }[period]}`,
    allow: 'Connect',
    deny: 'Cancel',
    caution: 'Connect only what you have started yourself. ',
    appsTitle: 'Connected programs',
    appsHint: ' can be disconnected at any time.',
    since: (date) => `since ${date}`,
    disconnect: 'Disconnect',
    none: 'No program is connected.',
    back: 'Back to your account',
    errorTitle: 'This program cannot be connected',
    error: { before: 'Its request is not valid: ', after: '. Nothing was connected.' },
  },
  'zh-Hans': {
    scopes: {
      read: '查看影片、模型和积分',
      generate: '制作、取消和删除影片，这会使用积分',
      offline_access: '保持连接，直到你断开，最多 90 天',
    },
    unnamed: '未命名的程序',
    connectTitle: '连接程序',
    connect: (name) => `要连接 ${name} 吗？`,
    leadsTo: { before: '该程序会返回到 ', after: '。连接后，它可以：' },
    owner: '代表',
    ownAccount: '你自己的账号',
    ownerHint: '它只能查看和使用属于此处的内容，不涉及其他账号或团队。',
    budgetLabel: '可使用的积分',
    periodLabel: '周期',
    periods: { day: '每天', week: '每周', month: '每月' },
    budgetHint: '留空表示不限制。失败影片的积分会退回预算。',
    changeBudget: '更改预算',
    colon: '：',
    used: (credits, period) => `${{ day: '今天', week: '本周', month: '本月' }[period]}已使用 ${credits} 积分`,
    allow: '连接',
    deny: '取消',
    caution: '请只连接你自己启动的程序。',
    appsTitle: '已连接的程序',
    appsHint: '可以随时断开。',
    since: (date) => `自 ${date}`,
    disconnect: '断开',
    none: '没有已连接的程序。',
    back: '返回你的账号',
    errorTitle: '无法连接此程序',
    error: { before: '它的请求无效：', after: '。没有连接任何程序。' },
  },
}
