/**
 * The CAPTCHA of the sign-up form. Its provider's script runs in the document of the sign-up page alone, the only one
 * whose Content-Security-Policy allows it (http/studio.ts): a visitor who comes by a link within the studio gets that
 * document first, and one who leaves gets another one, without the script.
 */

import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { locale } from '../i18n/locale.ts'
import styles from './captcha.module.css'
import type { SignInOptions } from './options.ts'

const PAGE = '/sign-up'

type Props = {
  settings: CaptchaSettings
  /** @param response for the header X-Captcha-Response; null: it has expired, or the widget failed */
  onResponse: (response: string | null) => void
}

/** A response counts once: give the component another `key` after each attempt. */
export function Captcha({ settings, onResponse }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!isSignUpDocument()) return location.replace(PAGE + location.search)
    // An element of its own: a provider renders once into each.
    const element = document.createElement('div')
    container.current?.append(element)
    renderWidget(settings, element, { onResponse, onExpired: () => onResponse(null) }).catch(() => setBroken(true))
    return () => {
      element.remove()
      if (location.pathname !== PAGE) location.reload()
    }
  }, [settings, onResponse])
  return (
    <fieldset className={styles.captcha} aria-label={t`Check that you are human`}>
      <div ref={container} />
      {isBroken ? (
        <p className="field-error" role="alert">
          {t`The check that you are human cannot be loaded. See that no blocker stops it, and load the page again.`}
        </p>
      ) : null}
    </fieldset>
  )
}

/**
 * Whether the browser has loaded the sign-up page itself; a navigation within the studio keeps the document of the page
 * before. True in a browser that does not say, where the policy decides.
 */
function isSignUpDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PAGE
}

type CaptchaSettings = NonNullable<SignInOptions['captcha']>
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
async function renderWidget(
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
