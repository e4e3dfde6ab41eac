/** The time since a moment as a clock ("1:15"): ticking every second, or fixed once an end is known. */
import { useEffect, useState } from 'react'
import { formatClock } from '../ui/format.ts'

type Props = {
  /** ISO time */
  since: string
  /** ISO time; null while the clock ticks */
  until: string | null
}

export function Elapsed({ since, until }: Props) {
  const [nowMs, setNowMs] = useState(Date.now)
  const isTicking = until === null
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  const endMs = until === null ? nowMs : Date.parse(until)
  return formatClock((endMs - Date.parse(since)) / 1000)
}
