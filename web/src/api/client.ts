/** All requests to the server: JSON in, JSON out, errors as ApiError. After a lost session, and before lasting access is given,
 * the person is asked to identify themselves and the request is sent again. */

import createClient from 'openapi-fetch'
import { DAY } from '../../../server/domain/time/durations.ts'
import { loadReasonTexts } from '../i18n/i18n.svelte.ts'
import { noteNoResponse, noteResponse } from './network.svelte.ts'
import type { components, paths } from './schema.d.ts'
import { fetchWithin, GET_MS, isUnreached } from './unreached.ts'

/** The server's error as declared in its OpenAPI document. */
type WireError = components['schemas']['Error']['error']
type ErrorDetail = NonNullable<WireError['details']>[number]

/** The same, but the code need not be the server's: the response may be a proxy's, or missing. */
type ErrorBody = Omit<WireError, 'code'> & { code: string }

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly reason: string
  readonly params: Record<string, unknown>
  readonly details: ErrorDetail[]

  constructor(status: number, { code, reason, message, params = {}, details = [] }: ErrorBody) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.reason = reason
    this.params = params
    this.details = details
  }

  /** No response from the server: offline, it is down, or something in between has responded. */
  get offline(): boolean {
    return this.status === 0
  }
}

export const base = '/app/api'

type Ask = () => Promise<boolean>
let signInAgain: Ask = async () => false
let confirmIdentity: Ask = async () => false

/** The shell registers how to ask for the password without leaving the page. */
export function onSessionLost(ask: Ask): void {
  signInAgain = ask
}

/** The shell also registers how to confirm the person's identity. If they cancel, the request stays refused. */
export function onConfirmationRequired(ask: Ask): void {
  confirmIdentity = ask
}

/** A change of a flight is then queued and sent again later (src/queue). */
const FLIGHT_MS = 15_000
/** The slowest writes take minutes on the server, and an upload has no limit. */
const WRITE_MS = 120_000
const UPLOAD_MS = DAY

function limitOf({ method, url, headers }: Request): number {
  if (method === 'GET') return GET_MS
  const type = headers.get('content-type')
  if (type && !type.includes('json')) return UPLOAD_MS
  return new URL(url).pathname.startsWith(`${base}/flight`) ? FLIGHT_MS : WRITE_MS
}

/** With the server's own reason if there is one, such as a full disk. */
function unreached(error?: Partial<WireError>): ApiError {
  if (!error) noteNoResponse()
  return new ApiError(0, {
    code: 'offline',
    reason: 'offline',
    message: 'The server cannot be reached',
    ...error,
  })
}

async function send(request: Request): Promise<Response> {
  let response: Response
  try {
    response = await fetchWithin(limitOf(request), request)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreached()
  }
  if (isUnreached(response)) throw unreached(await errorIn(response))
  noteResponse(response)
  return response
}

/** Undefined if it is not the server's. */
async function errorIn(response: Response): Promise<Partial<WireError> | undefined> {
  const body: unknown = await response.json().catch(() => null)
  const error = (body as { error?: Partial<WireError> } | null)?.error
  if (error) await loadReasonTexts()
  return error
}

async function failure(response: Response): Promise<ApiError> {
  return new ApiError(response.status, {
    code: 'internal_error',
    reason: 'internal_error',
    message: response.statusText,
    ...(await errorIn(response)),
  })
}

const isUnconfirmed = async (response: Response): Promise<boolean> =>
  response.status === 403 &&
  (await response
    .clone()
    .json()
    .then(
      (body) => body?.error?.reason === 'confirmation_required',
      () => false,
    ))

/** A 401 is an ordinary response here, not a lost session. */
const anonymous = /^\/app\/api\/(session|sign-in(\/.+)?|sign-out|setup)$/

/** The response if it is a success or 304, otherwise an ApiError. The request is sent again after a 401 and a new sign-in, and
 * after an identity confirmation. */
async function guarded(request: Request): Promise<Response> {
  const again = request.clone()
  let response = await send(request)
  if (response.status === 401 && !anonymous.test(new URL(request.url).pathname) && (await signInAgain())) {
    response = await send(again.clone())
  }
  if ((await isUnconfirmed(response)) && (await confirmIdentity())) response = await send(again)
  if (response.ok || response.status === 304) return response
  throw await failure(response)
}

/** Typed by the OpenAPI document: a wrong path, parameter or body does not compile. */
export const client = createClient<paths>({ baseUrl: base, fetch: guarded })

let person: string | null = null

/** A change of flights names the person who made it, because another one may have signed in to this browser since. */
export function writeAs(id: string): void {
  person = id
}
client.use({
  onRequest({ request, schemaPath }) {
    if (person && request.method !== 'GET' && schemaPath.startsWith('/flight'))
      request.headers.set('x-contrail-person', person)
    return request
  },
})

/** The `data` of a response. */
export async function dataOf<T>(call: Promise<{ data?: { data: T } }>): Promise<T> {
  const { data } = await call
  return (data as { data: T }).data
}
