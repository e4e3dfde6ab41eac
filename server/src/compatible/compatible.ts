/**
 * The door of this room: what the composing file takes from it. The routes are loaded on demand, because a worker has
 * none.
 */
import type { RegisterFormats } from '../http/server.ts'

export { webhookFormats } from './wire-formats.ts'

export const registerFormats: RegisterFormats = async (http, app, credentials) =>
  (await import('./formats.ts')).registerAll(http, app, credentials)
