/**
 * Fixture: every list of the API with rows of random properties, which are put into the tables directly. Ids and times
 * follow from the place of a row, so that a row may come between others. Each filter has values, and for each value
 * which rows are to be in the list.
 */
import { randomUUID } from 'node:crypto'
import { TEAM_ACTIONS } from '../../src/account/team/log.ts'
import { firstIdOf, teamIdOf, uuidBytes } from '../../src/id.ts'
import { historyOf, listOfPackages } from './credit-lists.ts'
import type { Kinora, Person } from './harness.ts'
import { eachOf, has, type Is, type List, PLACES, type Row, within } from './list.ts'
import type { Random } from './random.ts'
import { openTeams } from './teams.ts'

const DAY_MS = 86_400_000
const HOURS_MS = DAY_MS / 8

export async function openLists(kinora: Kinora, random: Random): Promise<List[]> {
  const { app } = kinora
  const { sql } = app
  const { below, of } = random
  const begin = Math.floor(app.now().getTime() / DAY_MS) * DAY_MS - 20 * DAY_MS
  const timeOf = (place: number) => new Date(begin + place * HOURS_MS)
  const idOf = (place: number) => firstIdOf(timeOf(place)).replace(/0{12}$/, place.toString(16).padStart(12, '1'))
  const dayOf = (place: number) => timeOf(place).toISOString().slice(0, 10)
  const put = async (table: string, row: Record<string, unknown>) =>
    await sql`insert into ${sql(table)} ${sql(row as never)}`
  const since = (place: number) => (row: Row) => Number(row.place) >= place
  const until = (place: number) => (row: Row) => Number(row.place) < place
  /** Of whole days, which have eight places each. */
  const period = (from: number, to: number) => ({
    from: { [dayOf(from)]: since(from) },
    to: { [dayOf(to - 1)]: until(to) },
  })
  const later = new Date(app.now().getTime() + DAY_MS)

  const [root, ann, bob, eve, holder] = [
    await kinora.person({ role: 'admin', credits: 0 }),
    await kinora.person({ credits: 0 }),
    await kinora.person({ credits: 0 }),
    await kinora.person({ credits: 100_000 }),
    await kinora.person({ credits: 0 }),
  ]
  const users = [ann.userId, bob.userId]
  const admin = (operation: string, path: string, rows: string, id = 'id') => ({
    ...{ operation, path: `/api/v1/admin/${path}`, as: root, rows, id },
  })

  /** An administrators' list of a table whose rows have nothing beside. */
  const tableOf = (
    operation: string,
    rows: string,
    table: string,
    make: (place: number) => Record<string, unknown>,
    filters: List['filters'] = {},
  ) => ({
    ...{ ...admin(operation, rows, rows), filters },
    ...plain(table, (place) => ({ id: idOf(place), actorId: root.userId, ...make(place) })),
  })

  const plain = (
    table: string,
    make: (place: number) => Record<string, unknown> & { id: string },
  ): Pick<List, 'make' | 'remove'> => ({
    make: async (place) => {
      const row = make(place)
      await put(table, row)
      return [{ ...row, key: row.id, place }]
    },
    remove: async ({ id }) => await sql`delete from ${sql(table)} where id = ${id}`,
  })

  const videoOf = (place: number, change: Record<string, unknown> = {}) => {
    const status = String(change.status ?? 'COMPLETED')
    const isFinal = status === 'COMPLETED' || status === 'FAILED'
    return {
      ...{ userId: ann.userId, id: idOf(place), prompt: 'A boat', model: 'alpha-2', durationS: 4, aspectRatio: '16:9' },
      ...{ quality: '720p', credits: 16, providers: ['provider-a'], usualS: 60, deadlineAt: later, status },
      ...{ createdAt: timeOf(place), updatedAt: timeOf(place), completedAt: isFinal ? timeOf(place) : null },
      ...{ videoKey: `video/${place}.mp4`, thumbnailKey: `video/${place}.jpg`, dueAt: isFinal ? null : later },
      ...{ error: status === 'FAILED' ? 'e' : null, errorCode: status === 'FAILED' ? 'PROVIDER_ERROR' : null },
      ...change,
    }
  }
  const videosOf = async ({ userId }: Person, isUnfinished: boolean) => {
    const rows = await sql<{ id: string; model: string; provider: string; completedAt: Date | null }[]>`
      select id, user_id, model, providers[provider_index] as provider, completed_at from kinora.video
      where user_id = ${userId} and (due_at is not null) = ${isUnfinished}
    `
    return rows.map((row) => ({
      ...row,
      ...{ key: (row.completedAt?.toISOString() ?? '') + row.id, place: PLACES, account: row.provider },
      ...{ outcome: 'cancelled', isOverdue: false },
    }))
  }
  const removeVideo = async (row: Row) =>
    await sql`delete from kinora.video where user_id = ${String(row.userId)} and id = ${row.id}`

  // Videos of a user, whose final ones are counted.
  const [folder, key] = [randomUUID(), randomUUID()]
  const modes: Record<string, Record<string, unknown>> = Object.fromEntries(
    ['text-to-video', 'image-to-video', 'first-last', 'reference', 'extend', 'upscale'].map((mode) => [mode, { mode }]),
  )
  const notes = [null, { order: '1' }, { order: '1', shop: 'a' }]
  const countVideo = async ({ model, status }: Row, videos: number) => {
    if (status !== 'COMPLETED' && status !== 'FAILED') return
    await sql`
      insert into kinora.video_count (user_id, model, status, videos) values (${ann.userId}, ${String(model)}, ${status}, 0)
      on conflict do nothing
    `
    await sql`
      update kinora.video_count set videos = videos + ${videos}
      where user_id = ${ann.userId} and model = ${String(model)} and status = ${status}
    `
  }
  const isFilm: Is = ({ model }) => model !== 'cut'
  const videos: List = {
    ...{ operation: 'listVideos', path: '/api/v1/video/list', as: ann, rows: 'videos', id: 'uuid' },
    turned: 'sort=oldest',
    isPlain: isFilm,
    filters: {
      kind: { cut: has('model', 'cut'), film: isFilm },
      ...within(isFilm, {
        status: eachOf('status', ['COMPLETED', 'FAILED', 'PENDING']),
        model: eachOf('model', ['alpha-2', 'delta-1-5']),
        mode: eachOf('mode', Object.keys(modes)),
        aspectRatio: eachOf('aspectRatio', ['16:9', '9:16']),
        favourite: { true: has('favourite', true), false: has('favourite', false) },
        folder: { none: has('folderId', null), [folder]: has('folderId', folder) },
        madeBy: { [key]: has('madeBy', key) },
        subject: { bo: has('subject', 'bo') },
        metadata: {
          'metadata[order]=1': ({ metadata }) => metadata !== null,
          'metadata[order]=1&metadata[shop]=a': has('metadata', notes[2]),
        },
        from: { [timeOf(20).toISOString()]: since(20) },
        to: { [timeOf(40).toISOString()]: until(40) },
        q: { KITE: ({ prompt }) => String(prompt).includes('kite') },
      }),
    },
    make: async (place) => {
      const [mode, isCut] = [of(Object.keys(modes)), below(5) === 0]
      const video = videoOf(place, {
        ...modes[mode],
        ...{ status: of(['COMPLETED', 'FAILED', 'PENDING']), model: isCut ? 'cut' : of(['alpha-2', 'delta-1-5']) },
        ...{ favourite: below(2) === 0, folderId: of([null, folder]), madeBy: of([null, key]) },
        ...{ subject: of([null, 'bo']), metadata: of(notes), prompt: of(['A boat', 'A kite']) },
        aspectRatio: of(['16:9', '9:16']),
      })
      await put('kinora.video', video)
      const row = { ...video, key: video.id, place, mode }
      await countVideo(row, 1)
      return [row]
    },
    remove: async (row) => {
      await removeVideo(row)
      await countVideo(row, -1)
    },
  }

  const history = historyOf(kinora, random, eve)

  // Deliveries of an endpoint.
  const { data: endpoint } = await kinora.call<{ id: string }>('POST', '/api/v1/webhook/endpoints', {
    as: bob,
    body: { url: 'https://hooks.example/path' },
  })
  const subjects = [PLACES, PLACES + 1]
  const deliveries: List = {
    ...{ operation: 'listWebhookDeliveries', path: `/api/v1/webhook/endpoints/${endpoint.id}/deliveries`, as: bob },
    ...{ rows: 'deliveries', id: 'id' },
    begin: async () => {
      for (const place of subjects)
        await put('kinora.video', videoOf(place, { userId: bob.userId, subject: place === PLACES ? 'bo' : null }))
    },
    end: async () => {
      await sql`delete from kinora.video where user_id = ${bob.userId}`
    },
    filters: {
      status: eachOf('state', ['pending', 'delivered', 'failed']),
      type: eachOf('type', ['video.completed', 'video.failed']),
      subject: { bo: has('subjectId', idOf(PLACES)) },
    },
    shown: (id) => `msg_${id.replaceAll('-', '')}`,
    ...plain('kinora.webhook_delivery', (place) => {
      const state = of(['pending', 'delivered', 'failed'])
      return {
        ...{
          userId: bob.userId,
          endpointId: endpoint.id,
          id: idOf(place),
          type: of(['video.completed', 'video.failed']),
        },
        ...{ body: '{}', createdAt: timeOf(place), state, dueAt: state === 'pending' ? later : null },
        subjectId: idOf(of(subjects)),
      }
    }),
  }

  // What was done: of a team, and of all.
  const { id: team, owner } = await openTeams(kinora).newTeam({ credits: 0 })
  const entries = async (): Promise<Row[]> =>
    (await sql<{ id: string }[]>`select id, user_id, actor_id, action from kinora.audit`).map((row) => ({
      ...row,
      key: row.id,
    }))
  const logOf = (
    ownerIds: string[],
    actions: string[],
    isOf: Is = () => true,
  ): Pick<List, 'rows' | 'id' | 'existing' | 'make' | 'remove'> => ({
    ...{ rows: 'entries', id: 'id', existing: async () => (await entries()).filter(isOf) },
    ...plain('kinora.audit', (place) => ({
      ...{ id: idOf(place), userId: of(ownerIds), actorId: of([root.userId, owner.userId]), action: of(actions) },
      createdAt: timeOf(place),
    })),
  })
  const actions = ['credits.take', 'mail.retry', 'team.create']
  const audit: List = {
    ...admin('listAudit', 'audit', 'entries'),
    ...logOf(users, actions),
    isPlain: ({ action }) => !(TEAM_ACTIONS as readonly unknown[]).includes(action),
    filters: {
      userId: eachOf('userId', users),
      actorId: eachOf('actorId', [root.userId, owner.userId]),
      action: eachOf('action', actions),
    },
  }

  // Users and teams, with those whose account is deleted, and those who owe credits.
  const putOwner = async (id: string, place: number, isTeam: boolean) => {
    const [isDeleted, owes, name, tag] = [below(4) === 0, below(3) === 0, of(['Zora', 'Max']), of(['vip', 'press'])]
    const times = { createdAt: timeOf(place) }
    if (isDeleted)
      await put('kinora.deleted_account', { userId: id, emailHash: uuidBytes(id), deletedAt: later, isTeam, ...times })
    else if (isTeam) await put('kinora.team', { id, name, ...times })
    else
      await sql`
      insert into public."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
      values (${id}, ${name}, ${`${id}@example.com`}, true, ${timeOf(place)}, ${timeOf(place)})
    `
    if (owes)
      await put('kinora.credit_package', {
        ...{ userId: id, id: idOf(place), transType: 'ORDER_PAY', source: 'order', initial: 5, remaining: 0, used: 5 },
        ...{ refundClaimed: 5, expiresAt: later, ...times },
      })
    await put('kinora.owner_tag', { userId: id, tag })
    return [{ id, key: id, place, owes, tag, name: isDeleted ? 'deleted' : name }]
  }
  const removeOwner = async ({ id }: Row) => {
    await sql`delete from kinora.credit_package where user_id = ${id}`
    await sql`delete from kinora.owner_tag where user_id = ${id}`
    await sql`delete from kinora.team where id = ${id}`
    await sql`delete from public."user" where id = ${id}`
    const { count } = await sql`delete from kinora.deleted_account where user_id = ${id} and not is_team`
    await sql`delete from kinora.deleted_account where user_id = ${id}`
    // The service never deletes these, and has no trigger for it.
    await sql`
      update kinora.user_count set users = users - ${count}
      where shard = (select shard from kinora.user_count order by users desc limit 1)
    `
  }
  const ownersIn = async (table: string) =>
    (await sql<{ id: string; name: string }[]>`select id, name from ${sql(table)}`).map(({ id, name }) => ({
      ...{ id, key: id, place: PLACES, owes: false, name },
    }))
  const owing = { owes: { true: has('owes', true) }, tag: eachOf('tag', ['vip', 'press']) }

  const reportedId = (place: number) => idOf(place).replace(/^0/, '1')
  const published = async (place: number, isReported: boolean) => {
    const video = videoOf(place)
    await put('kinora.video', video)
    const film = { userId: ann.userId, videoId: video.id, id: idOf(PLACES - place) }
    const reports = isReported ? { reportedId: reportedId(place), openReports: 1 } : {}
    const showsName = place % 2 === 0
    await put('kinora.explore_film', { ...film, ...reports, showsName, publishedAt: timeOf(place) })
    if (isReported)
      await put('kinora.explore_report', {
        ...{ userId: bob.userId, makerId: ann.userId, videoId: video.id, id: reportedId(place), reason: 'spam' },
        createdAt: timeOf(place),
      })
    return [{ ...film, place, showsName, key: isReported ? reportedId(place) : film.id }]
  }
  /** Its maker took it back: it is in no list, and still says whose film it is. */
  const takenBack = { userId: ann.userId, videoId: randomUUID(), id: randomUUID(), showsName: true }
  await put('kinora.explore_film', takenBack)
  const removeFilm = async ({ videoId }: Row) => {
    const id = String(videoId)
    await sql`delete from kinora.explore_report where maker_id = ${ann.userId} and video_id = ${id}`
    await sql`delete from kinora.explore_film where user_id = ${ann.userId} and video_id = ${id}`
    await sql`delete from kinora.video where user_id = ${ann.userId} and id = ${id}`
  }

  const soon = app.now().getTime()
  const states = ['applied', 'ignored', 'unmatched', 'waiting', 'failed']
  const shares: Record<string, number> = { kept: 1, returned_in_part: 0.5, returned: 0 }
  const statuses = ['active', 'trialing', 'past_due', 'cancelled', 'expired']
  const text = (place: number) => place.toString().padStart(4, '0')
  const outcomes: Record<string, Record<string, unknown>> = {
    completed: { status: 'COMPLETED' },
    failed: { status: 'FAILED', error: 'Out of luck' },
    cancelled: { status: 'FAILED', errorCode: 'CANCELLED' },
  }
  return [
    videos,
    {
      ...{ operation: 'listAssets', path: '/api/v1/asset', as: ann, rows: 'assets', id: 'id' },
      filters: {
        ...{ kind: eachOf('kind', ['image', 'film', 'sound']), name: eachOf('name', ['mara', 'harbour']) },
        named: { true: ({ name }) => name !== null, false: has('name', null) },
      },
      ...plain('kinora.asset', (place) => ({
        ...{
          userId: ann.userId,
          id: idOf(place),
          kind: of(['image', 'film', 'sound']),
          name: of([null, 'mara', 'harbour']),
        },
        ...{ digest: Buffer.from(String(place)), key: `asset/${place}.png`, contentType: 'image/png', sizeBytes: 1 },
        ...{ state: 'kept', createdAt: timeOf(place), dueAt: later },
      })),
    },
    listOfPackages(kinora, random, holder),
    {
      ...{ operation: 'listProjects', path: '/api/v1/project', as: ann, rows: 'projects', id: 'id', filters: {} },
      ...plain('kinora.project', (place) => ({
        ...{ userId: ann.userId, id: idOf(place), name: 'The lighthouse', aspectRatio: '16:9', fit: 'fit' },
        ...{ madeBy: ann.userId, changedBy: ann.userId, createdAt: timeOf(place), updatedAt: timeOf(place) },
      })),
    },
    { operation: 'listTransactions', path: '/api/v1/credit/history', as: eve, ...history },
    { ...admin('listUserTransactions', `users/${eve.userId}/history`, 'transactions', 'n'), ...history },
    deliveries,
    {
      ...{ operation: 'listTeamLog', path: '/api/v1/team/log', as: owner, headers: { 'x-team': team }, filters: {} },
      ...logOf([team], ['team.rename', 'team.lock'], has('userId', team)),
    },
    {
      ...{ operation: 'listPublishedFilms', path: '/api/v1/explore', rows: 'films', id: 'id' },
      filters: { from: { [timeOf(16).toISOString()]: since(16) }, makerOf: { [takenBack.id]: has('showsName', true) } },
      make: async (place) => await published(place, false),
      remove: removeFilm,
    },
    audit,
    {
      ...admin('listUsers', 'users', 'users'),
      filters: { q: { zora: has('name', 'Zora'), [ann.userId]: has('id', ann.userId) }, ...owing, ...period(16, 40) },
      existing: () => ownersIn('public.user'),
      make: (place) => putOwner(idOf(place), place, false),
      remove: removeOwner,
    },
    {
      ...admin('listTeamsAsAdmin', 'teams', 'teams'),
      filters: { q: { ZORA: has('name', 'Zora'), [owner.email]: has('id', team), [team]: has('id', team) }, ...owing },
      existing: () => ownersIn('kinora.team'),
      make: (place) => putOwner(teamIdOf(idOf(place)), place, true),
      remove: removeOwner,
    },
    {
      ...admin('listUnfinishedVideos', 'videos', 'videos', 'uuid'),
      isAscending: true,
      filters: {
        state: { overdue: has('isOverdue', true), 'in-progress': () => true },
        userId: eachOf('userId', users),
        provider: eachOf('provider', ['provider-a', 'provider-b']),
      },
      begin: async () => {
        await sql`update kinora.video set due_at = ${later} where user_id = ${eve.userId} and due_at is not null`
      },
      existing: async () => await videosOf(eve, true),
      make: async (place) => {
        const [isOverdue, provider] = [below(2) === 0, of(['provider-a', 'provider-b'])]
        const dueAt = new Date(soon + (isOverdue ? -DAY_MS : DAY_MS))
        const video = videoOf(place, {
          status: 'PENDING',
          userId: of(users),
          providers: ['provider-c', provider],
          providerIndex: 2,
          dueAt,
        })
        await put('kinora.video', video)
        return [{ ...video, key: video.id, place, isOverdue, provider }]
      },
      remove: removeVideo,
    },
    {
      ...admin('listEndedVideos', 'videos/ended', 'videos', 'uuid'),
      filters: {
        q: { LUCK: has('outcome', 'failed'), CANCELLED: has('outcome', 'cancelled') },
        userId: eachOf('userId', users),
        model: eachOf('model', ['alpha-2', 'delta-1-5']),
        account: eachOf('account', ['provider-a', 'provider-b']),
        outcome: eachOf('outcome', Object.keys(outcomes)),
        from: { [dayOf(16)]: since(16) },
        to: { [dayOf(39)]: until(40) },
      },
      existing: async () => await videosOf(eve, false),
      make: async (place) => {
        const [outcome, account] = [of(Object.keys(outcomes)), of(['provider-a', 'provider-b'])]
        // Four end at one time.
        const completedAt = timeOf(place - (place % 4))
        const facts = { userId: of(users), model: of(['alpha-2', 'delta-1-5']), providers: [account], completedAt }
        const video = videoOf(place, { ...facts, ...outcomes[outcome] })
        await put('kinora.video', video)
        return [{ ...video, ...{ key: completedAt.toISOString() + video.id, place, outcome, account } }]
      },
      remove: removeVideo,
    },
    {
      ...admin('listPayments', 'payments', 'payments', 'orderNo'),
      filters: {
        q: { [ann.userId]: has('userId', ann.userId), [bob.email.toUpperCase()]: has('userId', bob.userId) },
        state: eachOf('state', Object.keys(shares)),
        ...period(16, 40),
      },
      make: async (place) => {
        const [userId, state, at] = [of(users), of(Object.keys(shares)), timeOf(place - (place % 8))]
        // Two parts of one source, which differ in nothing before.
        const [source, part] = [`source ${text(place - (place % 2))}`, String(place % 2)]
        const sums = Object.fromEntries(
          ['credits', 'cap', 'value', 'total', 'paid', 'covered', 'rest', 'low', 'high'].map((name) => [name, 1]),
        )
        await put('kinora.payment', {
          ...{ userId, source, part, at, processor: 'payment-a', chain: source, transType: 'ORDER_PAY', sortKey: '' },
          ...{ orderNo: text(place), remark: 'Pack', currency: 'usd', validFrom: at, expiresAt: later },
          ...{ ...sums, kept: shares[state] },
        })
        return [{ id: text(place), key: `${at.toISOString()} ${userId} ${source} ${part}`, place, userId, state }]
      },
      remove: async ({ id, userId }) =>
        await sql`delete from kinora.payment where user_id = ${String(userId)} and order_no = ${id}`,
    },
    {
      ...admin('listSubscriptions', 'subscriptions', 'subscriptions'),
      filters: {
        q: { [ann.userId]: has('userId', ann.userId), [bob.email]: has('userId', bob.userId) },
        status: eachOf('status', statuses),
        ...period(16, 40),
      },
      ...plain('kinora.subscription', (place) => ({
        ...{ userId: of(users), id: idOf(place) },
        ...{ processor: 'payment-a', externalId: text(place), status: of(statuses) },
        ...{ createdAt: timeOf(place), updatedAt: timeOf(place) },
      })),
    },
    {
      ...admin('listPaymentEvents', 'payments/events', 'events'),
      filters: {
        state: eachOf('state', states),
        about: { dispute: has('type', 'dispute.created'), failure: has('type', 'subscription.unpaid') },
      },
      ...plain('kinora.payment_event', (place) => ({
        ...{ processor: 'payment-a', externalId: text(place), id: idOf(place), state: of(states), body: '{}' },
        type: of(['x', 'dispute.created', 'subscription.unpaid']),
        receivedAt: timeOf(place),
      })),
    },
    {
      ...admin('listMails', 'mails', 'mails'),
      filters: { status: eachOf('state', ['pending', 'sent', 'failed', 'expired']), userId: eachOf('userId', users) },
      ...plain('kinora.mail', (place) => {
        const state = of(['pending', 'sent', 'failed', 'expired'])
        return {
          ...{ id: idOf(place), userId: of(users), kind: 'password.changed', key: text(place), isNotice: false },
          ...{ recipient: 'a@example.com', data: {}, hasLink: false, expiresAt: later },
          ...{ createdAt: timeOf(place), state },
          dueAt: state === 'pending' ? later : null,
        }
      }),
    },
    {
      ...admin('listReportedFilms', 'explore/reports', 'films', 'uuid'),
      isAscending: true,
      filters: {},
      make: async (place) => (await published(place, true)).map((film) => ({ ...film, id: film.videoId })),
      remove: removeFilm,
    },
    tableOf(
      ...(['listTakedowns', 'takedowns', 'kinora.takedown'] as const),
      (place) => ({
        ...{ userId: idOf(place), videoId: idOf(place), state: 'hidden', ground: 'terms', rule: 'x', source: 'own' },
        ...{ isAutomated: false, reason: 'x', decidedAt: later, appliedAt: later, objectedAt: of([null, later]) },
      }),
      { open: { true: ({ objectedAt }) => objectedAt !== null, false: has('objectedAt', null) } },
    ),
    tableOf('listIncidents', 'incidents', 'kinora.incident', () => ({
      ...{ textEn: 'x', textZh: 'x', isBanner: true, isMail: false, pauses: false },
      ...{ startsAt: later, endsAt: later, changedAt: later },
    })),
    tableOf('listInvitations', 'invitations', 'kinora.invitation', (place) => ({
      ...{ tokenHash: uuidBytes(idOf(place)), credits: 0, replacesGift: false },
      ...{ createdAt: timeOf(place), expiresAt: later },
    })),
    tableOf('listCodes', 'codes', 'kinora.redemption_code', (place) => ({
      ...{ code: `CODE-${text(place)}`, credits: 1, creditDays: 1, usesMax: 1, newCustomers: false },
      ...{ createdAt: timeOf(place), expiresAt: later },
    })),
  ]
}
