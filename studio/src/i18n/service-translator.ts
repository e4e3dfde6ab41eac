/**
 * Translates texts of the service by their codes, and reasons of failed films, which have none, by their English. Where
 * one code has many messages (INVALID_REQUEST, CONFLICT), the service's own message says more than a translation of the
 * code.
 */
import type { KinoraError } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import type { ServiceTranslator } from './service-text.ts'

export const translator: ServiceTranslator = {
  error: (error) => authMessage(error.code) ?? fileMessage(error) ?? reasonMessage(error) ?? messageOf(error),
  failure: failureMessage,
  product: productMessage,
  rule: ruleMessage,
  gift: (state) => {
    switch (state) {
      case 'decided':
        return null
      case 'waiting':
        return t`Your welcome credits come as soon as your e-mail address is verified.`
      case 'address_used':
        return t`Another account with this e-mail address has had the welcome credits, which are given once.`
      case 'domain_denied':
        return t`There are no welcome credits for addresses of this e-mail service. Ask those who run this service.`
      case 'network_limit':
        return t`Many accounts were made from your network today, so yours came without welcome credits. Ask those who run this service.`
    }
  },
}

/** The products of the shipped catalogue; an operator's own have the name that the operator gave them. */
function productMessage(name: string): string | null {
  switch (name) {
    case 'Starter pack':
      return t`Starter pack`
    case 'Standard pack':
      return t`Standard pack`
    case 'Pro pack':
      return t`Pro pack`
    case 'Basic, monthly':
      return t`Basic, monthly`
    case 'Pro, monthly':
      return t`Pro, monthly`
    case 'Ultimate, monthly':
      return t`Ultimate, monthly`
    case 'Basic, yearly':
      return t`Basic, yearly`
    case 'Pro, yearly':
      return t`Pro, yearly`
    case 'Ultimate, yearly':
      return t`Ultimate, yearly`
    default:
      return null
  }
}

/** The rules of the shipped models; an operator's own have the sentence that the operator gave them. */
function ruleMessage(why: string): string | null {
  switch (why) {
    case 'no provider of this service makes both':
      return t`no provider of this service makes both`
    case '1080p films have 6 seconds':
      return t`1080p films have 6 seconds`
    case 'Veo 3.1 Lite makes 8 seconds in 1080p':
      return t`Veo 3.1 Lite makes 8 seconds in 1080p`
    case 'Kling 2.6 makes sound in 1080p alone':
      return t`Kling 2.6 makes sound in 1080p alone`
    case 'Films of more than 10 seconds are at most 1080p':
      return t`Films of more than 10 seconds are at most 1080p`
    case 'Films of more than 10 seconds are 1080p':
      return t`Films of more than 10 seconds are 1080p`
    case 'A loop has 5 seconds':
      return t`A loop has 5 seconds`
    case '4k films are 16:9 or 9:16':
      return t`4k films are 16:9 or 9:16`
    case '1080p films are made of sounds of less than 30 seconds':
      return t`1080p films are made of sounds of less than 30 seconds`
    default:
      return null
  }
}

function messageOf(error: KinoraError): string | null {
  switch (error.code) {
    case 'UNREACHABLE':
      return t`The service cannot be reached. Check the connection and try again.`
    case 'UNAUTHENTICATED':
      return t`You are not signed in, or your session has ended. Sign in again.`
    case 'INSUFFICIENT_CREDITS':
      return t`This film costs ${credits(error.details.required)}; you have ${credits(error.details.available)}.`
    case 'TOO_MANY_IN_PROGRESS':
      return t`You have as many films in progress as are allowed at a time; wait for one to finish.`
    case 'RATE_LIMITED':
      return error.retryAfterSeconds === null
        ? t`That was too often. Try again later.`
        : t`That was too often. Try again in ${waitText(error.retryAfterSeconds)}.`
    case 'NOT_FOUND':
      return t`This does not exist, or not any more.`
    case 'MODEL_UNAVAILABLE':
      return t`This model is currently unavailable; choose another one.`
    case 'CONTENT_REFUSED':
      return error.details.categories.length > 0
        ? t`This was refused for its content (${error.details.categories.join(', ')}). Change the prompt or the images.`
        : t`This was refused for its content. Change the prompt or the images.`
    case 'DURATION_OUT_OF_RANGE':
      return inputSecondsMessage(error.message)
    case 'PAYLOAD_TOO_LARGE':
      return t`This is larger than allowed. Make it smaller and send it again.`
    case 'IDEMPOTENCY_KEY_REUSED':
      return t`This was sent before with other values. Load the page again.`
    case 'UNAVAILABLE':
      return error.message.startsWith('The writer ')
        ? t`The writer gave no answer. Try again shortly, or go on with your own text.`
        : t`The service is not available at the moment. Try again shortly.`
    case 'INTERNAL':
      return t`Something went wrong on our side.`
    default:
      return null
  }
}

