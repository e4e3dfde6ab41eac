/** What the simulation and the chaos run use beside provider-a and provider-b: an account for each kind of protocol. */

/**
 * fal signs its callbacks, Vercel's are only a hint, and Runway has none; OpenRouter's films are opened by our key;
 * Kling finds a task by our name of it, and Vercel by a repetition; LocalAI's submit returns the film.
 */
export const vendorAccounts = ['fal', 'vercel', 'runway', 'openrouter', 'kling', 'localai']

/** The cheapest films of the catalogue at these accounts. */
export const vendorFilms = [
  { model: 'ltx-2.5-fast', duration: 6, aspectRatio: '16:9' },
  { model: 'wan-2.6', duration: 2, aspectRatio: '16:9' },
  { model: 'gen-4.5', duration: 2, aspectRatio: '16:9' },
  { model: 'seedance-2.0-mini', duration: 4, aspectRatio: '16:9', quality: '480p' },
  { model: 'kling-2.6', duration: 5, aspectRatio: '16:9' },
  { model: 'wan-2.2', duration: 4, aspectRatio: '16:9' },
]
