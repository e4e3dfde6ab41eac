/** `/api/v1/video/consent`: the statement about the persons whose faces and voices go into films. */
import { Type } from 'typebox'
import { consentOf, giveConsent } from '../video/consent.ts'
import { ok } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

const Version = Type.String({ minLength: 1, maxLength: 64, description: 'Of the text; it changes with the text' })
const ConsentState = Type.Object(
  {
    text: Type.Union([Type.String(), Type.Null()], {
      description: 'What is stated; null: this service asks for nothing',
    }),
    version: Type.Union([Version, Type.Null()]),
    givenAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When your account, or the team, has stated it; null: not yet',
    }),
  },
  {
    title: 'Consent',
    examples: [
      {
        text: 'Every person who is seen or heard in what I send has agreed to it.',
        version: '0b7c1f9a2d3e',
        givenAt: '2026-01-05T10:00:00.000Z',
      },
    ],
  },
)

const url = '/api/v1/video/consent'
const route = routesOf({ tag: 'video', access: 'user' })
const shown = ({ givenAt, ...consent }: Awaited<ReturnType<typeof consentOf>>) =>
  ok({ ...consent, givenAt: givenAt?.toISOString() ?? null })

const getConsentRoute = route('GET', url, {
  operationId: 'getConsent',
  summary: 'The statement about persons in your inputs',
  config: { scope: 'read' },
  description:
    'A film with a portrait, a motion or a sound needs it, once an account or team: 403 CONSENT_REQUIRED has its text.',
  data: ConsentState,
  handler: async (app, request) => shown(await consentOf(app, userOf(request).userId)),
})

const giveConsentRoute = route('PUT', url, {
  operationId: 'giveConsent',
  summary: 'State that the persons in your inputs have agreed',
  config: { scope: 'generate' },
  description: 'It is stored with its text and time, and is in your export. 409: the text is another one by now.',
  body: Type.Object({ version: Version }, { additionalProperties: false, examples: [{ version: '0b7c1f9a2d3e' }] }),
  errors: ['CONFLICT'],
  data: ConsentState,
  handler: async (app, request) => shown(await giveConsent(app, userOf(request), request.body.version)),
})

export const registerConsent = together(getConsentRoute, giveConsentRoute)
