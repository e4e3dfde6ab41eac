/** The studio begins here: the router in the page, and what happens when a session ends. */
import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { clearSession, onSessionEnd, queryClient, sessionQuery } from './api.ts'
import './ui/fonts.css'
import './ui/base.css'
import './ui/page.css'
import { router } from './routes.tsx'
import { toast } from './ui/toasts.tsx'

onSessionEnd(() => {
  // Several requests may learn of it at once; the first one leads to the sign-in page and the rest find it done.
  if (!queryClient.getQueryData(sessionQuery.queryKey)) return
  clearSession()
  toast({ text: 'Your session has ended. Sign in to go on where you were.' })
  // Not left to the routes: they would take whoever was at the studio's first page for somebody new.
  router.navigate({ to: '/sign-in', search: { next: router.state.location.href } })
})

const root = document.querySelector('#app')
if (!root) throw new Error('The page has no place for the studio.')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
