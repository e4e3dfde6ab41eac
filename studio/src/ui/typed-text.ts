/** The text of an input whose value is kept elsewhere, such as in the URL. */
import { useEffect, useRef, useState } from 'react'

/**
 * What the user types stays as it is typed, though it may be no value yet: only a value that the input has not
 * reported, such as that of the back button, replaces it.
 * @returns `reported`: the caller writes to it the value that it reports
 */
export function useTypedText(value: string) {
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])
  return { typed, setTyped, reported }
}
