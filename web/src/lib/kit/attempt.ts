import { explain } from '../../api/explain.ts'
import { toast } from '../overlay/toast.svelte.ts'

/** Runs the action of a button that is not in a form. An error is shown as a message. True if it succeeded. */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    toast(explain(error), { tone: 'error' })
    return false
  }
}
