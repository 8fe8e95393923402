// A person learns that a program published their flights; what they do in the web app is no news to them.
import type { NoticeData } from '../domain/notices.ts'
import type { Call } from '../operation.ts'
import { insertNoticeOrMerge } from '../store/notices.ts'
import { appNames } from './history-view.ts'

/** Call it after the change is recorded: then the notices of one person are written one after the other. */
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
  // A program that makes many shares does not push out other notices.
  await insertNoticeOrMerge(call.db, notice, (before) => {
    if (before.program !== program) return undefined
    return before.shareId === shareId ? before : { ...data, shares: before.shares + 1 }
  })
}
