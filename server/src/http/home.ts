/** `/`: what this is, for whoever opens the address in a browser. */
import type { FastifyInstance } from 'fastify'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kinora</title>
<link rel="stylesheet" href="/home.css">
</head>
<body>
<main>
<h1>Kinora</h1>
<p class="lead">AI video generation for your own product: send a prompt, get a film, keep honest books.</p>
<h2>Make a film</h2>
<ol>
<li>Sign up: <code>POST /api/auth/sign-up/email</code> with <code>name</code>, <code>email</code> and <code>password</code>. A new account has credits to begin with.</li>
<li>Send the <code>token</code> of that answer as <code>Authorization: Bearer …</code> from then on.</li>
<li>Ask for a film: <code>POST /api/v1/video/generate</code>. The answer has its <code>uuid</code>.</li>
<li>Follow it with <code>GET /api/v1/video/task?uuid=…</code>; when it is <code>COMPLETED</code>, <code>GET /api/v1/video/{uuid}</code> has the link.</li>
</ol>
<p>The terminal that started the service shows a command that does all of this.</p>
<h2>Look further</h2>
<ul>
<li><a href="/openapi.json">openapi.json</a>: every call, with examples</li>
<li><a href="/api/v1/config/models">Models</a>: what can be made, and what it costs</li>
<li><a href="/api/v1/config/plans">Plans</a>: what can be bought</li>
<li><a href="/readyz">Health</a>: whether database and storage answer</li>
</ul>
</main>
</body>
</html>
`

const css = `:root { color-scheme: dark light; --ground: #0e0f11; --text: #f6f4ef; --quiet: #a8a49b; --accent: #f2b03d; --line: #2a2b2e }
@media (prefers-color-scheme: light) { :root { --ground: #f6f4ef; --text: #0e0f11; --quiet: #5d5a53; --accent: #7a5200; --line: #dcd8ce } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/24px Inter, system-ui, sans-serif }
main { max-width: 720px; margin: 0 auto; padding: 64px 24px }
h1 { margin: 0; font-size: 40px; line-height: 48px; letter-spacing: -0.02em }
h2 { margin: 40px 0 8px; font-size: 20px; line-height: 24px }
.lead { margin: 8px 0 0; color: var(--quiet); font-size: 20px; line-height: 32px }
ol, ul { margin: 0; padding-left: 24px }
li { margin: 8px 0 }
code { font: 14px/24px "JetBrains Mono", ui-monospace, monospace; overflow-wrap: anywhere; border-bottom: 1px solid var(--line) }
a { color: var(--accent) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`

export function registerHome(server: FastifyInstance): void {
  const options = { config: { limit: 'none' }, schema: { hide: true } } as const
  server.get('/', options, async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(page),
  )
  server.get('/home.css', options, async (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
}
