/** The public exports of the package. */
export type { AllPaths, CallOptions, DataOf, Schemas } from './calls.ts'
export { type Kinora, type KinoraOptions, openKinora } from './client.ts'
export { creditCsvHeader, creditCsvRow } from './credit-csv.ts'
export { type ErrorCode, type KinoraError, KinoraStreamError, type Result } from './errors.ts'
export type { EventsOptions, VideoEvent } from './events.ts'
export type {
  GenerateBody,
  GenerateProjectBody,
  InputsBody,
  UpscaleBody,
  Video,
  WaitOptions,
} from './generate-and-wait.ts'
export { type IdempotencyKeys, newIdempotencyKey, openIdempotencyKeys } from './idempotency-key.ts'
export type { components, operations, paths, webhooks } from './openapi.ts'
export type {
  components as operatorComponents,
  operations as operatorOperations,
  paths as operatorPaths,
} from './openapi-operator.ts'
export { accepts, type OpenBody, type Scalar, type Schema, withModelValues } from './request-schema.ts'
export { isNewerTask, type Task } from './task.ts'
export type { Asset, UploadOptions } from './upload.ts'
export { KinoraWebhookError, unwrap, type WebhookEvent, type WebhookHeaders } from './webhook.ts'
