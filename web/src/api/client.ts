/** One door to the server: JSON in, JSON out, errors as ApiError, a lost session asked for again. */

import createClient from 'openapi-fetch'
import { noteAnswer, noteSilence } from './network.svelte.ts'
import type { paths } from './schema.d.ts'

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

export const base = '/app/api'

type SignInAgain = () => Promise<boolean>
let signInAgain: SignInAgain = async () => false

/** The shell registers how to ask for the password without leaving the page. */
export function onSessionLost(ask: SignInAgain): void {
  signInAgain = ask
}

async function send(request: Request): Promise<Response> {
  try {
    const response = await fetch(request)
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

/** Asking who is there, or signing in, may well be refused: that is an answer, not a lost session. */
const anonymous = /^\/app\/api\/(session|sign-in|sign-out|setup)$/

/** The response if it is a success or 304, else an ApiError. After a 401 the same request goes out once more. */
async function guarded(request: Request): Promise<Response> {
  const again = request.clone()
  let response = await send(request)
  if (response.status === 401 && !anonymous.test(new URL(request.url).pathname) && (await signInAgain())) {
    response = await send(again)
  }
  if (response.ok || response.status === 304) return response
  throw await failure(response)
}

/** Typed by the server's own document: a wrong path, parameter or body does not compile. */
export const client = createClient<paths>({ baseUrl: base, fetch: guarded })

/** What stands under `data` in an answer. */
export async function dataOf<T>(call: Promise<{ data?: { data: T } }>): Promise<T> {
  const { data } = await call
  return (data as { data: T }).data
}
