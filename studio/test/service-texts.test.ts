/** Reasons of failed films, which the service writes in English, in the studio's other languages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createCompiledCatalog, getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { i18n } from '@lingui/core'
import { everyModel } from '../../server/src/catalogue/catalogue.ts'
import { UNSERVED_TOGETHER } from '../../server/src/catalogue/offer.ts'
import { CANCEL_REQUESTED, FAILURE_REASONS } from '../../server/test/support/failure-reasons.ts'
import './macros.ts'

const { translator } = await import('../src/i18n/service-translator.ts')

test('reason of a failed film: English → what the service says', () => {
  const reasons = [...FAILURE_REASONS, CANCEL_REQUESTED]
  assert.deepEqual(reasons.map(translator.failure), reasons)
})

test('reason of a failed film, of a rule: Chinese → no English but names and data; words of a provider → as they are', async () => {
  const configPath = fileURLToPath(new URL('../lingui.config.ts', import.meta.url))
  const [catalog] = await getCatalogs(getConfig({ configPath }))
  assert.ok(catalog)
  const { messages } = await catalog.getTranslations('zh-Hans', { fallbackLocales: {}, sourceLocale: 'en' })
  const { source } = createCompiledCatalog('zh-Hans', messages, { namespace: 'json' })
  i18n.loadAndActivate({ locale: 'zh-Hans', messages: JSON.parse(source).messages })
  for (const reason of [...FAILURE_REASONS, CANCEL_REQUESTED]) {
    const text = translator.failure(reason)
    assert.ok(text && !/[A-Za-z]/.test(text), `${reason} → ${text}`)
  }
  for (const why of [
    UNSERVED_TOGETHER,
    ...[...everyModel().values()].flatMap(({ rules = [] }) => rules.flatMap((rule) => rule.why ?? [])),
  ]) {
    const text = translator.rule(why)
    assert.ok(text && text !== why, `${why} → ${text}`)
  }
  assert.match(translator.failure('The provider reported "expired" without a reason.') ?? '', /expired/)
  assert.equal(translator.failure('Your prompt is not allowed.'), null)
})
