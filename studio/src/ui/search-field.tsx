/** A search that is asked once the fingers rest; what it looks for stands in the address, which the page writes. */
import { useEffect, useRef, useState } from 'react'
import './field.css'

const TYPING_MS = 250

type Props = {
  label: string
  placeholder: string
  /** What the address says is looked for. */
  text: string
  charactersMax: number
  /** `replace`: one search goes on, so that the way back has one step for it and not one for each letter. */
  onSearch: (text: string, how: { replace: boolean }) => void
  className?: string | undefined
}

export function SearchField({ label, placeholder, text, charactersMax, onSearch, className }: Props) {
  const [typed, setTyped] = useState(text)
  /** What this field last put into the address: only a change by somebody else may overwrite what is being typed. */
  const sent = useRef(text)
  const search = useRef(onSearch)
  search.current = onSearch
  useEffect(() => {
    if (text === sent.current) return
    sent.current = text
    setTyped(text)
  }, [text])
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      const replace = sent.current !== '' && wanted !== ''
      sent.current = wanted
      search.current(wanted, { replace })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      className={['input', className].filter(Boolean).join(' ')}
      data-search
      aria-label={label}
      placeholder={placeholder}
      maxLength={charactersMax}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}
