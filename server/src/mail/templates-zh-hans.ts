/** The messages in Simplified Chinese, by kind. The words are those of the studio (studio/README.md). */
import { type Templates, text } from './template-input.ts'

const HOUR = '链接在一小时内有效，只能使用一次。'
const NOT_YOU = '如果不是你提出的请求，无需理会。'

/** 管理员为用户所做的更改（admin/desk.ts）。 */
const changes: Record<string, string> = {
  address: '它已改用另一个邮箱，之后的邮件不再发送到这里。',
  password: '它已启用新密码，所有会话均已结束。',
  'second-factor': '它的两步验证已关闭，所有会话均已结束。请登录并重新设置。',
  key: '它的一个 API 密钥已被撤销，使用该密钥的程序将被拒绝。',
}

export const chinese: Templates = {
  'password.reset': ({ link, site }) => ({
    subject: `重置你的 ${site} 密码`,
    heading: '设置新密码',
    paragraphs: ['有人为使用此邮箱的账号请求设置新密码。'],
    action: { label: '设置新密码', url: link },
    footer: [`${HOUR}设置后，你会在所有设备上退出登录。`, `${NOT_YOU}你的密码不会改变。`],
  }),
  'password.changed': ({ publicUrl, site }) => ({
    subject: `你的 ${site} 密码已更改`,
    heading: '你的密码已更改',
    paragraphs: ['你的账号已启用新密码。'],
    action: { label: `打开 ${site}`, url: `${publicUrl}/account` },
    footer: ['不是你本人操作？请立即在登录页点击“忘记密码？”，设置另一个密码。'],
  }),
  'account.changed': ({ data, publicUrl, site }) => ({
    subject: `你的 ${site} 账号已由管理员更改`,
    heading: '本服务的运营者更改了你的账号',
    paragraphs: [changes[text(data.what)] ?? '它的登录方式与之前不同。'],
    action: { label: `打开 ${site}`, url: `${publicUrl}/account` },
    footer: ['不是你要求的？请联系本服务的运营者。'],
  }),
  'email.verify': ({ link, site }) => ({
    subject: `请确认你在 ${site} 使用的邮箱`,
    heading: '确认你的邮箱',
    paragraphs: ['请确认此邮箱属于你。'],
    action: { label: '确认邮箱', url: link },
    footer: ['链接在一小时内有效。', NOT_YOU],
  }),
  'email.change': ({ data, link }) => ({
    subject: '请确认更换邮箱',
    heading: '要更换邮箱吗？',
    paragraphs: ['在此允许更换，并在新邮箱中确认之后，你的账号才会使用新邮箱。'],
    facts: [['新邮箱', text(data.newEmail), true]],
    action: { label: '允许更换', url: link },
    footer: ['链接在一小时内有效。', '不是你本人操作？请更改密码：有人登录了你的账号。'],
  }),
  'sign-in.link': ({ link, site }) => ({
    subject: `你的 ${site} 登录链接`,
    heading: `登录 ${site}`,
    paragraphs: ['请在你要登录的浏览器中打开此链接。'],
    action: { label: '登录', url: link },
    footer: ['链接在十分钟内有效，只能使用一次。', NOT_YOU],
  }),
  'sign-in.new': ({ data, publicUrl, site }) => ({
    subject: `你的 ${site} 账号有新的登录`,
    heading: '你的账号有新的登录',
    paragraphs: ['你的账号在一台未使用过的设备上登录了。'],
    facts: [
      ['时间', time(data.at)],
      ['IP 地址', text(data.address)],
      ['浏览器或程序', text(data.userAgent).slice(0, 200)],
    ],
    action: { label: '查看登录位置', url: `${publicUrl}/account` },
    footer: ['不是你本人操作？请更改密码，并在其他所有位置退出登录。'],
  }),
  'sign-in.attempts': ({ data, publicUrl, site }) => ({
    subject: `你的 ${site} 账号有多次登录失败`,
    heading: '多次登录失败',
    paragraphs: ['有多台你的账号未使用过的设备用错误的密码尝试登录。这些尝试已被限速，你仍然可以登录。'],
    facts: [['时间', time(data.at)]],
    action: { label: '查看登录方式', url: `${publicUrl}/account` },
    footer: ['使用只用于此处的密码或两步验证即可将其拒之门外。此邮件每天最多发送一次。'],
  }),
  'team.invitation': ({ data, link, site }) => ({
    subject: `邀请你加入 ${site} 团队`,
    heading: '邀请你加入团队',
    paragraphs: ['团队成员一起制作影片，共用同一余额。'],
    facts: [
      ['团队', text(data.team)],
      ['邀请人', text(data.inviter)],
    ],
    action: { label: '查看邀请', url: link },
    footer: ['链接在七天内有效，只能使用一次，且仅限此邮箱。', '如果不想加入，无需理会。'],
  }),
  'explore.removed': ({ data, publicUrl }) => ({
    subject: '你的影片已从“发现”中移除',
    heading: '管理员已将你的影片从“发现”中移除',
    paragraphs: ['该影片不再公开，也不能再次发布。影片本身仍保留在你的影片库中。'],
    facts: [
      ['原因', text(data.removalReason)],
      ['影片', text(data.film)],
    ],
    action: { label: '打开影片', url: `${publicUrl}/library/${text(data.videoId)}` },
    footer: [],
  }),
  'film.taken-down': ({ data, objectionUrl, site }) => ({
    subject: '你的影片已被下架',
    heading: data.state === 'removed' ? '管理员已删除你的影片' : '管理员已隐藏你的影片',
    paragraphs: [
      data.state === 'removed'
        ? '在全球范围内，任何人都无法再看到它，其文件也会被删除。包含它的成片同样处理。'
        : '在全球范围内，任何人都无法再看到它。包含它的成片同样处理。文件会保留 210 天，以便申诉成立时恢复。',
    ],
    facts: [
      ['影片', text(data.film)],
      ['依据', data.ground === 'law' ? '内容违法' : `违反 ${site} 的条款`],
      ['规定', text(data.rule)],
      ['事实', text(data.facts)],
      ['如何发现', data.source === 'notice' ? '收到通知' : `由 ${site} 自行发现`],
      ['由程序发现', data.isAutomated === 'true' ? '是；由管理员决定' : '否'],
    ],
    action: { label: '提出申诉', url: objectionUrl },
    footer: ['管理员会阅读并答复你的申诉。链接在 183 天内有效，无需登录。', '你也可以求助于庭外争议解决机构或法院。'],
  }),
  'takedown.answered': ({ data, objectionUrl }) => ({
    subject: data.state === 'lifted' ? '你的影片已恢复' : '你的申诉已得到答复',
    heading: data.state === 'lifted' ? '对你影片的下架已撤销' : '对你影片的下架维持不变',
    paragraphs:
      data.state === 'lifted'
        ? ['如果文件仍保留，影片已恢复原状，你分享的链接重新有效。']
        : ['你可以求助于庭外争议解决机构或法院。'],
    facts: [
      ['影片', text(data.film)],
      ['答复', text(data.answer)],
    ],
    action: { label: '查看理由说明', url: objectionUrl },
    footer: [],
  }),
  'service.notice': ({ data, publicUrl, site }) => ({
    subject: data.pauses ? `${site} 维护` : `${site} 通知`,
    heading: data.pauses ? `${site} 维护` : `${site} 通知`,
    paragraphs: [text(data.textZh), ...(data.pauses ? ['制作中的影片会继续完成，期间不接受新的影片和上传。'] : [])],
    facts: [
      ['开始', time(data.from)],
      ['结束', time(data.until)],
    ],
    action: { label: `打开 ${site}`, url: `${publicUrl}/` },
    footer: [],
  }),
  'provider.low': ({ data, publicUrl, site }) => ({
    subject: `${site} 的 AI 服务商账户余额不足`,
    heading: 'AI 服务商账户余额不足',
    paragraphs: ['余额用完后，影片会由目录中的其他账户制作；没有其他账户时会失败。'],
    facts: [
      ['账户', text(data.account)],
      ['余额', `${text(data.amount)} ${text(data.unit)}`],
      ['按最近一天的速度可用', `${Math.floor(Number(data.secondsLeft) / 3600)} 小时`],
    ],
    action: { label: '查看服务商', url: `${publicUrl}/admin/providers` },
    footer: ['每位管理员只收到一次，充值后才会再次发送。'],
  }),
  'setup.test': ({ publicUrl, site }) => ({
    subject: `${site} 可以发送邮件`,
    heading: '邮件功能正常',
    paragraphs: ['你在检查清单中按下了“测试”。邮件服务器已接受这封邮件，并已送达。'],
    action: { label: '打开检查清单', url: `${publicUrl}/admin/setup` },
    footer: ['它在垃圾邮件文件夹中吗？请检查发件人域名的邮件验证记录。'],
  }),
  'credit.low': ({ data, publicUrl, site }) => ({
    subject: `你${ofTeam(data)}的 ${site} 积分即将用完`,
    heading: `还剩 ${text(data.available)} 积分`,
    paragraphs: [`按你${ofTeam(data)}的设置，可用积分少于 ${text(data.threshold)} 时会发送邮件。`],
    action: { label: '查看套餐和积分包', url: `${publicUrl}/plans` },
    footer: ['积分每次低于该数值时，只发送一次。'],
  }),
  'credit.expiring': ({ data, publicUrl, site }) => ({
    subject: `你${ofTeam(data)}的部分 ${site} 积分即将过期`,
    heading: `${text(data.credits)} 积分即将过期`,
    paragraphs: ['到期仍未使用的积分将会失效。'],
    facts: [['到期时间', time(data.expiresAt)]],
    action: { label: '制作影片', url: `${publicUrl}/` },
    footer: ['每个批次的积分只发送一次。'],
  }),
  'payment.failed': ({ data, publicUrl, site }) => ({
    subject: `你${ofTeam(data)}的 ${site} 订阅付款失败`,
    heading: '付款失败',
    paragraphs: ['订阅未能付款成功。系统会再次尝试；请在那里检查你的银行卡，以便继续获得积分。'],
    action: { label: '管理订阅', url: `${publicUrl}/plans` },
    footer: ['因为有订阅，所以收到此邮件。'],
  }),
  'payment.top-up': ({ data, publicUrl, site }) => ({
    ...topUp(data, site),
    facts: [
      ['积分包', text(data.product)],
      ...(data.credits === null ? [] : [['积分', text(data.credits)] as [string, string]]),
    ],
    action:
      data.state === 'action'
        ? { label: '确认付款', url: text(data.url) }
        : { label: '查看自动充值', url: `${publicUrl}/plans` },
    footer: ['因为已开启自动充值，所以收到此邮件。'],
  }),
  'credit.spent': ({ data, publicUrl, site }) => ({
    subject: `${site}：${data.period === 'day' ? '今天' : '本周'}的视频已花费 ${text(data.credits)} 积分`,
    heading: `${data.period === 'day' ? '今天' : '本周'}已花费 ${text(data.credits)} 积分`,
    paragraphs: [`按你${ofTeam(data)}的设置，花费达到 ${text(data.limit)} 积分时会发送邮件。`],
    facts: [[data.period === 'day' ? '日期（UTC）' : '起始日期（UTC）', text(data.since)]],
    action: { label: '查看花费', url: `${publicUrl}/credits` },
    footer: [data.period === 'day' ? '每天只发送一次。' : '每周只发送一次。'],
  }),
  'video.done': ({ data, publicUrl }) => ({
    subject: data.status === 'COMPLETED' ? '你的影片已完成' : '你的影片制作失败',
    heading: data.status === 'COMPLETED' ? '你的影片已完成' : '你的影片制作失败',
    paragraphs: data.status === 'COMPLETED' ? [] : [reason(text(data.error)), '积分已退回。'].filter(Boolean),
    facts: [['影片', text(data.film)]],
    action: { label: '查看影片', url: `${publicUrl}/library/${encodeURIComponent(text(data.videoId))}` },
    footer: ['你在账号页开启了这类邮件。'],
  }),
  'webhook.disabled': ({ data, publicUrl }) => ({
    subject: `你${ofTeam(data)}的一个 webhook 端点已停用`,
    heading: '一个 webhook 端点已停用',
    paragraphs: [
      data.reason === 'gone'
        ? '它返回了 410，表示不再接收事件。'
        : '它已连续失败五天。重新启用之前，它的事件会一直等待。',
    ],
    facts: [['端点', text(data.origin), true]],
    action: { label: '查看投递', url: `${publicUrl}/webhooks/${encodeURIComponent(text(data.endpointId))}` },
    footer: ['因为有 webhook 端点，所以收到此邮件。'],
  }),
  'team.suspended': ({ data, publicUrl }) => ({
    subject: '你团队的 API 密钥或 webhook 已暂停',
    heading: 'API 密钥或 webhook 已暂停',
    paragraphs: ['本服务的管理员已锁定或删除创建它们的成员的账号。所有者可以接管；无人接管的将会终止。'],
    facts: [
      ['API 密钥', text(data.keys)],
      ['webhook 端点', text(data.endpoints)],
      ['终止时间', time(data.expiresAt)],
    ],
    action: { label: '查看', url: `${publicUrl}/${data.keys ? 'keys' : 'webhooks'}` },
    footer: ['已暂停的密钥会被拒绝；已暂停端点的事件会一直等待。'],
  }),
}

