/** Catalogues of the studio's texts. English is in the sources; `npm run messages` collects it into the catalogues. */
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { createSwcExtractor } from '@lingui/native-tools'

export default defineConfig({
  locales: ['en', 'zh-Hans'],
  sourceLocale: 'en',
  catalogs: [{ path: '<rootDir>/src/i18n/catalogues/{locale}', include: ['<rootDir>/src'] }],
  extractors: [createSwcExtractor()],
  // Line numbers would change with every edit of a source file.
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
})