/** As the service's English has it. */
function waitText(seconds: number): string {
  if (seconds < 60) return plural(seconds, { one: '# second', other: '# seconds' })
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 120) return plural(minutes, { one: '# minute', other: '# minutes' })
  return plural(Math.ceil(minutes / 60), { one: '# hour', other: '# hours' })
}

/** Of a film or sound among the inputs. */
function inputSecondsMessage(message: string): string | null {
  const [, from = '', to = '', seconds] = / of (\d+) to (\d+) seconds; .* has (\d+)\.$/.exec(message) ?? []
  return seconds === undefined ? null : t`It has ${seconds} seconds; the model takes ${from} to ${to}.`
}

const credits = (value: number): string => plural(value, { one: '# credit', other: '# credits' })

/** `reason` in the details of a refused picture, film or sound. */
function fileMessage({ details }: KinoraError): string | null {
  const [detail]: unknown[] = Array.isArray(details) ? details : []
  const reason = typeof detail === 'object' && detail !== null && 'reason' in detail ? detail.reason : null
  switch (reason) {
    case 'NOT_AN_IMAGE':
    case 'NOT_A_VIDEO':
    case 'NOT_AN_ASSET':
      return t`This is no picture, film or sound of a kind that is taken here.`
    case 'ANIMATED':
      return t`The image is animated. Send a still one.`
    case 'TRUNCATED':
      return t`The file is not complete. Send it again.`
    case 'WRONG_SIZE':
      return t`The image is too small, too large, or too long for its width.`
    case 'TOO_LARGE_PICTURE':
      return t`The picture of the film is too large. Save it smaller.`
    case 'TOO_LARGE':
      return t`This is larger than allowed. Make it smaller and send it again.`
    case 'TOO_LONG':
      return t`The film or sound is too long. Cut it.`
    case 'NO_VIDEO_TRACK':
    case 'NO_SOUND':
      return t`The file has no picture or no sound in it.`
    case 'PROTECTED':
      return t`The file is protected against copies. Send one without protection.`
    case 'HIGH_DYNAMIC_RANGE':
      return t`The film has high dynamic range (HDR). Save it in SDR.`
    case 'TRANSPARENT':
      return t`The film is transparent. Save it on a background.`
    case 'ROTATED':
      return t`The film is rotated and too long to be turned upright. Save it upright, or cut it.`
    case 'MORE_THAN_AN_IMAGE':
    case 'UNSUPPORTED_CODEC':
    case 'UNDECODABLE':
    case 'TOO_COSTLY':
    case 'TOO_SLOW':
      return t`The file cannot be read. Save it anew and send it again.`
    default:
      return null
  }
}

/** `reason` in the details of a refusal. */
function reasonMessage({ details }: KinoraError): string | null {
  switch (typeof details === 'object' && details !== null && 'reason' in details ? details.reason : null) {
    case 'impersonating':
      return t`Only the user may do this: you are signed in for another user. Stop impersonating first.`
    case 'impersonating_read_only':
      return t`You are signed in for another user, and read only. Stop impersonating, and give a reason when you begin again.`
    case 'code_unknown':
      return t`There is no such code. Check its letters and digits.`
    case 'code_ended':
      return t`This code has ended.`
    case 'email_not_verified':
      return t`Confirm your e-mail address first, on the account page.`
    case 'second_factor_missing':
      return t`A second factor is needed here. Set one up on the account page, or add a passkey there and sign in with it.`
    case 'code_used_up':
      return t`This code was redeemed as often as it may be.`
    case 'code_person_used':
      return t`Another account with your e-mail address has redeemed this code, which counts once for each person.`
    case 'code_not_new':
      return t`This code is for those who have bought nothing here yet.`
    case 'code_network_limit':
      return t`This code was redeemed from your network as often as it may be.`
    default:
      return null
  }
}

