/** One door to the server: JSON in, JSON out, errors as ApiError, a lost session asked for again. */

import { noteAnswer, noteSilence } from './network.svelte.ts'

export interface ErrorDetail {
  code: string
  path: string[]
  message: string
}

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: ErrorDetail[]

  constructor(status: number, code: string, message: string, details: ErrorDetail[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }

  /** No answer at all: offline, or the server is down. */
  get offline(): boolean {
    return this.status === 0
  }
}

type QueryValue = string | number | boolean | null | undefined
export interface RequestOptions {
  query?: Record<string, QueryValue>
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Answer of the request must survive the page being closed (used for delayed deletes). */
  keepalive?: boolean
  /** Let a 401 through instead of asking to sign in again. */
  anonymous?: boolean
}

type SignInAgain = () => Promise<boolean>
let signInAgain: SignInAgain = async () => false

/** The shell registers how to ask for the password without leaving the page. */
export function onSessionLost(ask: SignInAgain): void {
  signInAgain = ask
}

export const base = '/app/api'

function address(path: string, query: RequestOptions['query']): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return base + path + (text ? `?${text}` : '')
}

async function send(method: string, path: string, options: RequestOptions): Promise<Response> {
  const init: RequestInit = { method, headers: { accept: 'application/json', ...options.headers } }
  if (options.signal) init.signal = options.signal
  if (options.keepalive) init.keepalive = true
  if (options.body !== undefined) {
    init.headers = { ...init.headers, 'content-type': 'application/json' }
    init.body = JSON.stringify(options.body)
  }
  try {
    const response = await fetch(address(path, options.query), init)
    noteAnswer(response)
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    noteSilence()
    throw new ApiError(0, 'offline', 'The server cannot be reached')
  }
}

async function failure(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const error = (body as { error?: { code?: string; message?: string; details?: ErrorDetail[] } } | null)
    ?.error
  return new ApiError(
    response.status,
    error?.code ?? 'internal_error',
    error?.message ?? response.statusText,
    error?.details ?? [],
  )
}

/** The raw response; throws ApiError unless it is a success or 304. */
export async function fetchResponse(
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  let response = await send(method, path, options)
  if (response.status === 401 && !options.anonymous && (await signInAgain())) {
    response = await send(method, path, options)
  }
  if (response.ok || response.status === 304) return response
  throw await failure(response)
}

async function json<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
  const response = await fetchResponse(method, path, options)
  if (response.status === 204) return undefined as T
  const body = (await response.json()) as { data: T }
  return body.data
}

export const api = {
  get: <T>(path: string, query?: RequestOptions['query'], options?: RequestOptions) =>
    json<T>('GET', path, { ...options, query }),
  post: <T>(path: string, body?: unknown, options?: RequestOptions) =>
    json<T>('POST', path, { ...options, body }),
  put: <T>(path: string, body?: unknown, options?: RequestOptions) =>
    json<T>('PUT', path, { ...options, body }),
  delete: (path: string, query?: RequestOptions['query'], options?: RequestOptions) =>
    json<void>('DELETE', path, { ...options, query }),
}
