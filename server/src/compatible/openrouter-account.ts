/** What OpenRouter's package reads beside films, at the format's own base address: the key, its credits, the models. */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type BudgetPeriod, describeKey, withinBudgets } from '../account/key/api-key.ts'
import type { App } from '../app.ts'
import type { Model } from '../catalogue/model.ts'
import { balance } from '../credit/ledger.ts'
import type { Kind } from '../film/inputs.ts'
import { typed, userOf } from '../http/request/request.ts'
import { enabledModels, modelNotFound, ownModel, reads } from './format.ts'

const ModelName = Type.Object({ author: Type.String(), slug: Type.String() })

/** Not for browser tokens: the account is not its visitor's. */
const ofAccount = { ...reads({}), config: { access: 'user', scope: 'read' } } as const

export function registerAccount(scope: FastifyInstance, app: App): void {
  const http = typed(scope)

  // A remainder that the package works out is what the key can spend.
  http.get('/credits', ofAccount, async (request) => {
    const caller = userOf(request)
    const { available, used, frozen } = await balance(app, caller.userId)
    const { left } = await withinBudgets(app, caller, available)
    return { data: { total_credits: used + frozen + left, total_usage: used + frozen } }
  })

  http.get('/key', ofAccount, async (request) => ({ data: toKey(await describeKey(app, userOf(request))) }))

  http.get('/models', reads({}), async () => {
    const data = enabledModels(app).map((model) => toModel(model, app))
    return { data, links: { next: null }, total_count: data.length }
  })

  http.get('/models/count', reads({}), async () => ({ data: { count: enabledModels(app).length } }))

  http.get('/model/:author/:slug', reads({ params: ModelName }), async (request) => {
    const name = ownModel(app, request.params.author, request.params.slug)
    const model = enabledModels(app).find(({ id }) => id === name)
    if (!model) throw modelNotFound(app)
    return { data: toModel(model, app) }
  })
}

const RESETS: Record<BudgetPeriod, string> = { day: 'daily', week: 'weekly', month: 'monthly' }

/** What Kinora has no such thing of is null, false or 0. */
function toKey({ name, start, budget, used, expiresAt }: Awaited<ReturnType<typeof describeKey>>) {
  return {
    label: name || start,
    limit: budget?.credits ?? null,
    limit_remaining: budget && Math.max(0, budget.credits - budget.used),
    limit_reset: budget && RESETS[budget.period],
    // Of this month: a key counts no longer.
    usage: used.month,
    usage_daily: used.day,
    usage_weekly: used.week,
    usage_monthly: used.month,
    ...{ byok_usage: 0, byok_usage_daily: 0, byok_usage_weekly: 0, byok_usage_monthly: 0 },
    expires_at: expiresAt,
    ...{ allowed_data_regions: [], creator_user_id: null, organization_id: null, workspace_id: null },
    ...{ include_byok_in_limit: false, is_free_tier: false, is_management_key: false, is_provisioning_key: false },
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    rate_limit: { interval: '1m', requests: -1, note: 'Deprecated; the limits are in the headers of a response.' },
  }
}

const MODALITIES: Record<Kind, string> = { image: 'image', film: 'video', sound: 'audio' }

function toModel({ id, name, company, roles, options = {} }: Model, { config }: App) {
  const kinds = new Set([...roles.values()].flatMap((uses) => [...uses.values()].flatMap((use) => use.kinds)))
  const inputs = ['text', ...[...kinds].map((kind) => MODALITIES[kind])]
  return {
    id,
    canonical_slug: id,
    name,
    created: 0,
    description: `${name} of ${company}; GET videos/models has its durations, sizes and prices in credits.`,
    architecture: { input_modalities: inputs, output_modalities: ['video'], modality: `${inputs.join('+')}->video` },
    pricing: { prompt: '0', completion: '0' },
    context_length: null,
    default_parameters: null,
    per_request_limits: null,
    supported_parameters: Object.hasOwn(options, 'seed') ? ['seed'] : [],
    supported_voices: null,
    top_provider: { is_moderated: false },
    links: { details: `${config.publicUrl}/docs` },
  }
}
