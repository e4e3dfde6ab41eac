/**
 * CAPTCHA at sign-up, by better-auth's plugin, when the operator has set one up. Its verification call goes to the
 * provider, or to `CAPTCHA_VERIFY_URL`: an address of the operator, so the SSRF guard does not apply. It fails closed.
 */
import type { BetterAuthPlugin } from 'better-auth'
import { captcha } from 'better-auth/plugins'
import type { Config } from '../config/config.ts'

/** The code of better-auth's plugin for a verification that got no answer. */
export const CAPTCHA_UNAVAILABLE = 'UNKNOWN_ERROR'

export function signUpCaptcha({ captcha: settings }: Pick<Config, 'captcha'>): BetterAuthPlugin[] {
  if (!settings) return []
  const { provider, secret: secretKey, siteKey, verifyUrl } = settings
  const shared = {
    secretKey,
    // The other ways to create an account need a mailbox, or an account at a provider.
    endpoints: ['/sign-up/email'],
    ...(verifyUrl === null ? {} : { siteVerifyURLOverride: verifyUrl }),
  }
  return [
    provider === 'hcaptcha' || provider === 'captchafox'
      ? captcha({ provider, ...shared, siteKey })
      : captcha({ provider, ...shared }),
  ]
}
