/** The one way to load data: the newest request wins, older ones are aborted, and the old value stays until then. */
import { onDestroy, untrack } from 'svelte'
import { ApiError } from '../api/client.ts'
import { explain } from '../api/explain.ts'

type Fetch<T> = (signal: AbortSignal) => Promise<T>

/** Pauses after consecutive failures; the last one repeats. */
const PAUSES_MS = [1000, 2000, 5000, 15_000]

/** The server could not be reached or was too busy. Any other failure would only repeat. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.offline || [408, 429, 500].includes(error.status))

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** For data of the whole app, loaded explicitly; a component uses `resource`. */
export class Resource<T extends object> {
  #value = $state.raw<T | null>(null)
  #error = $state.raw<unknown>(null)
  #isLoading = $state(false)
  readonly #fetch: Fetch<T>
  #request: AbortController | null = null
  #newest = Promise.resolve()
  #hasEnded = false

  constructor(fetch: Fetch<T>) {
    this.#fetch = fetch
  }

  /** Null until the first successful load. */
  get value(): T | null {
    return this.#value
  }
  get state(): 'loading' | 'ready' | 'failed' {
    if (this.#value !== null) return 'ready'
    return this.#error === null ? 'loading' : 'failed'
  }
  /** State of the newest request, even if an older value is shown. */
  get error(): unknown {
    return this.#error
  }
  /** The error as text; empty without one. */
  get problem(): string {
    return this.#error === null ? '' : explain(this.#error)
  }
  get isLoading(): boolean {
    return this.#isLoading
  }

  /** Loads the data, or the result of another request for it. Never rejects; resolves with the newest request. */
  refresh(fetch: Fetch<T> = this.#fetch): Promise<void> {
    return untrack(() => {
      this.#error = null
      return this.#load(fetch)
    })
  }

  /** Loads it unless it is loaded or loading. */
  async need(): Promise<void> {
    if (untrack(() => this.#value) === null) await (this.#request ? this.#newest : this.refresh())
  }

  /** Loads it, retrying with growing pauses if the server cannot be reached. False if the server refuses. */
  async persist(): Promise<boolean> {
    for (let failures = 0; !this.#hasEnded; failures++) {
      // The last error stays until there is a response.
      await this.#load(this.#fetch)
      if (this.#hasEnded || this.#error === null) break
      if (!isPassing(this.#error)) return false
      await pause(PAUSES_MS[failures] ?? PAUSES_MS.at(-1)!)
    }
    return !this.#hasEnded
  }

  /** Loads it repeatedly until the value is as wanted; the current one may already be. False if the server refuses. */
  async poll(ms: number, until: (value: T) => boolean | Promise<boolean>): Promise<boolean> {
    while (!this.#hasEnded) {
      if (this.#value !== null && (await until(this.#value))) return true
      await pause(ms)
      if (!(await this.persist())) return false
    }
    return false
  }

  /** Sets the value after a write. A running request may have been sent before the write, so it is sent again. */
  set(value: T): void {
    this.#value = value
    this.#error = null
    if (this.#request) void this.refresh()
  }

  /** Resets it, because something else will be loaded instead. */
  clear(): void {
    this.#value = null
  }

  /** Aborts running requests permanently. */
  end(): void {
    this.#hasEnded = true
    this.#request?.abort()
  }

  #load(fetch: Fetch<T>): Promise<void> {
    if (this.#hasEnded) return Promise.resolve()
    this.#request?.abort()
    const request = new AbortController()
    this.#request = request
    this.#isLoading = true
    this.#newest = this.#take(fetch, request)
    return this.#newest
  }

  async #take(fetch: Fetch<T>, request: AbortController): Promise<void> {
    const isNewest = () => this.#request === request && !this.#hasEnded
    try {
      const value = await fetch(request.signal)
      if (isNewest()) [this.#value, this.#error] = [value, null]
    } catch (error) {
      if (isNewest()) this.#error = error
    }
    if (this.#request !== request) return this.#newest
    this.#request = null
    this.#isLoading = false
  }
}

/** Tied to one component: loads now, and whenever what `on` reads has changed, unless `on` returns false. */
export function resource<T extends object>(fetch: Fetch<T>, on?: () => unknown): Resource<T> {
  const made = new Resource(fetch)
  onDestroy(() => made.end())
  if (!on) void made.refresh()
  else
    $effect(() => {
      if (on() !== false) void made.refresh()
    })
  return made
}

interface Page<Item> {
  data: Item[]
  page: { nextCursor: string | null }
}

/** A list with the cursor of the next page. */
export const joined = <P extends Page<unknown>>(list: P | null, next: P): P => ({
  ...next,
  data: [...(list?.data ?? []), ...next.data],
})
