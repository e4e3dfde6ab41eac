/** The limits of a generate request that hold for every model. */
import { Type } from 'typebox'

export const PROMPT_CHARACTERS_MAX = 5000
export const START_IMAGE_URL_CHARACTERS_MAX = 2048
/** Films that one request may ask for. */
export const FILMS_MAX = 4
/** More than any model takes. */
export const REFERENCE_IMAGES_MAX = 30
/** The most that every provider takes. */
export const SEED_MAX = 2 ** 31 - 1
/** How many films a request asks for; no field of any of them. */
export const filmCount = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: FILMS_MAX,
    description:
      'Films to make, all or none, with consecutive seeds if one is given. Each is a video of its own; the response has `videos`',
  }),
)
