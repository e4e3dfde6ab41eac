/**
 * Texts that the service writes, which are English: messages of errors, reasons of failed films, rules of models, the
 * state of the new-user gift. English users read them as they come. In another language, activate.ts installs a
 * translator that knows the usual ones.
 */
import type { KinoraError, Schemas } from '@kinora/client'

export type Gift = Schemas['Gift']

/** Each returns null for what it does not know: the service's own text is shown then. */
export type ServiceTranslator = {
  error: (error: KinoraError) => string | null
  failure: (reason: string) => string | null
  gift: (state: Gift['state']) => string | null
  product: (name: string) => string | null
  rule: (why: string) => string | null
}

let translator: ServiceTranslator | null = null
export function installTranslator(installed: ServiceTranslator): void {
  translator = installed
}

/** The error with its message in the user's language. */
export function localizeError(error: KinoraError): KinoraError {
  const message = translator?.error(error)
  return message ? { ...error, message } : error
}

export const failureText = (reason: string): string => translator?.failure(reason) ?? reason

/** The name of a pack or plan of the catalogue. */
export const productName = (name: string): string => translator?.product(name) ?? name

/** Why a rule of a model forbids a value. */
export const ruleText = (why: string): string => translator?.rule(why) ?? why

export const giftText = ({ state, message }: Gift): string | null => translator?.gift(state) ?? message
