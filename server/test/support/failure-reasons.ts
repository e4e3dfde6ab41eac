/** The service's reasons of failed films, for tests of their translations. Names of others are in Chinese. */
export const FAILURE_REASONS = [
  'Cancelled before it began; your credits are back.',
  'Cancelled while it was being made; your credits are back.',
  'The provider did not finish the film in time.',
  'No provider could take the task in time.',
  'The provider never said whether it took the task.',
  'The provider refused this film without saying why.',
  'The provider reported a failure without a reason.',
  'The provider reported "丙" without a reason.',
  'The provider does not know this model: 己',
  "The provider's film could not be used: 甲",
  'The start image could not be used: 乙',
  'The film to extend could not be used: 丁',
  'The film to upscale could not be used: 戊',
]

/** The answer to a cancel that the provider may not heed. */
export const CANCEL_REQUESTED =
  'The provider was asked to stop this film. It may finish it all the same; then you keep the film, and pay for it.'
