/** `npm run providers`: writes docs/providers.md from what the adapters of the catalogue's accounts declare. */
import { writeFile } from 'node:fs/promises'
import { accounts } from './src/provider/accounts.ts'
import { offeredBy } from './src/provider/offered.ts'
import { openProviders } from './src/provider/open.ts'

const page = new URL('../docs/providers.md', import.meta.url)

const INTRODUCTION = `# Providers

The accounts of \`catalogue/providers.json\`, and what the protocol of each offers. \`npm run providers\` writes this page from what the adapters in
\`server/src/provider/adapter/\` declare. An account is in use when \`PROVIDER_<ID>_API_KEY\` or \`_URL\` is set; \`kinora providers\` prints those in use,
whether each can be reached and takes its key, and its last failure. [CONTRIBUTING](../CONTRIBUTING.md) says how to add one.

- **callback**: *signed* by the provider; *yes* at an address that this service signs; *then polled* when the provider's word alone is not proof.
- **progress**: a percentage, or the place in the provider's queue.
- **cancel**: whether a task can be stopped after its submit. The provider may still finish it.
- **lost submit**: a submit whose response was lost is never sent again unless the provider can be asked for its task and says that there is none.
- **cost**: when the provider says what a film costs.
- **start image**: a link that the provider fetches, or an upload of this service.
- **film**: what its link needs.
- **key check**: whether \`kinora doctor\` can check the key by a call that costs nothing; *balance*: and read what is left.
- **tested client**: the provider's own package that makes a film at the simulator's dialect, which the adapter's tests use.

`

const row = (cells: string[]): string => `| ${cells.join(' | ')} |\n`

/** The text of docs/providers.md. */
export async function describeProviders(): Promise<string> {
  const url = 'http://127.0.0.1:9'
  const settings = { url, apiKey: '', webhookKey: null, timeoutS: 1 }
  const all = accounts()
  const providers = openProviders(Object.fromEntries(all.map(({ id, adapter }) => [id, { ...settings, adapter }])))
  const offered = await Promise.all(
    all.map(async ({ id }) => {
      const provider = await providers.open(id)
      return provider
        ? { account: `\`${id}\``, address: provider.adapter.url ?? 'its own', ...offeredBy(provider) }
        : {}
    }),
  )
  await providers.close()
  const headings = Object.keys(offered[0] ?? {})
  const rule = row(headings.map(() => '---'))
  return INTRODUCTION + row(headings) + rule + offered.map((each) => row(Object.values(each))).join('')
}

if (import.meta.main) await writeFile(page, await describeProviders())
