/** `/api/v1/writer`: proposals of the operator's language model, which the caller reads before anything is made. */
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { AppError } from '../errors.ts'
import { orNull } from '../film/describe.ts'
import { PROMPT_CHARACTERS_MAX } from '../film/limits.ts'
import { SHOTS_MAX } from '../project/shots.ts'
import { checkText } from '../video/content-check.ts'
import type { Writer } from '../writer/writer.ts'
import { ok } from './request/envelope.ts'
import { routesOf, together } from './request/routes.ts'

/** As much as some twenty pages. */
const SCRIPT_CHARACTERS_MAX = 40_000
const SHOT_SECONDS_MAX = 60
const exampleShot = {
  prompt: 'A lighthouse on a cliff at dusk, long shot, waves below, the light begins to turn',
  seconds: 5,
}

const Prompt = Type.String({ minLength: 1, maxLength: PROMPT_CHARACTERS_MAX })
const route = routesOf({ tag: 'project', access: 'user' })
const config = { scope: 'generate', limit: 'writer', test: false } as const
const CHARGES_NOTHING =
  'Nothing is made or charged. Moderation sees the text first, where there is one. 404: this service has no writer (`WRITER_URL`).'

const improveRoute = route('POST', '/api/v1/writer/prompt', {
  operationId: 'improvePrompt',
  summary: 'Propose another text of a prompt',
  config,
  description: CHARGES_NOTHING,
  body: Type.Object(
    { prompt: Prompt, model: Type.Optional(Type.String({ description: 'The model that it is for' })) },
    { additionalProperties: false, examples: [{ prompt: 'a lighthouse' }] },
  ),
  errors: ['CONTENT_REFUSED', 'UNAVAILABLE'],
  data: Type.Object({ prompt: Prompt }, { examples: [{ prompt: exampleShot.prompt }] }),
  handler: async (app, request) => {
    const { prompt, model: id } = request.body
    const model = everyModel().get(id ?? '')?.name ?? null
    return ok({ prompt: await proposed(app, prompt, (writer) => writer.improve(prompt, { model })) })
  },
})

const splitRoute = route('POST', '/api/v1/writer/shots', {
  operationId: 'proposeShots',
  summary: 'Propose the shots of a script',
  config,
  description: CHARGES_NOTHING,
  body: Type.Object(
    {
      script: Type.String({ minLength: 1, maxLength: SCRIPT_CHARACTERS_MAX, description: 'A script, or an idea' }),
      shots: Type.Optional(Type.Integer({ minimum: 1, maximum: SHOTS_MAX, description: 'The most to propose' })),
      seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: SHOT_SECONDS_MAX, description: 'Of a shot' })),
    },
    { additionalProperties: false, examples: [{ script: 'A lighthouse keeper finds a whale.', shots: 6 }] },
  ),
  errors: ['CONTENT_REFUSED', 'UNAVAILABLE'],
  data: Type.Object(
    {
      shots: Type.Array(
        Type.Object(
          { prompt: Prompt, seconds: orNull(Type.Number(), 'The length that it proposes; null: none') },
          { title: 'ProposedShot' },
        ),
      ),
    },
    { examples: [{ shots: [exampleShot] }] },
  ),
  handler: async (app, request) => {
    const { script, shots: shotsMax = SHOTS_MAX, seconds = null } = request.body
    return ok({ shots: await proposed(app, script, (writer) => writer.split(script, { shotsMax, seconds })) })
  },
})

/** @throws AppError NOT_FOUND without a writer; CONTENT_REFUSED; UNAVAILABLE */
async function proposed<Proposal>(
  app: App,
  text: string,
  propose: (writer: Writer) => Promise<Proposal | null>,
): Promise<Proposal> {
  if (!app.writer) throw new AppError('NOT_FOUND', 'This service has no writer; write the text yourself.')
  await checkText(app, text)
  const proposal = await propose(app.writer)
  if (proposal) return proposal
  throw new AppError('UNAVAILABLE', 'The writer gave no answer; try again shortly, or go on with your own text.', {
    retryAfterS: 30,
  })
}

export const registerWriter = together(improveRoute, splitRoute)