/** The messages of the authentication API, whose codes are as specific as they are. */
function authMessage(code: string): string | null {
  switch (code) {
    case 'INVALID_EMAIL_OR_PASSWORD':
      return t`The e-mail address or the password is wrong.`
    case 'INVALID_EMAIL':
      return t`This is not an e-mail address.`
    case 'INVALID_PASSWORD':
      return t`This is not your current password.`
    case 'PASSWORD_TOO_SHORT':
      return t`A password has at least 10 characters.`
    case 'PASSWORD_TOO_LONG':
      return t`A password has at most 128 characters.`
    case 'PASSWORD_TOO_COMMON':
      return t`Many people use this password, so it is guessed first. Choose another one.`
    case 'PASSWORD_IS_EMAIL':
      return t`The password must not be the e-mail address.`
    case 'YOU_CANNOT_IMPERSONATE_ADMINS':
      return t`An administrator cannot be impersonated.`
    case 'USER_ALREADY_EXISTS':
    case 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL':
      return t`There is an account with this e-mail address already. Sign in, or take another address.`
    case 'INVALID_TOKEN':
      return t`This link was used already or is wrong. Ask for a new one.`
    case 'TOKEN_EXPIRED':
      return t`This link is older than an hour. Ask for a new one.`
    case 'INVALID_USER':
      return t`This link is for another account. Sign in to that one, then open it again.`
    case 'EMAIL_MISMATCH':
      return t`This is not your e-mail address.`
    case 'EMAIL_ALREADY_VERIFIED':
      return t`Your e-mail address is verified already.`
    case 'BANNED_USER':
      return t`This account is locked. Ask those who run this service why.`
    case 'TOO_MANY_KEYS':
      return t`You have as many keys as are allowed; delete one that you no longer use.`
    case 'KEY_NOT_FOUND':
      return t`You have no such key.`
    default:
      return signInMethodMessage(code)
  }
}

/** The messages about second factors, passkeys, providers and the CAPTCHA. */
function signInMethodMessage(code: string): string | null {
  switch (code) {
    case 'PROVIDER_NOT_FOUND':
      return t`This way to sign in is not set up.`
    case 'SIGN_UP_CLOSED':
      return t`This service takes no new accounts. Ask those who run it for one.`
    case 'INVITATION_NEEDED':
      return t`A new account needs an invitation that is for this e-mail address, was not used and has not ended. Ask those who run this service for one.`
    case 'FAILED_TO_UNLINK_LAST_ACCOUNT':
      return t`This is your only way to sign in; add another one first.`
    case 'SECOND_FACTOR_REQUIRED':
      return t`This account has a second factor. Sign in at the sign-in page.`
    case 'USER_NOT_VERIFIED':
      return t`This passkey did not ask for a PIN, a fingerprint or a face. Set that up, or use another one.`
    case 'INVALID_CODE':
      return t`This code is wrong, or its time is over. Check the clock of the device that made it.`
    case 'INVALID_BACKUP_CODE':
      return t`There is no such recovery code, or it was used.`
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'CHALLENGE_NOT_FOUND':
      return t`This has taken too long. Begin again.`
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return t`Too many codes were wrong. Begin the sign-in again.`
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return t`Too many codes were wrong. Try again in 15 minutes.`
    case 'MISSING_RESPONSE':
    case 'VERIFICATION_FAILED':
      return t`The check that you are human was not passed. Try it again.`
    case 'PASSKEY_NOT_FOUND':
      return t`There is no account with this passkey here.`
    case 'AUTHENTICATION_FAILED':
      return t`The passkey was not accepted. Sign in another way.`
    case 'FAILED_TO_VERIFY_REGISTRATION':
      return t`The passkey could not be added. Try again, or with another device.`
    default:
      return null
  }
}

/** A provider's own words, in quotes, after the colon and whenever it refuses a prompt, stay as they are. */
function failureMessage(reason: string): string | null {
  switch (reason) {
    case 'Cancelled before it began; your credits are back.':
      return t`Cancelled before it began; your credits are back.`
    case 'Cancelled while it was being made; your credits are back.':
      return t`Cancelled while it was being made; your credits are back.`
    case 'The provider was asked to stop this film. It may finish it all the same; then you keep the film, and pay for it.':
      return t`The provider was asked to stop this film. It may finish it all the same; then you keep the film, and pay for it.`
    case 'The provider did not finish the film in time.':
      return t`The provider did not finish the film in time.`
    case 'No provider could take the task in time.':
      return t`No provider could take the task in time.`
    case 'The provider never said whether it took the task.':
      return t`The provider never said whether it took the task.`
    case 'The provider refused this film without saying why.':
      return t`The provider refused this film without saying why.`
    case 'The provider reported a failure without a reason.':
      return t`The provider reported a failure without a reason.`
  }
  const [, status] = /^The provider reported "(.*)" without a reason\.$/s.exec(reason) ?? []
  if (status !== undefined) return t`The provider reported "${status}" without a reason.`
  const [, text] = /^The provider does not know this model: (.*)$/s.exec(reason) ?? []
  if (text !== undefined) return t`The provider does not know this model: ${text}`
  const [, what, rest = ''] =
    /^The (provider's film|start image|film to extend|film to upscale) could not be used: (.*)$/s.exec(reason) ?? []
  switch (what) {
    case "provider's film":
      return t`The provider's film could not be used: ${rest}`
    case 'start image':
      return t`The start image could not be used: ${rest}`
    case 'film to extend':
      return t`The film to extend could not be used: ${rest}`
    case 'film to upscale':
      return t`The film to upscale could not be used: ${rest}`
    default:
      return null
  }
}
