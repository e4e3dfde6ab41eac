/** `POST /api/v1/provenance/verify`: everyone asks by a file's SHA-256 whether it was made here. */
import { Type } from 'typebox'
import { orNull } from '../film/describe.ts'
import { findProvenance } from '../video/provenance-record.ts'
import { ok, TextOrNull, TimestampOrNull } from './request/envelope.ts'
import { routesOf, together } from './request/routes.ts'

const example = {
  known: true,
  kind: 'film' as const,
  model: 'Delta 1.5',
  madeAt: '2026-01-15T09:30:48.000Z',
  signed: true,
  signer: 'Example Films Ltd',
  ingredients: [{ relationship: 'input' as const, contentType: 'image/png', madeHere: false }],
}
const unknown = { known: false, kind: null, model: null, madeAt: null, signed: null, signer: null, ingredients: null }

const Ingredient = Type.Object({
  relationship: Type.Enum(['parent', 'input'], {
    description: 'parent: the film that it extends or enlarges; input: a picture that the model was given',
  }),
  contentType: TextOrNull('null: unknown'),
  madeHere: Type.Boolean({ description: 'Whether it is a film of this service' }),
})
const Verification = Type.Object(
  {
    known: Type.Boolean({ description: 'Whether the file was made here; false: the other fields are null' }),
    kind: orNull(Type.Enum(['film', 'poster']), 'What the file is'),
    model: TextOrNull('The public name of the model'),
    madeAt: TimestampOrNull('When the film was ready'),
    signed: orNull(Type.Boolean(), 'Whether it has signed content credentials'),
    signer: TextOrNull('Whose certificate they are signed with'),
    ingredients: orNull(Type.Array(Ingredient), 'What it was made from, beside text'),
  },
  { title: 'ProvenanceVerification', examples: [example] },
)

const route = routesOf({ tag: 'provenance' })

const verifyProvenanceRoute = route('POST', '/api/v1/provenance/verify', {
  operationId: 'verifyProvenance',
  summary: 'Whether a file was made here',
  config: { limit: 'verify' },
  description:
    'Needs no credential, and says nothing about the owner. A film or poster is known by its bytes, also after it was deleted; one that was ' +
    'changed, or is not signed yet, is not known.',
  body: Type.Object(
    { sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'SHA-256 of the file, in hexadecimal' }) },
    { additionalProperties: false, examples: [{ sha256: '9f86d081884c7d65'.repeat(4) }] },
  ),
  data: Verification,
  handler: async (app, request) => {
    const found = await findProvenance(app, request.body.sha256)
    return ok(found ? { known: true, ...found } : unknown)
  },
})

export const registerProvenance = together(verifyProvenanceRoute)
