/** An administrator has the message sent again that verifies a user's e-mail address. The audit log keeps it. */
import type { Auth } from '../account/auth.ts'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { getUser } from './users.ts'

/** @throws AppError NOT_FOUND; CONFLICT when the address is verified, or the account deleted */
export async function resendVerification(
  app: App,
  auth: Auth,
  { userId, actorId, requestId }: { userId: string; actorId: string; requestId: string },
): Promise<void> {
  const { id, email, emailVerified, deletedAt } = await getUser(app, userId)
  if (deletedAt) throw new AppError('CONFLICT', 'The account is deleted.')
  if (emailVerified) throw new AppError('CONFLICT', 'The e-mail address is verified already.')
  await auth.api.sendVerificationEmail({ body: { email } })
  await app.sql`
    select kinora.audit_add(
      p_actor_id => ${actorId}, p_action => 'user.resend-verification', p_user_id => ${id}, p_subject => null,
      p_before => null, p_after => null, p_request_id => ${requestId}, p_reason => null, p_now => ${app.now()}
    )
  `
}
