/**
 * The CAPTCHA of the sign-up form. Its provider's script runs in the document of the sign-up page alone, the only one whose
 * Content-Security-Policy allows it (http/studio.ts): a visitor who comes by a link within the studio gets that document
 * first, and one who leaves gets another one, without the script.
 */
import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import styles from './captcha.module.css'
import { type CaptchaSettings, renderWidget } from './captcha-widgets.ts'

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
 * Whether the browser has loaded the sign-up page itself; a navigation within the studio keeps the document of the page before. True in a
 * browser that does not say, where the policy decides.
 */
function isSignUpDocument(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry === undefined || new URL(entry.name).pathname === PAGE
}
