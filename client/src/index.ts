/** What the package gives away. */
export { type CallOptions, type DataOf, type Kinora, type KinoraOptions, openKinora } from './client.ts'
export { type Answer, type ErrorCode, type KinoraError, KinoraStreamError } from './errors.ts'
export type { EventsOptions, VideoEvent } from './events.ts'
export { newKey } from './idempotency-key.ts'
export type { components, operations, paths } from './openapi.ts'
export type { GenerateBody, Task, Video, WaitOptions } from './generate-and-wait.ts'
