/**
 * HTTP into the simulated API processes: the product's routes, validation and error responses, without sockets. One
 * Fastify serves all processes; the process whose code runs decides which app it sees.
 */
import Fastify, { type FastifyRequest } from 'fastify'
import { asMember, type Caller, notMember } from '../../server/src/account/credential/credential.ts'
import type { Budget } from '../../server/src/account/key/api-key.ts'
import { findMembership } from '../../server/src/account/team/membership.ts'
import { type Role, requireRole } from '../../server/src/account/team/role.ts'
import { changeMember, setMemberBudget } from '../../server/src/account/team/team.ts'
import type { App } from '../../server/src/app.ts'
import { moveToTeam } from '../../server/src/credit/transfer.ts'
import { registerCallback } from '../../server/src/http/callback.ts'
import { authWebhooks, registerPaymentWebhooks } from '../../server/src/http/payment-webhook.ts'
import { registerProject } from '../../server/src/http/project.ts'
import { registerErrors } from '../../server/src/http/request/error-responses.ts'
import { buildSerializer, compileValidator } from '../../server/src/http/request/validator.ts'
import { registerVideo } from '../../server/src/http/video.ts'
import type { FaultInjector } from './fault-injector.ts'
import type { Service } from './processes.ts'
import { currentProcess, type Process, type Scheduler } from './scheduler.ts'

export type ApiRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  /** The signed-in user. */
  userId?: string
  /** The team for which the user sends it. */
  teamId?: string
}
export type ApiResponse = { status: number; data: Record<string, unknown> }
/** Null: no response came in time. `acknowledged` is called when a response leaves its process, also when lost then. */
export type Call = (request: ApiRequest, acknowledged?: (response: ApiResponse) => void) => Promise<ApiResponse | null>

const PATIENCE_MS = 15_000

let appOf: (process: Process) => App
/** The app of the process whose code runs. */
const app = new Proxy({} as App, {
  get: (_, name) => appOf(currentProcess.getStore() as Process)[name as keyof App],
})
const http = Fastify({ schemaController: { compilersFactory: { buildSerializer } } })
http.setValidatorCompiler(compileValidator)
http.removeContentTypeParser('text/plain')
registerErrors(http, () => null)
http.decorateRequest('caller', null)
http.addHook('onRequest', async (request) => {
  const { 'x-simulated-user': userId, 'x-team': teamId } = request.headers
  if (typeof userId !== 'string') return
  const caller: Caller = { userId, actorId: userId, isAdmin: false, team: null, key: null }
  request.caller = typeof teamId === 'string' ? await memberOf(caller, teamId) : caller
})
registerVideo(http, app)
registerProject(http, app)
registerMembers()
registerCallback(http, app)
registerPaymentWebhooks(http, app)
const webhooksOfAuth = new Map(
  Object.values(authWebhooks(app).endpoints).map((each) => [`/api/auth${each.path}`, each]),
)
await http.ready()

export function openApi(scheduler: Scheduler, injector: FaultInjector, service: Service): Call {
  appOf = service.appOf
  const { random } = scheduler
  return (request, acknowledged) =>
    new Promise((resolve) => {
      const { random } = scheduler
      let isAnswered = false
      const finish = (response: ApiResponse | null) => {
        if (isAnswered) return
        isAnswered = true
        resolve(response)
      }
      scheduler.after(PATIENCE_MS, null, () => finish(null))
      if (injector.injects('request lost')) return
      const deliver = () =>
        scheduler.after(delayMs(), null, () => {
          const process = service.anyAlive('api')
          if (!process) return
          scheduler.after(0, process, () => {
            currentProcess.run(process, () => {
              handle(request).then((response) => {
                if (!process.isAlive) return
                acknowledged?.(response)
                if (!injector.injects('response lost')) scheduler.after(delayMs(), null, () => finish(response))
              })
            })
          })
        })
      deliver()
      if (injector.injects('request twice')) scheduler.after(random.between(0, 5_000), null, deliver)
    })

  function delayMs(): number {
    return random.between(1, injector.injects('slow') ? 20_000 : 100)
  }
}

async function handle({ method, path, headers, body, userId, teamId }: ApiRequest): Promise<ApiResponse> {
  const webhook = webhooksOfAuth.get(path)
  if (webhook) return await handleAuthWebhook(webhook, headers, body)
  const response = await http.inject({
    method: method as 'POST',
    url: path,
    headers: { ...headers, ...(userId && { 'x-simulated-user': userId }), ...(teamId && { 'x-team': teamId }) },
    ...(body ? { payload: body } : {}),
  })
  const json = response.json()
  return { status: response.statusCode, data: json.success ? json.data : json.error }
}

/**
 * The caller as a member, looked up for each request: what the service caches counts for a second at most. Members make
 * films and move credits, and owners change members, so every request needs the role of a maker at least.
 */
async function memberOf(caller: Caller, teamId: string): Promise<Caller> {
  const membership = await findMembership(app, { teamId, userId: caller.actorId, keyId: null })
  if (!membership) throw notMember()
  requireRole(membership.role, 'maker')
  return asMember(caller, teamId, membership)
}

/** Members and transfers as in http/team.ts, whose routes ask better-auth for the session. */
function registerMembers(): void {
  const changeOf = ({ caller, params }: FastifyRequest) => {
    if (!caller?.team) throw notMember()
    const { id: userId } = params as { id: string }
    return { teamId: caller.userId, actorId: caller.actorId, userId, actorRole: caller.team.role }
  }
  http.patch('/api/v1/team/members/:id', async (request) => {
    const { actorRole, ...change } = changeOf(request)
    const { role, budget } = request.body as { role?: Role; budget?: Budget }
    requireRole(actorRole, 'admin')
    if (role) await changeMember(app, { ...change, role })
    if (budget) await setMemberBudget(app, { ...change, role: actorRole, budget })
    return { success: true, data: {} }
  })
  http.post('/api/v1/team/credits', async ({ caller, headers, body }) => {
    if (!caller?.team) throw notMember()
    const { credits } = body as { credits: number }
    const from = { userId: caller.actorId, teamId: caller.userId }
    return {
      success: true,
      data: await moveToTeam(app, { ...from, credits, idempotencyKey: String(headers['idempotency-key']) }),
    }
  })
  http.delete('/api/v1/team/members/:id', async (request) => {
    await changeMember(app, { ...changeOf(request), role: null })
    return { success: true, data: {} }
  })
}

/** payment-a's webhook lies under /api/auth, so better-auth calls it. */
async function handleAuthWebhook(
  webhook: ReturnType<typeof authWebhooks>['endpoints'][string],
  headers: Record<string, string>,
  body: string,
): Promise<ApiResponse> {
  const request = new Request(`https://kinora.example/api/auth${webhook.path}`, { method: 'POST', headers, body })
  try {
    await webhook({ request, headers: request.headers } as unknown as Parameters<typeof webhook>[0])
    return { status: 200, data: {} }
  } catch (error) {
    return { status: 500, data: { message: String(error) } }
  }
}
