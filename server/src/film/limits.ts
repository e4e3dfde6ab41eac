/** The limits of a generate request that hold for every model. */
import { Type } from 'typebox'

export const PROMPT_CHARACTERS_MAX = 5000
export const INPUT_URL_CHARACTERS_MAX = 2048
/** Films that one request may ask for. */
export const FILMS_MAX = 4
/** More than any model takes. */
export const REFERENCES_MAX = 50
export const INPUTS_MAX = 60
/** The most that every provider takes. */
export const SEED_MAX = 2 ** 31 - 1
/** Those of OpenAI's metadata. */
const METADATA_ENTRIES_MAX = 16
const METADATA_KEY_CHARACTERS_MAX = 64
const METADATA_VALUE_CHARACTERS_MAX = 512

export type Metadata = Record<string, string>
export const metadataStored = Type.Unsafe<Metadata>({ type: 'object', additionalProperties: { type: 'string' } })
/** What a caller notes beside a film; no parameter of it. PostgreSQL keeps no null character. */
export const metadataSchema = Type.Unsafe<Metadata>({
  type: 'object',
  maxProperties: METADATA_ENTRIES_MAX,
  propertyNames: { minLength: 1, maxLength: METADATA_KEY_CHARACTERS_MAX, pattern: '^[^\\u0000]*$' },
  additionalProperties: { type: 'string', maxLength: METADATA_VALUE_CHARACTERS_MAX, pattern: '^[^\\u0000]*$' },
  description:
    `Notes of your own, such as the id of an order: at most ${METADATA_ENTRIES_MAX} texts of ${METADATA_VALUE_CHARACTERS_MAX} characters, by names of ` +
    `${METADATA_KEY_CHARACTERS_MAX}. The film’s detail, lists, events and webhooks have them, and no provider gets them`,
})

/** How many films a request asks for; no field of any of them. */
export const filmCount = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: FILMS_MAX,
    description:
      'Films to make, all or none, with consecutive seeds if one is given. Each is a video of its own; the response has `videos`',
  }),
)
