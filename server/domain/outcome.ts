// What became of a flight. Apart from flight.ts, whose rules need time zones: the first screen of the web app loads neither.
import type { Outcome } from './enums.ts'

/** A cancelled flight is kept in the log and is in no figure, map, journey or share. */
export const takesPlace = ({ outcome }: { outcome?: Outcome | undefined }): boolean => outcome !== 'cancelled'
