/**
 * The health check of a container, without a shell: the response of the API on this machine.
 *   node deploy/health.mjs [healthz|readyz]    exit status 0 or 1
 */
const url = `http://127.0.0.1:${process.env.PORT || 8080}/${process.argv[2] ?? 'healthz'}`
const response = await fetch(url, { signal: AbortSignal.timeout(4_000) }).catch((error) => ({ ok: false, error }))
if (!response.ok) console.error(`${url}: ${response.error?.cause?.code ?? response.error?.message ?? response.status}`)
process.exit(response.ok ? 0 : 1)
