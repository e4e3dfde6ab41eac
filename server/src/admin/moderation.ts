/** What moderation has decided, for administrators: counts by day, never prompts. */
import type { App } from '../app.ts'
import { OF_ALL } from '../moderation/moderation.ts'

export type ModerationDay = {
  /** In UTC, as `2026-01-15`. */
  day: string
  allowed: number
  refused: number
  failed: number
  /** Of the refused ones, the most frequent first; a request may have several. */
  categories: { category: string; requests: number }[]
}

/** The days with requests, the newest first. */
export async function moderationDays({ sql, now }: App, days: number): Promise<ModerationDay[]> {
  const since = new Date(now().getTime() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  const rows = await sql<
    { day: string; outcome: 'allowed' | 'refused' | 'failed'; category: string; requests: number }[]
  >`
    select to_char(day, 'YYYY-MM-DD') as day, outcome, category, requests
    from kinora.moderation_count
    where day >= ${since}::date
    order by day desc, requests desc, category
  `
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, ofDay]) => {
    const all = (outcome: string) =>
      ofDay.find((row) => row.outcome === outcome && row.category === OF_ALL)?.requests ?? 0
    const categories = ofDay.filter(({ outcome, category }) => outcome === 'refused' && category !== OF_ALL)
    return {
      day,
      allowed: all('allowed'),
      refused: all('refused'),
      failed: all('failed'),
      categories: categories.map(({ category, requests }) => ({ category, requests })),
    }
  })
}
