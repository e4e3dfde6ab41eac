/** Reasons of failed films, which the service writes in English, in the studio's other languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { i18n } from '@lingui/core'
import './macros.ts'

const { translator } = await import('../src/i18n/service-translator.ts')

const REASONS = [
  'Cancelled before it began; your credits are back.',
  'The provider did not finish the film in time.',
  'No provider could take the task in time.',
  'The provider never said whether it took the task.',
  'The provider refused this film without saying why.',
  'The provider reported a failure without a reason.',
  'The provider reported "丙" without a reason.',
  "The provider's film could not be used: 甲",
  'The start image could not be used: 乙',
]

test('reason of a failed film: Chinese → no English but names and data; words of a provider → as they are', async () => {
  const configPath = fileURLToPath(new URL('../lingui.config.ts', import.meta.url))
  const [catalog] = await getCatalogs(getConfig({ configPath }))
  assert.ok(catalog)
  const { messages } = await catalog.getTranslations('zh-Hans', { fallbackLocales: {}, sourceLocale: 'en' })
  const { source } = createCompiledCatalog('zh-Hans', messages, { namespace: 'json' })
  i18n.loadAndActivate({ locale: 'zh-Hans', messages: JSON.parse(source).messages })
  for (const reason of REASONS) {
    const text = translator.failure(reason)
    assert.ok(text && !/[A-Za-z]/.test(text), `${reason} → ${text}`)
  }
  assert.match(translator.failure('The provider reported "expired" without a reason.') ?? '', /expired/)
  assert.equal(translator.failure('Your prompt is not allowed.'), null)
})
