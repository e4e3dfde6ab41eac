/** The root route's layout: any page, and the toasts. */
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
