/** Times to the second, in UTC, as the service writes them in its sentences and its log. */

/** `12:03:20 UTC`, with the day when it is another one. */
export function atSecond(iso: string, nowMs = Date.now()): string {
  const [day = '', clock = ''] = new Date(iso).toISOString().split('T')
  const isToday = new Date(nowMs).toISOString().startsWith(day)
  return `${isToday ? '' : `${day} `}${clock.slice(0, 8)} UTC`
}
