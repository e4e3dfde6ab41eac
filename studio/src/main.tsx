/** The studio's entry point: loads the language, mounts the router, and registers the session-end handler. */
import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { options } from 'preact'
import { createRoot } from 'react-dom/client'
import { clearSession, onSessionEnd, queryClient, sessionQuery } from './api.ts'
import './ui/fonts.css'
import './ui/base.css'
import './ui/page.css'
import { activateLocale } from './i18n/activate.ts'
import { router } from './routes.tsx'
import { pathAfterSignIn } from './sign-in/link-token.ts'
import { toast } from './ui/toasts.tsx'

onSessionEnd(async () => {
  // Several requests may fail with UNAUTHENTICATED at once. The first one clears the session; the others return here.
  if (!queryClient.getQueryData(sessionQuery.queryKey)) return
  const next = pathAfterSignIn(router.state.location)
  await clearSession()
  toast({ text: t`Your session has ended. Sign in to go on where you were.` })
  // Navigate here, because the route guard sends a visitor without a session from "/" to the sign-up page.
  router.navigate({ to: '/sign-in', search: { next }, state: { sessionEnded: true } })
})

// The style sheet hides it from the first paint of a page on.
router.subscribe('onRendered', () => document.querySelector('#frame')?.remove())

const root = document.querySelector('#app')
if (!root) throw new Error('index.html has no #app element.')
// Preact runs effects after the next frame, React before the next event after an input. TanStack Query's mutations take
// their function in an effect: with a later effect, Enter right after the last key would send the text without that
// key.
options.requestAnimationFrame = queueMicrotask

// The language before the first render, so that no English text flashes. Not a top-level await: it would split this
// chunk.
activateLocale().then(() =>
  createRoot(root).render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>,
  ),
)
