/** The user's notices: the number of unread ones, the newest ones, and the user's decisions. */

import { ApiError, client } from '../api/client.ts'
import type { AddedNotice, Notice } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { formatDate } from '../lib/format.ts'
import { log } from '../log/log.svelte.ts'

const PAGE = 50
/** Of those after the first page. */
const NEXT_PAGE = 100

let state = $state<'loading' | 'ready' | 'failed'>('loading')
let list = $state.raw<Notice[]>([])
let unread = $state(0)
let next = $state.raw<string | null>(null)
let latest = 0

async function fetchPage(query: { limit: number; cursor?: string; flightId?: number }) {
  const { data } = await client.GET('/notices', { params: { query } })
  return data!
}

/** Loads the newest notices, as many as were shown before. */
async function load(): Promise<void> {
  const call = ++latest
  try {
    let page = await fetchPage({ limit: PAGE })
    const found = page.data
    while (page.page.nextCursor !== null && found.length < list.length) {
      page = await fetchPage({ limit: PAGE, cursor: page.page.nextCursor })
      found.push(...page.data)
    }
    if (call !== latest) return
    list = found
    unread = page.page.unread
    next = page.page.nextCursor
    state = 'ready'
  } catch {
    if (call === latest && state !== 'ready') state = 'failed'
  }
}

async function more(): Promise<void> {
  if (next === null) return
  const call = ++latest
  const page = await fetchPage({ limit: NEXT_PAGE, cursor: next })
  if (call !== latest) return
  list = [...list, ...page.data]
  unread = page.page.unread
  next = page.page.nextCursor
}

export const notices = {
  get state() {
    return state
  },
  /** Newest first. */
  get list(): Notice[] {
    return list
  },
  get unread(): number {
    return unread
  },
  get hasMore(): boolean {
    return next !== null
  },
  load,
  more,
}

const isAboutFlight = (notice: Notice): notice is AddedNotice => notice.kind === 'flight.added'

/** The notice that waits for a decision about this flight, if there is one. */
export async function openNoticeOf(flightId: number): Promise<AddedNotice | null> {
  const { data } = await fetchPage({ limit: PAGE, flightId })
  return data.filter(isAboutFlight).find((notice) => notice.data.state === 'open') ?? null
}

const byId = (id: number) => ({ params: { path: { id } } })

export async function markRead(notice: Notice): Promise<void> {
  if (notice.readAt !== null) return
  await client.POST('/notices/{id}/read', byId(notice.id))
  await load()
}

/** Marks only notices that are on screen; newer ones stay unread. */
export async function markAllRead(): Promise<void> {
  const newest = list[0]
  if (!newest) return
  await client.POST('/notices/read', { body: { upTo: newest.id } })
  await load()
}

export type Choice = 'keep' | 'leave'

/** Sends the decisions one after the other; returns how many failed. */
export async function decide(chosen: readonly Notice[], choice: Choice): Promise<number> {
  let failed = 0
  for (const { id } of chosen) {
    try {
      if (choice === 'keep') await client.POST('/notices/{id}/keep', byId(id))
      else await client.POST('/notices/{id}/leave', byId(id))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A flight that no longer exists needs no decision.
      if (error.status !== 404) failed++
    }
  }
  await Promise.all([load(), log.refresh()])
  return failed
}

/** "SK909, CPH → EWR, 20 Feb 2026" */
export function flightName(
  data: Pick<AddedNotice['data'], 'from' | 'to' | 'date' | 'datePrecision' | 'flightNumber'>,
): string {
  const route = `${data.from ?? '???'} → ${data.to ?? '???'}`
  const date = formatDate(data.date, data.datePrecision)
  return data.flightNumber
    ? t('notices.numbered', { number: data.flightNumber, route, date })
    : t('notices.flight', { route, date })
}
