/** Generated from the documents by `npm run openapi`: the POSTs that take an Idempotency-Key. */
export const KEYED: ReadonlySet<string> = new Set([
  '/api/v1/admin/credits/add',
  '/api/v1/admin/credits/collect',
  '/api/v1/admin/credits/forgive',
  '/api/v1/admin/credits/reverse-expiry',
  '/api/v1/admin/credits/take',
  '/api/v1/project/{id}/generate',
  '/api/v1/project/{id}/render',
  '/api/v1/team/credits',
  '/api/v1/video/generate',
])
