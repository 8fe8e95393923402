/** The current time to the minute. Readers are updated as time passes, also after the device has slept. */

import { createSubscriber } from 'svelte/reactivity'
import { MINUTE } from '../../../server/domain/time/durations.ts'

const follow = createSubscriber((update) => {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(tick, MINUTE - (Date.now() % MINUTE))
  }
  const tick = () => {
    update()
    wait()
  }
  const onShown = () => document.visibilityState === 'visible' && update()
  wait()
  document.addEventListener('visibilitychange', onShown)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onShown)
  }
})

export const clock = {
  get now(): number {
    follow()
    return Date.now()
  },
}
