/**
 * What the widget of a CAPTCHA provider needs of the Content-Security-Policy, as the provider documents it; added to the document of the
 * sign-up page alone, and only while a CAPTCHA is set up.
 */
import type { CaptchaSettings } from '../../config/config.ts'

type Directive = 'script-src' | 'frame-src' | 'style-src' | 'connect-src' | 'img-src'

/** CaptchaFox documents no policy: it gets what its script is known to load, from its own hosts. */
const sources: Record<CaptchaSettings['provider'], Partial<Record<Directive, string>>> = {
  'cloudflare-turnstile': {
    'script-src': 'https://challenges.cloudflare.com',
    'frame-src': 'https://challenges.cloudflare.com',
  },
  'google-recaptcha': {
    'script-src': 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    'frame-src': 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
  },
  hcaptcha: {
    'script-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'frame-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'style-src': 'https://hcaptcha.com https://*.hcaptcha.com',
    'connect-src': 'https://hcaptcha.com https://*.hcaptcha.com',
  },
  captchafox: {
    'script-src': 'https://cdn.captchafox.com',
    'frame-src': 'https://*.captchafox.com',
    'connect-src': 'https://*.captchafox.com',
    'img-src': 'https://*.captchafox.com',
  },
}

/**
 * The policy with the provider's sources. Trusted Types are not required there: no provider documents the names of its policies, and a script
 * that may run has no need of a sink.
 */
export function withCaptcha(directives: string[], { provider }: CaptchaSettings): string[] {
  const added = new Map<string, string>(Object.entries(sources[provider]))
  const kept = directives.filter((directive) => !/^(require-trusted-types-for|trusted-types) /.test(directive))
  const widened = kept.map((directive) => {
    const name = directive.split(' ', 1)[0] ?? ''
    const source = added.get(name)
    added.delete(name)
    return source ? `${directive} ${source}` : directive
  })
  return [...widened, ...[...added].map(([name, source]) => `${name} ${source}`)]
}
