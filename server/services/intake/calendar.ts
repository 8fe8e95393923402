// Fetches a calendar from an address that a user chose, so: only checked addresses, no redirects, one time limit for everything,
// and a size limit. Conditional requests avoid fetching an unchanged calendar again.
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { connectTo, createResolve, type OutboundRules, requireAddress } from '../../base/network/outbound.ts'
import { CALENDAR_BYTES_AT_MOST } from '../../domain/intake/intake.ts'
import { IntakeError, problemOf } from './reach.ts'

const RESOLVE_MS = 5_000
const WITHIN_MS = 20_000
/** Longer validators are ignored, because they would fill the database. */
const VALIDATOR_AT_MOST = 500

interface Known {
  etag: string | null
  lastModified: string | null
}

export interface FetchedCalendar extends Known {
  /** Undefined if the calendar has not changed. */
  bytes: Uint8Array | undefined
}

/** `webcal:` means https. */
export function calendarAddress(text: string): URL | undefined {
  const written = text.trim().replace(/^webcals?:/i, 'https:')
  return URL.canParse(written) ? new URL(written) : undefined
}

/** Throws IntakeError. */
export async function fetchCalendar(
  url: URL,
  known: Known,
  rules: OutboundRules,
  signal?: AbortSignal,
): Promise<FetchedCalendar> {
  const tooLate = AbortSignal.timeout(WITHIN_MS)
  try {
    const address = await requireAddress(url, rules, createResolve(RESOLVE_MS))
    const ends = signal ? AbortSignal.any([tooLate, signal]) : tooLate
    const response = await get(url, address, headersFor(known), ends)
    return await readResponse(response, known)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof IntakeError) throw error
    throw new IntakeError(tooLate.aborted ? 'timeout' : problemOf(error))
  }
}

const headersFor = ({ etag, lastModified }: Known): Record<string, string> => ({
  accept: 'text/calendar, text/plain;q=0.5, */*;q=0.1',
  'accept-encoding': 'identity',
  'user-agent': 'Contrail',
  ...(etag === null ? {} : { 'if-none-match': etag }),
  ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
})

function get(
  url: URL,
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request: start } = url.protocol === 'https:' ? https : http
    const request = start(url, { ...connectTo(address), method: 'GET', headers, signal }, resolve)
    request.on('error', reject)
    request.end()
  })
}

async function readResponse(response: IncomingMessage, known: Known): Promise<FetchedCalendar> {
  const status = response.statusCode ?? 0
  try {
    if (status === 304) return { ...known, bytes: undefined }
    if (status >= 300 && status < 400) throw new IntakeError('redirect_refused', status)
    if (status !== 200) throw new IntakeError('http_status', status)
    const bytes = await readBody(response)
    if (!isCalendar(bytes)) throw new IntakeError('not_a_calendar')
    return {
      bytes,
      etag: validator(response.headers.etag),
      lastModified: validator(response.headers['last-modified']),
    }
  } finally {
    response.destroy()
  }
}

const validator = (text: string | undefined): string | null =>
  text !== undefined && text.length <= VALIDATOR_AT_MOST ? text : null

async function readBody(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).byteLength
    if (size > CALENDAR_BYTES_AT_MOST) throw new IntakeError('too_large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

/** Checks only the first line; the content is read in the process for uploaded files. */
const isCalendar = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*BEGIN:VCALENDAR/i.test(new TextDecoder().decode(bytes.subarray(0, 1024)))
