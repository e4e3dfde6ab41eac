/** The messages in English, by kind. */
import { counted } from '../text/counted.ts'
import { type Templates, text } from './template-input.ts'

const HOUR = 'The link works once, for an hour.'
const NOT_YOU = 'If you did not ask for this, you need not do anything.'

/** What administrators change for a user (admin/desk.ts). */
const changes: Record<string, string> = {
  address: 'It has another e-mail address now: mails no longer come here.',
  password: 'It has a new password, and all sessions were ended.',
  'second-factor': 'Its second factor was removed, and all sessions were ended. Sign in, and set up another one.',
  key: 'One of its API keys was revoked. Programs that use it are refused.',
}

export const english: Templates = {
  'password.reset': ({ link, site }) => ({
    subject: `Reset your ${site} password`,
    heading: 'Choose a new password',
    paragraphs: ['A new password was asked for, for the account with this e-mail address.'],
    action: { label: 'Choose a new password', url: link },
    footer: [`${HOUR} You are signed out everywhere then.`, `${NOT_YOU} Your password stays as it is.`],
  }),
  'password.changed': ({ publicUrl, site }) => ({
    subject: `Your ${site} password was changed`,
    heading: 'Your password was changed',
    paragraphs: ['The password of your account is a new one.'],
    action: { label: `Open ${site}`, url: `${publicUrl}/account` },
    footer: ['Was it not you? Choose another password at once, with “Forgot your password?” on the sign-in page.'],
  }),
  'account.changed': ({ data, publicUrl, site }) => ({
    subject: `Your ${site} account was changed for you`,
    heading: 'Those who run this service changed your account',
    paragraphs: [changes[text(data.what)] ?? 'Its ways to sign in are not the same as before.'],
    action: { label: `Open ${site}`, url: `${publicUrl}/account` },
    footer: ['Did you not ask for this? Reply to those who run the service.'],
  }),
  'email.verify': ({ link, site }) => ({
    subject: `Confirm your e-mail address for ${site}`,
    heading: 'Confirm your e-mail address',
    paragraphs: ['Confirm that this address is yours.'],
    action: { label: 'Confirm the address', url: link },
    footer: ['The link works for an hour.', NOT_YOU],
  }),
  'email.change': ({ data, link }) => ({
    subject: 'Confirm the change of your e-mail address',
    heading: 'Change your e-mail address?',
    paragraphs: ['Your account gets another e-mail address when you allow it here, and then confirm the new address.'],
    facts: [['New address', text(data.newEmail), true]],
    action: { label: 'Allow the change', url: link },
    footer: [
      'The link works for an hour.',
      'Was it not you? Change your password: another person is signed in to your account.',
    ],
  }),
  'sign-in.link': ({ link, site }) => ({
    subject: `Your sign-in link for ${site}`,
    heading: `Sign in to ${site}`,
    paragraphs: ['Open the link in the browser in which you want to sign in.'],
    action: { label: 'Sign in', url: link },
    footer: ['The link works once, for ten minutes.', NOT_YOU],
  }),
  'sign-in.new': ({ data, publicUrl, site }) => ({
    subject: `New sign-in to your ${site} account`,
    heading: 'New sign-in to your account',
    paragraphs: ['Your account was used on a device that it did not know.'],
    facts: [
      ['When', time(data.at)],
      ['IP address', text(data.address)],
      ['Browser or program', text(data.userAgent).slice(0, 200)],
    ],
    action: { label: 'See where you are signed in', url: `${publicUrl}/account` },
    footer: ['Was it not you? Change your password, and sign out everywhere else.'],
  }),
  'sign-in.attempts': ({ data, publicUrl, site }) => ({
    subject: `Many failed sign-ins to your ${site} account`,
    heading: 'Many failed attempts to sign in',
    paragraphs: [
      'Several devices that your account does not know have tried to sign in with wrong passwords. They are slowed down; you can still sign in.',
    ],
    facts: [['When', time(data.at)]],
    action: { label: 'See how you sign in', url: `${publicUrl}/account` },
    footer: [
      'A password that you use nowhere else, or a second factor, keeps them out. This mail is sent once a day at most.',
    ],
  }),
  'team.invitation': ({ data, link, site }) => ({
    subject: `You are invited to a team on ${site}`,
    heading: 'You are invited to a team',
    paragraphs: ['Its members make films together and share one balance.'],
    facts: [
      ['Team', text(data.team)],
      ['Invited by', text(data.inviter)],
    ],
    action: { label: 'See the invitation', url: link },
    footer: [
      'The link works once, for seven days, and for this e-mail address.',
      'If you do not want to join, you need not do anything.',
    ],
  }),
  'explore.removed': ({ data, publicUrl }) => ({
    subject: 'Your film was removed from Explore',
    heading: 'An administrator removed your film from Explore',
    paragraphs: ['It is no longer public, and it cannot be published again. The film itself stays in your library.'],
    facts: [
      ['Reason', text(data.removalReason)],
      ['Film', text(data.film)],
    ],
    action: { label: 'Open the film', url: `${publicUrl}/library/${text(data.videoId)}` },
    footer: [],
  }),
  'film.taken-down': ({ data, objectionUrl, site }) => ({
    subject: 'Your film was taken down',
    heading: data.state === 'removed' ? 'An administrator removed your film' : 'An administrator hid your film',
    paragraphs: [
      data.state === 'removed'
        ? 'No one can see it any more, and its file is deleted, everywhere in the world. The same holds for cuts that contain it.'
        : 'No one can see it any more, everywhere in the world. The same holds for cuts that contain it. Its file is kept for 210 days, in case your objection is right.',
    ],
    facts: [
      ['Film', text(data.film)],
      ['Ground', data.ground === 'law' ? 'It is illegal' : `It is against the terms of ${site}`],
      ['Rule', text(data.rule)],
      ['Facts', text(data.facts)],
      ['How it was found', data.source === 'notice' ? 'By a notice' : `By ${site} itself`],
      ['By a program', data.isAutomated === 'true' ? 'Yes; an administrator decided' : 'No'],
    ],
    action: { label: 'Object to this', url: objectionUrl },
    footer: [
      'An administrator reads your objection and answers. The link works for 183 days, and without a sign-in.',
      'You may also turn to an out-of-court dispute settlement body, or to a court.',
    ],
  }),
  'takedown.answered': ({ data, objectionUrl }) => ({
    subject: data.state === 'lifted' ? 'Your film is back' : 'Your objection was answered',
    heading: data.state === 'lifted' ? 'The takedown of your film is lifted' : 'The takedown of your film stands',
    paragraphs:
      data.state === 'lifted'
        ? ['It is where it was before, if its file was kept. Links that you shared work again.']
        : ['You may turn to an out-of-court dispute settlement body, or to a court.'],
    facts: [
      ['Film', text(data.film)],
      ['Answer', text(data.answer)],
    ],
    action: { label: 'See the statement', url: objectionUrl },
    footer: [],
  }),
  'service.notice': ({ data, publicUrl, site }) => ({
    subject: data.pauses ? `Maintenance of ${site}` : `A notice of ${site}`,
    heading: data.pauses ? `Maintenance of ${site}` : `A notice of ${site}`,
    paragraphs: [
      text(data.textEn),
      ...(data.pauses ? ['Films in progress go on. New films and uploads are not taken meanwhile.'] : []),
    ],
    facts: [
      ['From', time(data.from)],
      ['Until', time(data.until)],
    ],
    action: { label: `Open ${site}`, url: `${publicUrl}/` },
    footer: [],
  }),
  'provider.low': ({ data, publicUrl, site }) => ({
    subject: `An AI provider’s account of ${site} is running low`,
    heading: 'An account at an AI provider is running low',
    paragraphs: ['When it is empty, its films are made at other accounts where the catalogue has one, else they fail.'],
    facts: [
      ['Account', text(data.account)],
      ['Left', `${text(data.amount)} ${text(data.unit)}`],
      ['Lasts, at the rate of the last day', counted(Math.floor(Number(data.secondsLeft) / 3600), 'hour')],
    ],
    action: { label: 'See the providers', url: `${publicUrl}/admin/providers` },
    footer: ['Every administrator gets this once, and again after a refill.'],
  }),
  'setup.test': ({ publicUrl, site }) => ({
    subject: `${site} can send mail`,
    heading: 'Mail works',
    paragraphs: ['You pressed “Test” in the checklist. The mail server took this message, and it arrived.'],
    action: { label: 'Open the checklist', url: `${publicUrl}/admin/setup` },
    footer: ['It is in the spam folder? Set up SPF, DKIM and DMARC of the sender’s domain.'],
  }),
  'credit.low': ({ data, publicUrl, site }) => ({
    subject: `${whose(data, 'Your')} ${site} credits are running low`,
    heading: `${counted(Number(data.available), 'credit')} left`,
    paragraphs: [
      `${data.teamId ? 'Your team asked' : 'You asked'} for a mail when fewer than ${counted(Number(data.threshold), 'credit is available', 'credits are available')}.`,
    ],
    action: { label: 'See plans and packs', url: `${publicUrl}/plans` },
    footer: ['You get this once each time that the credits fall below that number.'],
  }),
  'credit.expiring': ({ data, publicUrl, site }) => ({
    subject: `Some of ${whose(data, 'your')} ${site} credits expire soon`,
    heading: `${counted(Number(data.credits), 'credit expires', 'credits expire')} soon`,
    paragraphs: ['Credits that you have not used by then are lost.'],
    facts: [['They expire', time(data.expiresAt)]],
    action: { label: 'Make a film', url: `${publicUrl}/` },
    footer: ['You get this once for each package of credits.'],
  }),
  'payment.failed': ({ data, publicUrl, site }) => ({
    subject: `A payment for ${whose(data, 'your')} ${site} subscription failed`,
    heading: 'The payment failed',
    paragraphs: [
      'The payment for the subscription did not succeed. It is tried again; check your card there, so that you keep getting credits.',
    ],
    action: { label: 'Manage the subscription', url: `${publicUrl}/plans` },
    footer: ['You get this because of the subscription.'],
  }),
  'payment.top-up': ({ data, publicUrl, site }) => ({
    ...topUp(data, site),
    facts: [
      ['Pack', text(data.product)],
      ...(data.credits === null ? [] : [['Credits', text(data.credits)] as [string, string]]),
    ],
    action:
      data.state === 'action'
        ? { label: 'Confirm the payment', url: text(data.url) }
        : { label: 'See the top-up', url: `${publicUrl}/plans` },
    footer: ['You get this because the automatic top-up is on.'],
  }),
  'credit.spent': ({ data, publicUrl, site }) => ({
    subject: `Films have cost ${counted(Number(data.credits), 'credit')} this ${text(data.period)} on ${site}`,
    heading: `${counted(Number(data.credits), 'credit')} spent this ${text(data.period)}`,
    paragraphs: [
      `${data.teamId ? 'Your team asked' : 'You asked'} for a mail from ${counted(Number(data.limit), 'credit')} a ${text(data.period)} on.`,
    ],
    facts: [[data.period === 'day' ? 'Day, in UTC' : 'Since, in UTC', text(data.since)]],
    action: { label: 'See what films have cost', url: `${publicUrl}/credits` },
    footer: [`You get this once a ${text(data.period)}.`],
  }),
  'video.done': ({ data, publicUrl }) => ({
    subject: data.status === 'COMPLETED' ? 'Your film is ready' : 'Your film failed',
    heading: data.status === 'COMPLETED' ? 'Your film is ready' : 'Your film failed',
    paragraphs: data.status === 'COMPLETED' ? [] : [text(data.error), 'Its credits are back.'].filter(Boolean),
    facts: [['Film', text(data.film)]],
    action: { label: 'See the film', url: `${publicUrl}/library/${encodeURIComponent(text(data.videoId))}` },
    footer: ['You switched these mails on, on the account page.'],
  }),
  'webhook.disabled': ({ data, publicUrl }) => ({
    subject: data.teamId ? 'A webhook endpoint of your team was disabled' : 'A webhook endpoint of yours was disabled',
    heading: 'A webhook endpoint was disabled',
    paragraphs: [
      data.reason === 'gone'
        ? 'It responded with 410, which asks for no more events.'
        : 'It has failed for five days. Its events wait until you enable it again.',
    ],
    facts: [['Endpoint', text(data.origin), true]],
    action: { label: 'See its deliveries', url: `${publicUrl}/webhooks/${encodeURIComponent(text(data.endpointId))}` },
    footer: ['You get this because of your webhook endpoints.'],
  }),
  'team.suspended': ({ data, publicUrl }) => ({
    subject: 'API keys or webhooks of your team are suspended',
    heading: 'API keys or webhooks are suspended',
    paragraphs: [
      'An administrator of this service has locked or deleted the account of the member who made them. An owner can take them over; what no owner takes over ends.',
    ],
    facts: [
      ['API keys', text(data.keys)],
      ['Webhook endpoints', text(data.endpoints)],
      ['They end', time(data.expiresAt)],
    ],
    action: { label: 'See them', url: `${publicUrl}/${data.keys ? 'keys' : 'webhooks'}` },
    footer: ['A suspended key is refused; the events of a suspended endpoint wait.'],
  }),
}

