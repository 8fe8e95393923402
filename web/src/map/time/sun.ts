// While years pass, the sun cannot be at the hour of every flight: a globe that flickers between day and night would be
// unbearable, and a danger to some. It turns towards the hour that is wanted, the shorter way round.
import { DAY } from '../../../../server/domain/time/durations.ts'

/** Of the day, in a second. */
const FASTEST = 0.22

/** The instant that is shown after some seconds: on the day that is wanted, at an hour that follows. */
export function follow(shown: number, wanted: number, seconds: number): number {
  const hour = (instant: number) => (((instant % DAY) + DAY) % DAY) / DAY
  const apart = ((hour(wanted) - hour(shown) + 1.5) % 1) - 0.5
  const turned = Math.max(-FASTEST * seconds, Math.min(FASTEST * seconds, apart))
  return wanted + (turned - apart) * DAY
}
