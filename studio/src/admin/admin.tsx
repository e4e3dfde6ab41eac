import { Outlet } from '@tanstack/react-router'

export function Admin() {
  return (
    <div className="page">
      <title>Administration · Kinora</title>
      <h1>Administration</h1>
      <Outlet />
    </div>
  )
}
