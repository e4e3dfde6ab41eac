/** The widgets of the CAPTCHA providers: the script of each, and how it renders. Loaded on the sign-up page alone. */
import { locale } from '../i18n/locale.ts'
import type { SignInOptions } from './options.ts'

export type CaptchaSettings = NonNullable<SignInOptions['captcha']>
type Listeners = { onResponse: (response: string) => void; onExpired: () => void }
type Api = { render: (container: HTMLElement, options: object) => unknown }
type Provider = {
  /** The global variable of its script. */
  api: string
  script: string
  options: (common: { sitekey: string; theme: string; language: string }, listeners: Listeners) => object
}

/** reCAPTCHA and hCaptcha take the language with their script. */
const options: Provider['options'] = ({ sitekey, theme, language }, { onResponse, onExpired }) => ({
  ...{ sitekey, theme, language, callback: onResponse },
  ...{ 'expired-callback': onExpired, 'error-callback': onExpired },
})

const LANGUAGE = locale === 'zh-Hans' ? 'zh-CN' : 'en'
const providers: Record<CaptchaSettings['provider'], Provider> = {
  'cloudflare-turnstile': {
    api: 'turnstile',
    script: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
    options,
  },
  'google-recaptcha': {
    api: 'grecaptcha',
    script: `https://www.google.com/recaptcha/api.js?render=explicit&hl=${LANGUAGE}`,
    options,
  },
  hcaptcha: { api: 'hcaptcha', script: `https://js.hcaptcha.com/1/api.js?render=explicit&hl=${LANGUAGE}`, options },
  captchafox: {
    api: 'captchafox',
    script: 'https://cdn.captchafox.com/api.js?render=explicit',
    options: ({ sitekey, theme, language }, { onResponse, onExpired }) => ({
      ...{ sitekey, theme, lang: language, mode: 'inline' },
      ...{ onVerify: onResponse, onExpire: onExpired, onFail: onExpired, onError: onExpired },
    }),
  },
}

const LOADED = 'kinoraCaptchaLoaded'
const globals = window as unknown as Record<string, unknown>
/** One script a document: a widget that is rendered again uses the one that is there. */
let loading: Promise<void> | null = null

/** @throws when the provider's script cannot be loaded */
export async function renderWidget(
  { provider, siteKey }: CaptchaSettings,
  container: HTMLElement,
  listeners: Listeners,
): Promise<void> {
  const { api, script, options: optionsOf } = providers[provider]
  loading ??= load(`${script}&onload=${LOADED}`)
  await loading.catch((error: unknown) => {
    loading = null
    throw error
  })
  const common = { sitekey: siteKey, theme: isDark() ? 'dark' : 'light', language: LANGUAGE.toLowerCase() }
  ;(globals[api] as Api).render(container, optionsOf(common, listeners))
}

function load(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    globals[LOADED] = resolve
    const script = document.createElement('script')
    script.onerror = () => reject(new Error('The script of the CAPTCHA could not be loaded.'))
    script.src = src
    document.head.append(script)
  })
}

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}
