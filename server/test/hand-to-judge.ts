/** The second judge of `npm run fuzz -- --prism` (bin/prism.mjs): gets every response of the harness; in other runs there is none. */

const judgeUrl = process.env.TEST_JUDGE_URL

export async function handToJudge(
  { method, target, sent }: { method: string; target: string; sent: Record<string, string> },
  response: Response,
  text: string,
): Promise<void> {
  if (!judgeUrl) return
  const exchange = {
    method,
    target,
    headers: sent,
    status: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    text,
  }
  const received = await fetch(judgeUrl, { method: 'POST', body: JSON.stringify(exchange) })
  await received.arrayBuffer()
}
