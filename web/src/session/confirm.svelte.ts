/** Before lasting access is given, the server wants to know again who it is. The shell then asks, and the request is sent again. */
import { onConfirmationRequired } from '../api/client.ts'

let waiting = $state.raw<((isConfirmed: boolean) => void)[]>([])

export const confirmation = {
  /** A request waits until the person has proved who they are. */
  get isAsked(): boolean {
    return waiting.length > 0
  },
}

/** False if the person cancels. */
export const askToConfirm = (): Promise<boolean> =>
  new Promise((resolve) => {
    waiting = [...waiting, resolve]
  })
onConfirmationRequired(askToConfirm)

export function settleConfirmation(isConfirmed: boolean): void {
  const resolvers = waiting
  waiting = []
  for (const resolve of resolvers) resolve(isConfirmed)
}
