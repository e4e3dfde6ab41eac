/** `npm run errors`: writes docs/errors.md. */
import { writeFile } from 'node:fs/promises'
import { errorsPage } from './src/http/openapi/errors-page.ts'

export const errorsFile = new URL('../docs/errors.md', import.meta.url)

if (import.meta.main) await writeFile(errorsFile, errorsPage())
