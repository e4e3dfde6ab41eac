/** What stands around every page, signed in or not: the place for toasts. */
import { Outlet } from '@tanstack/react-router'
import { Toasts } from '../ui/toasts.tsx'

export function RootLayout() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}
