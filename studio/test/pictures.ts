/** Pictures for review, in studio/test/pictures/, not in git: `npm run pictures` compares them. */
import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'

const folder = path.join(import.meta.dirname, 'pictures')
/** When a file is run by name. No assertion reads pictures, which are a tenth of browser tests' time. */
export const takesPictures = process.env.TEST_PICTURES === '1'

/** Writes `<name>.webp`: the whole page, at the width of its window. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const session = await page.context().newCDPSession(page)
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 35,
    captureBeyondViewport: true,
    clip: { ...cssContentSize, scale: 1 },
  })
  await session.detach()
  await writeFile(path.join(folder, `${name}.webp`), data, 'base64')
}
