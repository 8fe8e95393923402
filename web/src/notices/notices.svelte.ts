/** The user's notices: the number of unread ones, the newest ones, and the user's decisions. */

import { ApiError, client } from '../api/client.ts'
import type { AddedNotice, Notice } from '../api/types.ts'
import { t } from '../i18n/i18n.svelte.ts'
import { formatDate } from '../lib/format.ts'
import { joined, Resource } from '../lib/resource.svelte.ts'
import { log } from '../log/log.svelte.ts'

const PAGE = 50
/** Cursor of the pages after the first. */
const NEXT_PAGE = 100

async function fetchPage(query: { limit: number; cursor?: string; flightId?: number }, signal?: AbortSignal) {
  const { data } = await client.GET('/notices', { params: { query }, ...(signal && { signal }) })
  return data!
}

/** The newest ones, as many as were shown before. */
const pages = new Resource(async (signal) => {
  let found = await fetchPage({ limit: PAGE }, signal)
  for (let cursor = found.page.nextCursor; cursor !== null && found.data.length < notices.list.length; ) {
    found = joined(found, await fetchPage({ limit: PAGE, cursor }, signal))
    cursor = found.page.nextCursor
  }
  return found
})

/** Rejects if the next page could not be loaded. */
async function more(): Promise<void> {
  const cursor = pages.value?.page.nextCursor
  if (!cursor) return
  const next = { limit: NEXT_PAGE, cursor }
  await pages.refresh(async (signal) => joined(pages.value, await fetchPage(next, signal)))
  if (pages.error !== null) throw pages.error
}

const load = () => pages.refresh()
const none: Notice[] = []

export const notices = {
  get state() {
    return pages.state
  },
  /** Newest first. */
  get list(): Notice[] {
    return pages.value?.data ?? none
  },
  get unread(): number {
    return pages.value?.page.unread ?? 0
  },
  get hasMore(): boolean {
    return (pages.value?.page.nextCursor ?? null) !== null
  },
  load,
  more,
}

const isAboutFlight = (notice: Notice): notice is AddedNotice => notice.kind === 'flight.added'

/** The notice with an open decision about this flight, if there is one. */
export async function openNoticeOf(flightId: number, signal: AbortSignal): Promise<AddedNotice | null> {
  const { data } = await fetchPage({ limit: PAGE, flightId }, signal)
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
  const newest = notices.list[0]
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
