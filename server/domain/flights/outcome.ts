// Whether a flight takes place. Separate from flight.ts, which needs the time zone rules: the web app's first screen loads neither.
import type { Outcome } from '../enums.ts'

/** A cancelled flight stays in the log, but in no figure, map, journey or share. */
export const takesPlace = ({ outcome }: { outcome?: Outcome | undefined }): boolean => outcome !== 'cancelled'