/** The service's usual reasons, as the studio has them; others, and a provider's, stay as they are. */
function reason(error: string): string {
  switch (error) {
    case 'Cancelled before it began; your credits are back.':
      return '影片在开始前已取消。'
    case 'Cancelled while it was being made; your credits are back.':
      return '影片在制作过程中已取消。'
    case 'The provider did not finish the film in time.':
      return '服务商未能按时完成影片。'
    case 'No provider could take the task in time.':
      return '没有服务商能及时接受任务。'
    case 'The provider never said whether it took the task.':
      return '服务商始终未说明是否接受了任务。'
    case 'The provider refused this film without saying why.':
      return '服务商拒绝了这部影片，但未说明原因。'
    case 'The provider reported a failure without a reason.':
      return '服务商报告失败，但未说明原因。'
    default:
      return error
        .replace(/^The provider reported "(.*)" without a reason\.$/s, '服务商报告“$1”，但未说明原因。')
        .replace(/^The provider does not know this model: /, '服务商没有此模型：')
        .replace(/^The provider's film could not be used: /, '服务商的影片无法使用：')
        .replace(/^The start image could not be used: /, '起始图无法使用：')
        .replace(/^The film to extend could not be used: /, '要延续的影片无法使用：')
        .replace(/^The film to upscale could not be used: /, '要放大的影片无法使用：')
  }
}

const topUp = (data: Record<string, unknown>, site: string) => {
  if (data.state === 'paid')
    return {
      subject: `你${ofTeam(data)}的 ${site} 积分已自动充值`,
      heading: '已购买积分包',
      paragraphs: ['余额低于设定的数值，因此已从保存的银行卡扣款。'],
    }
  if (data.state === 'action')
    return {
      subject: `请确认为你${ofTeam(data)}的 ${site} 积分付款`,
      heading: '银行需要你确认付款',
      paragraphs: ['自动充值尚未购买任何内容。请在 23 小时内确认付款，否则将放弃。'],
    }
  return {
    subject: `你${ofTeam(data)}的 ${site} 积分自动充值失败`,
    heading: '自动充值已暂停',
    paragraphs: [
      TOP_UP_FAILURES[text(data.reason)] ?? '该积分包已停售，请选择其他积分包。',
      '在你重新开启之前不会再购买。',
    ],
  }
}

const TOP_UP_FAILURES: Record<string, string> = {
  no_card: '没有保存的银行卡。',
  declined: '银行卡被拒绝。请在账单页面检查银行卡。',
  balance: '支付服务商为你保留的余额会用于付款，但不会带来积分。请先用于套餐。',
  expired: '付款未及时确认。',
  no_answer: '支付服务商将近一天没有响应。不会再扣款。',
  not_applied: '付款已到账，其积分等待管理员处理。',
}

const ofTeam = ({ teamId }: Record<string, unknown>): string => (teamId ? '团队' : '')

/** Formats a time in UTC, because the reader's zone is unknown. */
const time = (value: unknown): string =>
  `${new Date(text(value)).toLocaleString('zh-CN', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })}（UTC）`
