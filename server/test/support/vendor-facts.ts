/**
 * What each vendor takes for the models of the catalogue: fields, types and values, read from the types of its official
 * client or from its documents, and not from the catalogue. A field that is not here is refused.
 */
import { fal } from './vendor-facts/fal.ts'
import type { Facts } from './vendor-facts/fields.ts'
import { google } from './vendor-facts/google.ts'
import { makers } from './vendor-facts/makers.ts'
import { resellers } from './vendor-facts/resellers.ts'
import { selfHosted } from './vendor-facts/self-hosted.ts'

/** By account and the vendor's name of the model, and by mode where modes differ. */
export const vendorFacts: Record<string, Record<string, Facts>> = {
  ...makers,
  ...google,
  fal,
  ...resellers,
  ...selfHosted,
}
