/** `GET /api/v1/limits`: what a caller can plan with: rates, videos in progress, sizes, budgets. */
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { budgetsLeft } from '../account/key/api-key.ts'
import { PIECE_BYTES } from '../asset/upload.ts'
import { FILMS_MAX, INPUTS_MAX, PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import {
  ASSET_FILM_BYTES_MAX,
  ASSET_IMAGE_BYTES_MAX,
  ASSET_SECONDS_MAX,
  ASSET_SOUND_BYTES_MAX,
} from '../media/asset/asset.ts'
import { inProgress } from '../video/in-progress.ts'
import { ok, TimestampOrNull } from './request/envelope.ts'
import { PAGE_SIZE_MAX } from './request/paging.ts'
import { addLimit, type Rate, ratesOf } from './request/rate-limits.ts'
import { userOf } from './request/request.ts'
import { BODY_BYTES_MAX } from './request/request-body.ts'
import { routesOf } from './request/routes.ts'

const whole = (description: string) => Type.Integer({ description })
const Limits = Type.Object(
  {
    rates: Type.Array(
      Type.Object({
        name: Type.String({ description: 'As in RateLimit: user counts every request, the others certain ones too' }),
        limit: whole('Requests in a window'),
        windowSeconds: whole('How long a window is, from its first request'),
        left: whole('Requests that are left in this window'),
        resetAt: TimestampOrNull('When the window ends; null: it has not begun'),
      }),
      { description: 'Of the person, with all keys and tokens; empty where nothing is limited' },
    ),
    inProgress: Type.Object({
      limit: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Videos of the account at a time; null: any number',
      }),
      now: whole('Those in progress; of a browser token those of its subject'),
    }),
    budgets: Type.Array(
      Type.Object({
        of: Type.Enum(['token', 'API key', 'member', 'program', 'account'], {
          description: 'account: a limit that those who run the service have set',
        }),
        credits: whole('What it may spend in a period; of a token, once'),
        left: whole('What is left of it'),
        resetAt: TimestampOrNull('When the next period begins; null of a token'),
      }),
      { description: 'Those that this request would spend from, beside the balance; each counts' },
    ),
    sizes: Type.Object({
      promptCharacters: whole('Of a prompt; a model may take fewer'),
      filmsPerRequest: whole('The most of n in generate'),
      inputs: whole('Of a film; a model takes fewer'),
      bodyBytes: whole('Of a JSON body'),
      imageBytes: whole('Of a picture that is uploaded'),
      filmBytes: whole('Of a film that is uploaded'),
      soundBytes: whole('Of a sound that is uploaded'),
      assetSeconds: whole('Of a film or sound that is uploaded'),
      assetsBytes: whole('Of all that an account keeps to make films from'),
      pieceBytes: whole('The least of a request of an upload by tus, but for the last'),
      pageSize: whole('Rows of a page of a list'),
    }),
  },
  {
    title: 'Limits',
    examples: [
      {
        rates: [
          { name: 'user', limit: 600, windowSeconds: 60, left: 599, resetAt: '2026-01-15T09:31:00.000Z' },
          { name: 'generate', limit: 60, windowSeconds: 60, left: 60, resetAt: null },
        ],
        inProgress: { limit: 100, now: 2 },
        budgets: [{ of: 'API key', credits: 500, left: 340, resetAt: '2026-02-01T00:00:00.000Z' }],
        sizes: {
          ...{ promptCharacters: 5000, filmsPerRequest: 4, inputs: 60, bodyBytes: 1_048_576 },
          ...{ imageBytes: 15_728_640, filmBytes: 209_715_200, soundBytes: 31_457_280, assetSeconds: 600 },
          ...{ assetsBytes: 5_368_709_120, pieceBytes: 8_388_608, pageSize: 100 },
        },
      },
    ],
  },
)

export const getLimitsRoute = routesOf({ tag: 'account', access: 'user' })('GET', '/api/v1/limits', {
  operationId: 'getLimits',
  summary: 'What you can plan with: rates, videos in progress, budgets, sizes',
  config: { scope: 'any', team: 'viewer', token: true, test: true },
  description:
    'Reading it counts as a request of `user`, and of no other rate. The headers RateLimit-Policy and RateLimit have the rates, the videos in ' +
    'progress (`qu="concurrent-requests"`) and the budgets (`qu="credits"`) too.',
  data: Limits,
  handler: async (app, request, reply) => {
    const caller = userOf(request)
    const [rates, films, budgets] = await Promise.all([
      ratesOf(app, caller),
      inProgress(app, caller),
      budgetsLeft(app, caller),
    ])
    const nowMs = app.now().getTime()
    nameAll(reply, { rates, films, budgets, nowMs })
    const sizes = {
      ...{ promptCharacters: PROMPT_CHARACTERS_MAX, filmsPerRequest: FILMS_MAX, inputs: INPUTS_MAX },
      ...{ bodyBytes: BODY_BYTES_MAX, imageBytes: ASSET_IMAGE_BYTES_MAX, filmBytes: ASSET_FILM_BYTES_MAX },
      ...{ soundBytes: ASSET_SOUND_BYTES_MAX, assetSeconds: ASSET_SECONDS_MAX, assetsBytes: app.config.assetBytes },
      ...{ pieceBytes: PIECE_BYTES, pageSize: PAGE_SIZE_MAX },
    }
    const shown = rates.map(({ resetMs, ...rate }) => ({
      ...rate,
      resetAt: resetMs > 0 ? new Date(nowMs + resetMs) : null,
    }))
    return ok({ rates: shown, inProgress: films, budgets, sizes })
  },
})

type All = {
  rates: Rate[]
  films: { limit: number | null; now: number }
  budgets: { of: string; credits: number; left: number; resetAt: Date | null }[]
  nowMs: number
}

function nameAll(reply: FastifyReply, { rates, films: { limit, now }, budgets, nowMs }: All): void {
  for (const { name, limit: q, windowSeconds, left, resetMs } of rates) {
    const seconds = Math.ceil(resetMs / 1000) || windowSeconds
    addLimit(reply, name, `"${name}";q=${q};w=${windowSeconds}`, `r=${left};t=${seconds}`)
  }
  if (limit !== null) {
    const policy = `"in-progress";q=${limit};qu="concurrent-requests"`
    addLimit(reply, 'in-progress', policy, `r=${Math.max(0, limit - now)}`)
  }
  for (const { of, credits, left, resetAt } of budgets) {
    const t = resetAt === null ? '' : `;t=${Math.ceil((resetAt.getTime() - nowMs) / 1000)}`
    addLimit(reply, `budget of ${of}`, `"budget of ${of}";q=${credits};qu="credits"`, `r=${left}${t}`)
  }
}
