/** The search of the users; what is typed stands in the address once the fingers rest. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import '../look/field.css'

const TYPING_MS = 250

export function Search({ q }: { q: string }) {
  const navigate = useNavigate({ from: '/admin/users' })
  const [typed, setTyped] = useState(q)
  /** What this input last put into the address: only a change by somebody else may overwrite what is being typed. */
  const sent = useRef(q)
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setTyped(q)
  }, [q])
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      sent.current = wanted
      navigate({ search: wanted ? { q: wanted } : {}, replace: true, resetScroll: false, viewTransition: false })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, navigate])
  return (
    <search>
      <input
        type="search"
        className="input"
        data-search
        aria-label="Search users"
        placeholder="E-mail address, name, or whole id"
        maxLength={200}
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </search>
  )
}
