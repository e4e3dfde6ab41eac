/** `/api/v1/config/sign-in`: the ways to sign in that the operator has set up. Public. */
import { Type } from 'typebox'
import { CAPTCHA_PROVIDERS } from '../../config/settings.ts'
import { isMailSetUp } from '../../mail/outbox.ts'
import { ok } from '../request/envelope.ts'
import { routesOf } from '../request/routes.ts'

const Options = Type.Object(
  {
    providers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'For sign-in/social and link-social',
    }),
    link: Type.Boolean({ description: 'Whether sign-in/magic-link mails a link' }),
    signUp: Type.Enum(['open', 'invite', 'closed'], {
      description: 'Who may make an account: everyone, those with an invitation, or administrators alone',
    }),
    captcha: Type.Union(
      [Type.Object({ provider: Type.Enum([...CAPTCHA_PROVIDERS]), siteKey: Type.String() }), Type.Null()],
      { description: 'What sign-up/email asks for; null: nothing' },
    ),
  },
  {
    title: 'SignInOptions',
    examples: [{ providers: [{ id: 'google', name: 'Google' }], link: true, signUp: 'open', captcha: null }],
  },
)

export const registerSignInOptions = routesOf({ tag: 'config' })('GET', '/api/v1/config/sign-in', {
  operationId: 'listSignInOptions',
  summary: 'Ways to sign in, beside e-mail address and password',
  data: Options,
  handler: async ({ config }) => {
    const { providers } = config.signIn
    return ok({
      providers: providers.map(({ id, name }) => ({ id, name })),
      link: isMailSetUp(config),
      signUp: config.signIn.signUp,
      captcha: config.captcha && { provider: config.captcha.provider, siteKey: config.captcha.siteKey },
    })
  },
})