const topUp = (data: Record<string, unknown>, site: string) => {
  if (data.state === 'paid')
    return {
      subject: `${whose(data, 'Your')} ${site} credits were topped up`,
      heading: 'A pack was bought',
      paragraphs: ['The balance had fallen below the number that was set, so the saved card was charged.'],
    }
  if (data.state === 'action')
    return {
      subject: `Confirm the payment for ${whose(data, 'your')} ${site} credits`,
      heading: 'The bank asks you to confirm a payment',
      paragraphs: [
        'The automatic top-up bought nothing yet. Confirm the payment within 23 hours, else it is given up.',
      ],
    }
  return {
    subject: `The automatic top-up of ${whose(data, 'your')} ${site} credits failed`,
    heading: 'The automatic top-up is paused',
    paragraphs: [
      TOP_UP_FAILURES[text(data.reason)] ?? 'The pack is not sold any more; choose another one.',
      'It buys nothing until you switch it on again.',
    ],
  }
}

const TOP_UP_FAILURES: Record<string, string> = {
  no_card: 'There is no saved card.',
  declined: 'The card was declined. Check it in the billing portal.',
  balance: 'Money that the payment processor keeps for you would pay, and brings no credits. Use it for a plan first.',
  expired: 'The payment was not confirmed in time.',
  no_answer: 'The payment processor did not answer for most of a day. Nothing more is charged.',
  not_applied: 'The payment arrived, and its credits wait for an administrator.',
}

/** Whose it is that a notice is about: the reader's, or the team's. */
const whose = ({ teamId }: Record<string, unknown>, your: string): string => (teamId ? `${your} team’s` : your)

/** Formats a time in UTC, because the reader's zone is unknown. */
const time = (value: unknown): string =>
  `${new Date(text(value)).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`
