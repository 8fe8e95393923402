/** Before the account is changed, the server wants to know again who it is. The shell then asks, and the request is sent again. */
import { ApiError } from '../api/client.ts'

let waiting = $state.raw<((isConfirmed: boolean) => void)[]>([])

export const confirmation = {
  /** A request waits until the person has proved who they are. */
  get isAsked(): boolean {
    return waiting.length > 0
  },
}

/** Runs a request that may need it. If the person cancels, it is refused as the server refused it. */
export async function confirmed<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.reason === 'confirmation_required'
    if (!isNeeded || !(await ask())) throw error
    return run()
  }
}

const ask = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting = [...waiting, resolve]
  })

export function settleConfirmation(isConfirmed: boolean): void {
  const resolvers = waiting
  waiting = []
  for (const resolve of resolvers) resolve(isConfirmed)
}
