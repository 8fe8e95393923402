// Tells a person that a program published their flights. For their own actions in the web app, they need no notice.
import type { NoticeData } from '../../domain/people/notices.ts'
import type { Call } from '../../door/operation.ts'
import { insertNoticeOrMerge } from '../../store/people/notices.ts'
import { appNames } from '../access/app-names.ts'

/** Call it after recording the change: then concurrent notices of one person are written one after the other. */
export async function noticePublished(
  call: Call,
  shareId: number,
  how: NoticeData<'share.published'>['how'],
): Promise<void> {
  const { id: userId } = call.principal.user
  const { kind: via, credentialId } = call.principal
  if (via === 'session') return
  const program = (await appNames(call, [{ via, userId }])).get(`${via}:${credentialId}`) ?? null
  const data = { shareId, program, how, shares: 1 }
  const notice = {
    userId,
    kind: 'share.published',
    at: call.now.toISOString(),
    data,
    flightId: null,
  } as const
  // Merged, so that a program that creates many shares does not push out other notices.
  await insertNoticeOrMerge(call.db, notice, (before) => {
    if (before.program !== program) return undefined
    return before.shareId === shareId ? before : { ...data, shares: before.shares + 1 }
  })
}
