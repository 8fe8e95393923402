/** Before lasting access is given, the server requires a new identity confirmation: the shell asks, the request is resent. */
import { onConfirmationRequired } from '../api/client.ts'

let waiting = $state.raw<((isConfirmed: boolean) => void)[]>([])

export const confirmation = {
  /** A request is pending until the person has confirmed their identity. */
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
