/** A search input with debounce. The page keeps the search text in its search params and passes it back as `text`. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import './field.css'

const DEBOUNCE_MS = 250

type Props = {
  label: string
  placeholder: string
  /** The search text of the URL. */
  text: string
  charactersMax: number
  /** `replace`: this edit continues a search, so that one search is one history entry instead of one for each letter. */
  onSearch: (text: string, how: { replace: boolean }) => void
  className?: string | undefined
}

export function SearchField({ label, placeholder, text, charactersMax, onSearch, className }: Props) {
  const [value, setValue] = useState(text)
  /** The text that this field last reported: only a `text` from elsewhere, such as the back button, replaces the input. */
  const reported = useRef(text)
  useEffect(() => {
    if (text === reported.current) return
    reported.current = text
    setValue(text)
  }, [text])
  const report = useEffectEvent((search: string) => {
    const replace = reported.current !== '' && search !== ''
    reported.current = search
    onSearch(search, { replace })
  })
  useEffect(() => {
    const search = value.trim()
    if (search === reported.current) return
    const timer = setTimeout(() => report(search), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return (
    <input
      type="search"
      className={['input', className].filter(Boolean).join(' ')}
      data-search
      aria-label={label}
      placeholder={placeholder}
      maxLength={charactersMax}
      autoComplete="off"
      value={value}
      onChange={({ target }) => setValue(target.value)}
    />
  )
}
