/** A search input with debounce. The page keeps the search text in its search params and passes it back as `text`. */
import { useEffect, useEffectEvent, useState } from 'react'
import './field.css'
import { useTypedText } from './typed-text.ts'

const DEBOUNCE_MS = 250

type Props = {
  label: string
  placeholder: string
  /** The search text of the URL. */
  text: string
  charactersMax: number
  /** `replace`: this edit continues a search, so that a search is one history entry, not one for each letter. */
  onSearch: (text: string, how: { replace: boolean }) => void
  className?: string | undefined
}

export function SearchField({ label, placeholder, text, charactersMax, onSearch, className }: Props) {
  const { typed, setTyped, reported } = useTypedText(text)
  /** The letters that compose a character, as in Chinese, are no search. */
  const [isComposing, setComposing] = useState(false)
  const report = useEffectEvent((search: string) => {
    const replace = reported.current !== '' && search !== ''
    reported.current = search
    onSearch(search, { replace })
  })
  useEffect(() => {
    const search = typed.trim()
    if (isComposing || search === reported.current) return
    const timer = setTimeout(() => report(search), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed, isComposing, reported])
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
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
    />
  )
}
